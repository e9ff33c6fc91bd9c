/**
 * What a thread of the pool, or another machine, does for `shuffle-dp unsupervised`: settle a number of
 * messages, or learn and test once.
 */
import { OutOfRegimeError, type RandomStream } from '@shuffle-dp/core';
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
import { readOnce, trialStream, type LearningSource } from '../message-sweep/learning-source.ts';
import {
  settledPoint,
  type PointTask,
  type SettledPoint,
  type TrialTask,
} from '../message-sweep/message-sweep.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import { readPoints, type LoadedPoints } from './unsupervised-data.ts';
import type { UnsupervisedConfig } from './unsupervised-schema.ts';

/** The module of these tasks, for a pool. */
export const UNSUPERVISED_TASKS = import.meta.url;

/** What all tasks of a config share. */
export interface UnsupervisedSource extends LearningSource<UnsupervisedConfig, GridShape> {
  /** In shared memory; null for another machine, which has points of its own. */
  readonly data: Pick<LoadedPoints, 'points' | 'marked'> | null;
}

interface GridShape {
  readonly users: number;
  readonly bins: number;
  readonly dimensions: number;
}

/** What a trial found, on users that were not learnt from; see `MEASURES`. */
export interface FoundQuality {
  readonly found: number;
  /** From the same users without privacy. */
  readonly exact: number;
  /** Without learning anything: of one centre; of a coin. */
  readonly nothing: number;
}

export function settleRounds({ source, asked }: PointTask<UnsupervisedSource>): Answer<SettledPoint> {
  const { config, shape, trainUsers, delta } = source;
  return settledPoint(asked, delta, (messagesPerUser) => [
    roundsOf(config, { ...shape, users: trainUsers }, messagesPerUser),
  ]);
}

export function learnUnsupervised({
  source,
  messagesPerUser,
  trial,
}: TrialTask<UnsupervisedSource>): Answer<FoundQuality> {
  return answerOf(() => {
    const { config, shape, trainUsers } = source;
    const { points, marked } = dataOf(source);
    const own = trialStream(config, trial);
    const who = Uint32Array.from({ length: shape.users }, (_, user) => user);
    const { user } = shuffle({ columns: { user: who }, count: shape.users }, own.fork('split')).columns;
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
  });
}

const readPointsOnce = readOnce(readPoints, 'points');

/** @throws DataFileError where the file here is another */
function dataOf(source: UnsupervisedSource): Pick<LoadedPoints, 'points' | 'marked'> {
  return source.data ?? readPointsOnce(source);
}

export function roundsOf(
  { method }: UnsupervisedConfig,
  shape: GridShape,
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
