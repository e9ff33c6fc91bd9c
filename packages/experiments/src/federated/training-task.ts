/** One training of one framework: what a thread of the pool does for `shuffle-dp learn`. */
import { RandomStream } from '@shuffle-dp/core';
import {
  levelOf,
  trainFederated,
  type FrameworkSpec,
  type LabelledVectors,
  type TrainingPlan,
} from '@shuffle-dp/protocols';
import { answerOf, type Answer } from '../pool/answer.ts';
import { parseBudgets, sampleBudgets } from '../personalized/budget-distribution.ts';

/** The module of this task, for a pool. */
export const TRAINING_TASKS = import.meta.url;

export interface TrainingTask {
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
  /** After each round. */
  readonly accuracies: readonly number[];
  readonly seconds: number;
}

/** Frameworks of one trial share budgets, the deal of the images and the users of each round. */
export function performTraining(task: TrainingTask): Answer<TrainingOutcome> {
  const { train, test, plan, spec } = task;
  return answerOf(() => {
    const start = performance.now();
    const stream = RandomStream.fromSeed(task.seed).fork('trial').fork(task.trial);
    const budgets = trainingBudgets(task.budgets, plan.users, task.budgetLevels, stream);
    const { accuracies } = trainFederated(train, test, plan, budgets, spec, stream.fork('training'));
    return { accuracies: [...accuracies], seconds: (performance.now() - start) / 1000 };
  });
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
