/**
 * K-means or isolation forests of a config: what the journal lacks is learnt, and everything comes back as
 * plain data.
 */
import type { GridPoints } from '@shuffle-dp/protocols';
import { ConfigError } from '../documents/config-error.ts';
import { settleLearning, type LearningRun } from '../message-sweep/learning-split.ts';
import {
  sweepMessages,
  type MessageSweep,
  type SweepOptions,
  type SweptResult,
} from '../message-sweep/message-sweep.ts';
import { inSharedMemory } from '../pool/shared-memory.ts';
import { journalledRun } from '../run-folder/journalled-run.ts';
import { readPoints } from './unsupervised-data.ts';
import type { UnsupervisedConfig } from './unsupervised-schema.ts';
import {
  learnUnsupervised,
  roundsOf,
  settleRounds,
  UNSUPERVISED_TASKS,
  type FoundQuality,
  type UnsupervisedSource,
} from './unsupervised-tasks.ts';

export type UnsupervisedOptions = SweepOptions<UnsupervisedRun>;

export interface UnsupervisedRun extends LearningRun<UnsupervisedConfig> {
  readonly dimensions: number;
  /** Rounds of the shuffler, histograms that are asked for. */
  readonly rounds: number;
  readonly results: readonly SweptResult<FoundQuality>[];
}

/** How each method is judged. */
export const MEASURES = {
  'k-means': {
    title: 'mean squared distance to the nearest centre, in ranges',
    nothing: 'one centre',
  },
  'isolation-forest': {
    title: 'area under the curve: outliers scored above others',
    nothing: 'a coin',
  },
} as const;

/**
 * Runs K-means or isolation forests of a config, or what the journal lacks of them; everything comes back as
 * plain data.
 *
 * @throws ConfigError, OutputError, LockedError before any work; and the signal's reason when aborted
 */
export async function runUnsupervised(
  config: UnsupervisedConfig,
  configFile: string,
  options: UnsupervisedOptions,
): Promise<UnsupervisedRun> {
  const { loaded, split, source, provenance } = settleLearning(config, configFile, readPoints, options);
  const { points, marked } = loaded;
  checkPlan(config, points, configFile);
  const shape = { users: points.users, bins: config.bins, dimensions: points.columns.length };
  const sweep: MessageSweep<UnsupervisedSource, FoundQuality> = {
    configFile,
    config,
    module: UNSUPERVISED_TASKS,
    sourceFor: ({ workers, wholeTasks }) => ({
      ...source,
      shape,
      data: wholeTasks
        ? null
        : workers === 0
          ? { points, marked }
          : { points: sharedPoints(points), marked: marked && inSharedMemory(marked) },
    }),
    settle: settleRounds,
    perform: learnUnsupervised,
  };
  const plan = provenance.configHash;
  const rounds = roundsOf(config, { ...shape, users: split.trainUsers }, 2);
  return journalledRun<SweptResult<FoundQuality>, UnsupervisedRun>(
    provenance,
    options,
    async (finished, header) => ({
      ...split,
      provenance: header,
      dimensions: shape.dimensions,
      rounds: rounds.reduce((sum, { count }) => sum + count, 0),
      results: await sweepMessages(sweep, finished, { ...options, plan }),
    }),
  );
}

/** Queries of too many cells are refused before a folder is made. */
function checkPlan(config: UnsupervisedConfig, { bins }: GridPoints, file: string): void {
  const { method } = config;
  const cells = method.kind === 'k-means' ? method.clusters * bins : 2 ** (method.height - 1) * bins;
  if (cells > 65_535)
    throw new ConfigError(
      `${file}: method = ${method.kind}: its largest histogram has ${cells} cells, of at most 65535; take fewer bins, ${method.kind === 'k-means' ? 'clusters' : 'levels'}`,
    );
}

function sharedPoints(points: GridPoints): GridPoints {
  return { ...points, columns: points.columns.map(inSharedMemory) };
}
