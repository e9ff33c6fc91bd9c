/**
 * All trainings of a learning config: those that the journal lacks are run, and everything comes back as
 * plain data.
 */
import { dirname, resolve } from 'node:path';
import type { FrameworkSpec, LabelledVectors } from '@shuffle-dp/protocols';
import { ConfigError, pathText, refusal } from '../documents/config-error.ts';
import { DataFileError } from '../data/data-file.ts';
import {
  mnistFolder,
  readDigitImages,
  type DigitImages,
  type PixelScaling,
} from '../data/images/digit-images.ts';
import { BudgetError, parseBudgets } from '../personalized/budget-distribution.ts';
import type { SweepOptions } from '../message-sweep/message-sweep.ts';
import { forEachConcurrently, threadsFor, withPool } from '../pool/pool.ts';
import { inSharedMemory } from '../pool/shared-memory.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import { Pace } from '../run-folder/checkpoints.ts';
import { journalledRun, provenanceOf, type FinishedWork } from '../run-folder/journalled-run.ts';
import type { JournalEntry, JournalHeader } from '../run-folder/journal.ts';
import type { FrameworkPrivacy } from './framework-privacy.ts';
import { frameworkPrivacies } from './learning-privacy.ts';
import { frameworkName, type LearningConfig } from './learning-schema.ts';
import {
  imagesDigest,
  performNamedTraining,
  performTraining,
  TRAINING_TASKS,
  type BegunTraining,
} from './training-task.ts';

export type LearningOptions = SweepOptions<LearningRun>;

/** One training, as the journal keeps it. */
interface TrainingRecord extends JournalEntry {
  /** After each round. */
  readonly accuracies: readonly number[];
  readonly seconds: number;
}

export interface FrameworkResult {
  readonly label: string;
  readonly spec: FrameworkSpec;
  /** By trial, then by round. */
  readonly accuracies: readonly (readonly number[])[];
  readonly seconds: number;
  readonly privacy: FrameworkPrivacy;
}

export interface LearningRun {
  readonly config: LearningConfig;
  readonly configFile: string;
  readonly provenance: JournalHeader;
  readonly frameworks: readonly FrameworkResult[];
  /** Examples of a user, and numbers in a gradient. */
  readonly examplesPerUser: number;
  readonly dimensions: number;
}

/**
 * Runs the trainings of a config, or what the journal lacks of them; everything comes back as plain data.
 *
 * @throws ConfigError, OutputError, LockedError before any work; and the signal's reason when aborted
 */
export async function runLearning(
  config: LearningConfig,
  configFile: string,
  options: LearningOptions,
): Promise<LearningRun> {
  checkBudgets(config, configFile);
  const images = loadImages(config, configFile);
  const dimensions = (images.train.features + 1) * images.train.classes;
  // Those of MNIST are what they are; of a folder any byte may have changed.
  const imagesHash =
    config.data.kind === 'mnist' ? canonicalHash([...images.test.labels]) : imagesDigest(images);
  const provenance = provenanceOf(
    canonicalHash({ ...config, $schema: undefined, images: imagesHash }),
    config.seed,
    options.command,
  );
  return journalledRun<TrainingRecord, LearningRun>(provenance, options, async (finished, header) => {
    const plan = provenance.configHash;
    await runTrainings(config, configFile, images, finished, { ...options, plan });
    const specs = config.frameworks.map((_, i) => frameworkSpec(config, i));
    const privacies = frameworkPrivacies(config, specs, dimensions);
    return {
      config,
      configFile,
      provenance: header,
      frameworks: specs.map((spec, i) => frameworkResult(config, i, spec, privacies[i]!, finished)),
      examplesPerUser: Math.floor(images.train.labels.length / config.users),
      dimensions,
    };
  });
}

function checkBudgets(config: LearningConfig, file: string): void {
  try {
    parseBudgets(config.budgets);
  } catch (error) {
    if (error instanceof BudgetError)
      throw new ConfigError(`${file}: budgets = ${JSON.stringify(config.budgets)}: ${error.message}`);
    throw error;
  }
}

/** Null for the package's. */
function imagesFolder({ data }: LearningConfig, file: string): string | null {
  return data.kind === 'mnist' ? null : resolve(dirname(resolve(file)), data.folder);
}

/** Rounds that another machine performs at a time. */
const ROUNDS_PER_TASK = 5;

