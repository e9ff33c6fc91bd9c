/**
 * Federated learning of a softmax regression: in each round some users send the gradient of their own examples, and the analyzer
 * takes one step along its estimate of the average. With one local step from the broadcast weights, the proximal term of
 * FedProx (Li et al., MLSys 2020) has gradient 0 and is left out.
 */
import { ParameterError, requireInteger, requirePositive, type RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import type { FrameworkSpec } from './framework-spec.ts';
import { aggregateGradients } from './gradient-aggregation.ts';
import { checkLabelledVectors, type LabelledVectors } from './labelled-vectors.ts';
import { accuracy, lossGradient, zeroWeights, type SoftmaxWeights } from './softmax-regression.ts';

export interface TrainingPlan {
  /** Examples are dealt to the users in equal shares, in random order. */
  readonly users: number;
  readonly rounds: number;
  /** Users of one round, drawn without replacement; every user serves once before anyone serves twice. */
  readonly usersPerRound: number;
  readonly learningRate: number;
}

export interface TrainingResult {
  readonly weights: SoftmaxWeights;
  /** Accuracy on the test examples after each round. */
  readonly accuracies: Float64Array;
}

/**
 * `budgets`: local budget per dimension of each of the plan's users.
 * @throws ParameterError
 */
export function trainFederated(
  train: LabelledVectors,
  test: LabelledVectors,
  plan: TrainingPlan,
  budgets: Float64Array,
  spec: FrameworkSpec,
  stream: RandomStream,
): TrainingResult {
  checkLabelledVectors(train);
  checkLabelledVectors(test);
  requireInteger('rounds', plan.rounds, 1);
  requirePositive('learningRate', plan.learningRate);
  requireInteger('users', plan.users, 1, train.labels.length);
  requireInteger('usersPerRound', plan.usersPerRound, 1, plan.users);
  if (budgets.length !== plan.users)
    throw new ParameterError('budgets', budgets.length, `one for each of the ${plan.users} users`);

  const dealt = dealExamples(train, plan.users, stream.fork('deal'));
  const weights = zeroWeights(train);
  const accuracies = new Float64Array(plan.rounds);
  for (let round = 0; round < plan.rounds; round++) {
    const chosen = roundUsers(plan, round, stream);
    const step = aggregateGradients(
      userGradients(weights, dealt, chosen, plan.users),
      Float64Array.from(chosen, (user) => budgets[user]!),
      spec,
      stream.fork('round').fork(round),
    );
    for (let k = 0; k < weights.length; k++) weights[k] = weights[k]! - plan.learningRate * step[k]!;
    accuracies[round] = accuracy(weights, test);
  }
  return { weights, accuracies };
}

function userGradients(weights: SoftmaxWeights, data: LabelledVectors, chosen: Uint32Array, users: number) {
  const scores = new Float64Array(data.classes);
  const share = Math.floor(data.labels.length / users);
  return {
    users: chosen.length,
    dimensions: weights.length,
    writeInto(index: number, row: Float64Array): void {
      const user = chosen[index]!;
      lossGradient(weights, data, user * share, (user + 1) * share, row, scores);
    },
  };
}

/** A fresh random order of all users for each pass; a round takes the next users of it. */
function roundUsers(
  { users, usersPerRound }: TrainingPlan,
  round: number,
  stream: RandomStream,
): Uint32Array {
  const roundsPerPass = Math.floor(users / usersPerRound);
  const pass = Math.floor(round / roundsPerPass);
  const order = randomOrder(users, stream.fork('pass').fork(pass));
  const first = (round % roundsPerPass) * usersPerRound;
  return order.subarray(first, first + usersPerRound);
}

/** The same examples in random order, as many as give every user equally many. */
function dealExamples(data: LabelledVectors, users: number, stream: RandomStream): LabelledVectors {
  const count = Math.floor(data.labels.length / users) * users;
  const order = randomOrder(data.labels.length, stream).subarray(0, count);
  const values = new Float32Array(count * data.features);
  const labels = new Uint8Array(count);
  order.forEach((from, to) => {
    labels[to] = data.labels[from]!;
    values.set(data.values.subarray(from * data.features, (from + 1) * data.features), to * data.features);
  });
  return { ...data, labels, values };
}

function randomOrder(count: number, stream: RandomStream): Uint32Array {
  const index = Uint32Array.from({ length: count }, (_, i) => i);
  return shuffle({ columns: { index }, count }, stream).columns.index;
}
