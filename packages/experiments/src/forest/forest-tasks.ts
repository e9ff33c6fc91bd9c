/**
 * What a thread of the pool, or another machine, does for `shuffle-dp forest`: settle a number of messages,
 * or learn and test one forest.
 */
import {
  classifyByVote,
  correctShare,
  forestAnswers,
  forestRounds,
  majorityShare,
  splitTable,
  trainFederatedForest,
  trainForest,
  type CategoricalTable,
  type ShuffledRounds,
} from '@shuffle-dp/protocols';
import { readOnce, trialStream, type LearningSource } from '../message-sweep/learning-source.ts';
import {
  settledPoint,
  type PointTask,
  type SettledPoint,
  type TrialTask,
} from '../message-sweep/message-sweep.ts';
import { answerOf, type Answer } from '../pool/answer.ts';
import type { ForestConfig } from './forest-schema.ts';
import { readTable } from './forest-table.ts';

/** The module of these tasks, for a pool. */
export const FOREST_TASKS = import.meta.url;

/** What all tasks of a config share. */
export interface ForestSource extends LearningSource<
  ForestConfig,
  Pick<CategoricalTable, 'users' | 'classes' | 'arities'>
> {
  /** In shared memory; null for another machine, which has a table of its own. */
  readonly table: CategoricalTable | null;
}

/** Of one trial, on users that were not learnt from. */
export interface ForestTrial {
  readonly accuracy: number;
  readonly exactAccuracy: number;
  readonly majority: number;
}

export function settleForest({ source, asked }: PointTask<ForestSource>): Answer<SettledPoint> {
  const { config, shape, trainUsers, delta } = source;
  const learntFrom = { ...shape, users: trainUsers };
  const streams = Array.from({ length: config.trials }, (_, trial) => trialStream(config, trial));
  // Of all trials: at each place the most that a user of one of them answers.
  const answers = streams
    .map((own) => forestAnswers(trainUsers, config, own))
    .reduce((most, own) => most.map((times, place) => Math.max(times, own[place]!)));
  return settledPoint(asked, delta, (messagesPerUser) =>
    distinctForests(
      streams.map((own) => forestRounds(learntFrom, { ...config, messagesPerUser }, own, answers)),
    ),
  );
}

export function learnForest({
  source,
  messagesPerUser,
  trial,
}: TrialTask<ForestSource>): Answer<ForestTrial> {
  return answerOf(() => {
    const { config, trainUsers } = source;
    const own = trialStream(config, trial);
    const { train, test } = splitTable(tableOf(source), trainUsers, own.fork('split'));
    const { trees } = trainFederatedForest(train, { ...config, messagesPerUser }, own, config.simulation);
    return {
      accuracy: correctShare(classifyByVote(trees, test), test),
      exactAccuracy: correctShare(classifyByVote(trainForest(train, config, own), test), test),
      majority: majorityShare(test),
    };
  });
}

const readTableOnce = readOnce(readTable, 'table');

/** @throws DataFileError where the file here is another */
function tableOf(source: ForestSource): CategoricalTable {
  return source.table ?? readTableOnce(source).table;
}

/** Trials ask other attributes; where these have as many values, they have the same rounds. */
function distinctForests(
  forests: readonly (readonly ShuffledRounds[])[],
): readonly (readonly ShuffledRounds[])[] {
  const alike = (rounds: readonly ShuffledRounds[]): string =>
    rounds
      .map(({ pair, users, count }) => [pair.q, users, count].join())
      .sort()
      .join(' ');
  return [...new Map(forests.map((rounds) => [alike(rounds), rounds])).values()];
}