function loadImages(config: LearningConfig, file: string): DigitImages {
  try {
    const images = readShared(imagesFolder(config, file), config.pixels);
    const { length } = images.train.labels;
    if (config.users > length)
      throw refusal(file, ['users'], config.users, `at most the training images, ${length}`);
    return images;
  } catch (error) {
    if (error instanceof DataFileError)
      throw new ConfigError(`${file}: ${pathText(['data'])}: ${error.message}`);
    throw error;
  }
}

/** The package's images do not change, and one run after another learns from them. */
let lastRead: { readonly pixels: PixelScaling; readonly images: DigitImages } | undefined;

function readShared(folder: string | null, pixels: PixelScaling): DigitImages {
  if (folder === null && lastRead?.pixels === pixels) return lastRead.images;
  const { train, test } = readDigitImages(folder ?? mnistFolder(), pixels);
  const images = { train: sharedVectors(train), test: sharedVectors(test) };
  if (folder === null) lastRead = { pixels, images };
  return images;
}

function sharedVectors(data: LabelledVectors): LabelledVectors {
  return { ...data, values: inSharedMemory(data.values), labels: inSharedMemory(data.labels) };
}

async function runTrainings(
  config: LearningConfig,
  configFile: string,
  images: DigitImages,
  finished: FinishedWork<TrainingRecord>,
  options: LearningOptions,
): Promise<void> {
  const trainings = config.frameworks.flatMap((_, framework) =>
    Array.from({ length: config.trials }, (__, trial) => ({
      framework,
      trial,
      id: trainingId(framework, trial),
    })),
  );
  const missing = trainings.filter(({ id }) => !finished.get(id));
  if (missing.length === 0) return;
  let done = trainings.length - missing.length;
  options.onProgress?.(done, trainings.length);
  const workers = threadsFor(options.workers, missing.length, options.onNotice);
  const { pixels } = config;
  const digest = options.executor ? imagesDigest(images) : '';
  const named = { folder: imagesFolder(config, configFile), pixels, digest };
  await withPool(TRAINING_TASKS, { ...options, workers }, (pool) =>
    forEachConcurrently(
      missing,
      Math.max(1, pool.workers),
      options.signal,
      async ({ framework, trial, id }) => {
        let begun = finished.checkpoints.read(id) as BegunTraining | null;
        const pace = new Pace();
        while (begun === null || begun.accuracies.length < config.rounds) {
          options.signal?.throwIfAborted();
          const settings = {
            plan: config,
            budgets: config.budgets,
            budgetLevels: config.budgetLevels,
            spec: frameworkSpec(config, framework),
            seed: config.seed,
            trial,
            begun,
          };
          // One part of the training after another: each goes on from the one before.
          // oxlint-disable-next-line no-await-in-loop
          const answer = await (pool.wholeTasks
            ? pool.run(performNamedTraining, { ...settings, images: named, mostRounds: ROUNDS_PER_TASK })
            : pool.run(performTraining, { ...images, ...settings }));
          if ('refused' in answer)
            throw new ConfigError(`${configFile}: ${pathText(['frameworks', framework])}: ${answer.refused}`);
          const reached = (begun = answer.value);
          if (pace.isDue()) pace.keep(() => finished.checkpoints.write(id, reached));
        }
        finished.add({ cell: id, accuracies: [...begun.accuracies], seconds: begun.seconds });
        options.onProgress?.(++done, trainings.length);
      },
    ),
  );
}

function frameworkSpec(config: LearningConfig, index: number): FrameworkSpec {
  const { label: _, kind, clipBound = config.clipBound, ...given } = config.frameworks[index]!;
  return { kind, clipBound, ...(given as Omit<FrameworkSpec, 'kind' | 'clipBound'>) };
}

function frameworkResult(
  config: LearningConfig,
  index: number,
  spec: FrameworkSpec,
  privacy: FrameworkPrivacy,
  finished: FinishedWork<TrainingRecord>,
): FrameworkResult {
  const trials = Array.from({ length: config.trials }, (_, trial) => finished.get(trainingId(index, trial))!);
  return {
    label: frameworkName(config.frameworks[index]!),
    spec,
    accuracies: trials.map(({ accuracies }) => accuracies),
    seconds: trials.reduce((sum, { seconds }) => sum + seconds, 0),
    privacy,
  };
}

function trainingId(framework: number, trial: number): string {
  return `framework ${framework}, trial ${trial}`;
}
