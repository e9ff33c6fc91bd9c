/**
 * Federated learning of a softmax regression: in each round some users send the gradient of their own
 * examples, and the analyzer takes one step along its estimate of the average. With one local step from the
 * broadcast weights, the proximal term of FedProx (Li et al., MLSys 2020) has gradient 0 and is left out.
 */
import { ParameterError, requireInteger, requirePositive, type RandomStream } from '@shuffle-dp/core';
import { shuffle } from '@shuffle-dp/shuffler';
import type { FrameworkSpec } from './framework-spec.ts';
import { aggregateGradients, type GradientSimulation } from './gradient-aggregation.ts';
import type { GradientSource } from './gradient-source.ts';
import { checkLabelledVectors, type LabelledVectors } from './labelled-vectors.ts';
import {
  accuracy,
  exampleRoom,
  lossGradient,
  zeroWeights,
  type SoftmaxWeights,
} from './softmax-regression.ts';

export interface TrainingPlan {
  /** Examples are dealt to the users in equal shares, in random order. */
  readonly users: number;
  readonly rounds: number;
  /**
   * Users of one round. Nobody serves twice in one pass over the users; where they are no multiple of a
   * round, the rest of a pass is left out.
   */
  readonly usersPerRound: number;
  readonly learningRate: number;
  /** Default 'messages'. */
  readonly simulation?: GradientSimulation | undefined;
}

export interface TrainingResult {
  readonly weights: SoftmaxWeights;
  /** Accuracy on the test examples after each round that was performed. */
  readonly accuracies: Float64Array;
}

/** How a training is performed in parts; the parts together give the numbers of the whole. */
export interface TrainingPart {
  /** What the rounds before gave; null for the first. */
  readonly begun?: TrainingResult | null;
  /** Asked after each round: whether the part ends there. */
  readonly isEnough?: () => boolean;
}

/** What is learnt from, what is tested on, and how much each user may tell. */
export interface TrainingData {
  readonly train: LabelledVectors;
  readonly test: LabelledVectors;
  /** Local budget per dimension, in nats, of each of the plan's users. */
  readonly budgets: Float64Array;
}

/**
 * Trains a softmax regression on examples that many users hold, by rounds of averaged private gradients.
 *
 * @param plan users, users in a round, rounds and learning rate
 * @param stream decides who takes part in which round, and all noise
 * @throws ParameterError
 */
export function trainFederated(
  { train, test, budgets }: TrainingData,
  plan: TrainingPlan,
  spec: FrameworkSpec,
  stream: RandomStream,
  { begun = null, isEnough = () => false }: TrainingPart = {},
): TrainingResult {
  checkLabelledVectors(train);
  checkLabelledVectors(test);
  requireInteger('rounds', plan.rounds, 1);
  requirePositive('learningRate', plan.learningRate);
  requireInteger('users', plan.users, 1, train.labels.length);
  requireInteger('usersPerRound', plan.usersPerRound, 1, plan.users);
  if (budgets.length !== plan.users)
    throw new ParameterError('budgets', budgets.length, `one for each of the ${plan.users} users`);

  const order = randomOrder(train.labels.length, stream.fork('deal'));
  const weights = begun?.weights.slice() ?? zeroWeights(train);
  const accuracies = [...(begun?.accuracies ?? [])];
  while (accuracies.length < plan.rounds) {
    const round = accuracies.length;
    const chosen = roundUsers(plan, round, stream);
    const step = aggregateGradients(
      userGradients(weights, train, order, plan.users, chosen),
      Float64Array.from(chosen, (user) => budgets[user]!),
      spec,
      stream.fork('round').fork(round),
      plan.simulation,
    );
    for (let k = 0; k < weights.length; k++) weights[k] = weights[k]! - plan.learningRate * step[k]!;
    accuracies.push(accuracy(weights, test));
    if (isEnough()) break;
  }
  return { weights, accuracies: Float64Array.from(accuracies) };
}

function userGradients(
  weights: SoftmaxWeights,
  data: LabelledVectors,
  order: Uint32Array,
  users: number,
  chosen: Uint32Array,
): GradientSource {
  const room = exampleRoom(data);
  const share = Math.floor(order.length / users);
  return {
    users: chosen.length,
    dimensions: weights.length,
    writeInto(index, row) {
      const user = chosen[index]!;
      lossGradient(weights, data, order.subarray(user * share, (user + 1) * share), row, room);
    },
  };
}

/**
 * Who serves in a round of a training on this stream: a fresh random order of all users for each pass, of
 * which a round takes the next ones.
 */
export function roundUsers(
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

function randomOrder(count: number, stream: RandomStream): Uint32Array {
  const index = Uint32Array.from({ length: count }, (_, i) => i);
  return shuffle({ columns: { index }, count }, stream).columns.index;
}
