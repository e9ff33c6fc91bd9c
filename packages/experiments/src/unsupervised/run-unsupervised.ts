/** K-means or isolation forests of a config: what the journal lacks is learnt, and everything comes back as plain data. */
import { OutOfRegimeError, RandomStream } from '@shuffle-dp/core';
import {
  anomalyScores,
  areaUnderCurve,
  exactHistogram,
  isolationForest,
  isolationRounds,
  kMeans,
  kMeansRounds,
  meanSquaredDistance,
  selectPoints,
  shuffledHistogram,
  type CellHistogram,
  type GridPoints,
  type ShuffledRounds,
} from '@shuffle-dp/protocols';
import { shuffle } from '@shuffle-dp/shuffler';
import { ConfigError } from '../documents/config-error.ts';
import { deltaOfUsers } from '../documents/delta-of-users.ts';
import { sweepMessages, type SweepOptions, type SweptResult } from '../message-sweep/message-sweep.ts';
import { sweepProvenance, trainUsersOf } from '../message-sweep/learning-split.ts';
import type { JournalHeader } from '../run-folder/journal.ts';
import { journalledRun } from '../run-folder/journalled-run.ts';
import { loadPoints } from './unsupervised-data.ts';
import type { UnsupervisedConfig } from './unsupervised-schema.ts';

export type UnsupervisedOptions = SweepOptions<UnsupervisedRun>;

/** What a trial found, on users that were not learnt from; see `MEASURES`. */
export interface FoundQuality {
  readonly found: number;
  /** From the same users without privacy. */
  readonly exact: number;
  /** Without learning anything: of one centre; of a coin. */
  readonly nothing: number;
}

export interface UnsupervisedRun {
  readonly config: UnsupervisedConfig;
  readonly configFile: string;
  readonly provenance: JournalHeader;
  readonly trainUsers: number;
  readonly testUsers: number;
  readonly dimensions: number;
  readonly delta: number;
  /** Rounds of the shuffler, histograms that are asked for. */
  readonly rounds: number;
  /** Users of the file that are left out for missing values. */
  readonly skippedUsers: number;
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
 * Runs K-means or isolation forests of a config, or what the journal lacks of them; everything comes back as plain data.
 *
 * @throws ConfigError, OutputError, LockedError before any work; and the signal's reason when aborted
 */
export async function runUnsupervised(
  config: UnsupervisedConfig,
  configFile: string,
  options: UnsupervisedOptions,
): Promise<UnsupervisedRun> {
  const { points, marked, digest, notices, skippedUsers } = loadPoints(config, configFile);
  for (const notice of notices) options.onNotice?.(notice);
  const { users } = points;
  const trainUsers = trainUsersOf(users, config.testShare);
  const delta = deltaOfUsers(config.privacy.delta, trainUsers, configFile);
  const shape = { users: trainUsers, bins: config.bins, dimensions: points.columns.length };
  checkPlan(config, points, configFile);
  const provenance = sweepProvenance(config, digest, options.command);
  const stream = RandomStream.fromSeed(config.seed).fork('trial');
  const perform = (messagesPerUser: number, trial: number): FoundQuality => {
    const own = stream.fork(trial);
    const who = Uint32Array.from({ length: users }, (_, user) => user);
    const { user } = shuffle({ columns: { user: who }, count: users }, own.fork('split')).columns;
    const [train, test] = [user.subarray(0, trainUsers), user.subarray(trainUsers)];
    const noisy = (part: number): CellHistogram =>
      shuffledHistogram(messagesPerUser, own.fork('shuffled').fork(part), config.simulation);
    return qualityOf(
      config,
      { train: selectPoints(points, train), test: selectPoints(points, test) },
      marked && Uint8Array.from(test, (one) => marked[one]!),
      noisy,
      own.fork('method'),
    );
  };
  const roundsAt = (m: number): readonly (readonly ShuffledRounds[])[] => [roundsOf(config, shape, m)];
  return journalledRun<SweptResult<FoundQuality>, UnsupervisedRun>(
    provenance,
    options,
    async (finished, header) => ({
      config,
      configFile,
      provenance: header,
      trainUsers,
      testUsers: users - trainUsers,
      dimensions: shape.dimensions,
      delta,
      rounds: roundsOf(config, shape, 2).reduce((sum, { count }) => sum + count, 0),
      skippedUsers,
      results: await sweepMessages({ configFile, config, delta, roundsAt, perform }, finished, options),
    }),
  );
}

function roundsOf(
  { method }: UnsupervisedConfig,
  shape: { readonly users: number; readonly bins: number; readonly dimensions: number },
  messagesPerUser: number,
): readonly ShuffledRounds[] {
  return method.kind === 'k-means'
    ? kMeansRounds(shape, method, messagesPerUser)
    : isolationRounds(shape, method, messagesPerUser);
}

function qualityOf(
  { method, seed }: UnsupervisedConfig,
  { train, test }: { readonly train: GridPoints; readonly test: GridPoints },
  marked: Uint8Array | null,
  noisy: (part: number) => CellHistogram,
  stream: RandomStream,
): FoundQuality {
  if (method.kind === 'k-means') {
    const lossOf = (clusters: number, histogram: CellHistogram): number =>
      meanSquaredDistance(test, kMeans(train, { ...method, clusters }, histogram));
    return {
      found: lossOf(method.clusters, noisy(0)),
      exact: lossOf(method.clusters, exactHistogram),
      nothing: lossOf(1, exactHistogram),
    };
  }
  const areaOf = (histogramOf: (tree: number) => CellHistogram): number => {
    const forest = isolationForest(train, method, histogramOf, stream);
    const area = areaUnderCurve(anomalyScores(forest, test), marked!);
    if (Number.isNaN(area))
      throw new OutOfRegimeError(
        'The area under the curve',
        'outliers and others among the users who test',
        `with seed ${seed} a trial has only one kind`,
        'give more users',
      );
    return area;
  };
  return { found: areaOf(noisy), exact: areaOf(() => exactHistogram), nothing: 0.5 };
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
