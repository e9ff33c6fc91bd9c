/** One training of one framework: what a worker of the pool does for `shuffle-dp learn`. */
import { RandomStream } from '@shuffle-dp/core';
import {
  levelOf,
  trainFederated,
  type FrameworkSpec,
  type LabelledVectors,
  type TrainingPlan,
} from '@shuffle-dp/protocols';
import { parseBudgets, sampleBudgets } from '../personalized/budget-distribution.ts';

export interface TrainingTask {
  readonly kind: 'train';
  readonly id: string;
  /** Arrays in shared memory, so that threads do not copy them. */
  readonly train: LabelledVectors;
  readonly test: LabelledVectors;
  readonly plan: TrainingPlan;
  readonly budgets: string;
  /** Budgets are rounded down to this many values, where given. */
  readonly budgetLevels: number | undefined;
  readonly spec: FrameworkSpec;
  readonly seed: string;
  readonly trial: number;
}

export interface TrainingOutcome {
  readonly kind: 'trained';
  /** After each round. */
  readonly accuracies: readonly number[];
  readonly seconds: number;
}

/** Frameworks of one trial share budgets, the deal of the images and the users of each round. */
export function performTraining(task: TrainingTask): TrainingOutcome {
  const start = performance.now();
  const stream = RandomStream.fromSeed(task.seed).fork('trial').fork(task.trial);
  const budgets = trainingBudgets(task.budgets, task.plan.users, task.budgetLevels, stream);
  const { accuracies } = trainFederated(
    task.train,
    task.test,
    task.plan,
    budgets,
    task.spec,
    stream.fork('training'),
  );
  return { kind: 'trained', accuracies: [...accuracies], seconds: (performance.now() - start) / 1000 };
}

/** The budgets that users apply in the trial of this stream. */
export function trainingBudgets(
  distribution: string,
  users: number,
  levels: number | undefined,
  stream: RandomStream,
): Float64Array {
  const budgets = sampleBudgets(parseBudgets(distribution), users, stream.fork('budgets'));
  return levels === undefined ? budgets : budgets.map(levelOf(budgets, levels));
}
