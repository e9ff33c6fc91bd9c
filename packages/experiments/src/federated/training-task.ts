/** One training of one framework: what a thread of the pool does for `shuffle-dp learn`. */
import { RandomStream } from '@shuffle-dp/core';
import {
  levelOf,
  trainFederated,
  type FrameworkSpec,
  type LabelledVectors,
  type TrainingPlan,
  type TrainingResult,
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
  /** What the rounds so far gave; null for a training that begins. */
  readonly begun: BegunTraining | null;
}

/** The rounds that are done: all of them, or those from which the training goes on. */
export interface BegunTraining extends TrainingResult {
  readonly seconds: number;
}

/** A task that has taken so long ends after the round it is at, so that what it has can be put on the disk. */
const LONG_ENOUGH_MS = 500;

/** Frameworks of one trial share budgets, the deal of the images and the users of each round. */
export function performTraining(task: TrainingTask): Answer<BegunTraining> {
  const { train, test, plan, spec, begun } = task;
  return answerOf(() => {
    const start = performance.now();
    const stream = RandomStream.fromSeed(task.seed).fork('trial').fork(task.trial);
    const budgets = trainingBudgets(task.budgets, plan.users, task.budgetLevels, stream);
    const done = trainFederated({ train, test, budgets }, plan, spec, stream.fork('training'), {
      begun,
      isEnough: () => performance.now() - start > LONG_ENOUGH_MS,
    });
    return { ...done, seconds: (begun?.seconds ?? 0) + (performance.now() - start) / 1000 };
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
