/** Trees and forests of a config: what the journal lacks is learnt, and everything comes back as plain data. */
import { dirname, resolve } from 'node:path';
import { ParameterError, RandomStream } from '@shuffle-dp/core';
import {
  classifyByVote,
  correctShare,
  forestAnswers,
  forestQueries,
  forestRounds,
  majorityShare,
  sampleSize,
  splitTable,
  trainFederatedForest,
  trainForest,
  type CategoricalTable,
  type ForestPlan,
  type ShuffledRounds,
} from '@shuffle-dp/protocols';
import { ConfigError, pathText, refusal } from '../documents/config-error.ts';
import { deltaOfUsers } from '../documents/delta-of-users.ts';
import { parseCategoricalTable } from '../data/csv/categorical-table-csv.ts';
import { drawCategoricalMixture } from '../data/categorical-mixture.ts';
import { DataFileError, fileDigest, readDataFile, resolveDataPath } from '../data/data-file.ts';
import { sweepProvenance, trainUsersOf } from '../message-sweep/learning-split.ts';
import { sweepMessages, type SweepOptions, type SweptResult } from '../message-sweep/message-sweep.ts';
import { journalledRun, type FinishedWork } from '../run-folder/journalled-run.ts';
import type { JournalHeader } from '../run-folder/journal.ts';
import type { ForestConfig } from './forest-schema.ts';

export type ForestOptions = SweepOptions<ForestRun>;

/** One number of messages, all trials. */
export interface ForestResult {
  readonly cell: string;
  readonly messagesPerUser: number;
  readonly totalMessagesPerUser: number;
  readonly rounds: number;
  /** Certified upper end, over all rounds. */
  readonly epsilon: number;
  /** The target that chose the number of messages; null where it was given. */
  readonly target: number | null;
  /** On users that were not learnt from, one per trial; the same users for all three. */
  readonly accuracies: readonly number[];
  readonly exactAccuracies: readonly number[];
  readonly majorities: readonly number[];
}

export interface ForestRun {
  readonly config: ForestConfig;
  readonly configFile: string;
  readonly provenance: JournalHeader;
  readonly trainUsers: number;
  readonly testUsers: number;
  readonly attributes: number;
  readonly classes: number;
  readonly delta: number;
  /** Users of the file that are left out for missing values. */
  readonly skippedUsers: number;
  readonly results: readonly ForestResult[];
}

/**
 * Learns the forests of a config, or what the journal lacks of them; everything comes back as plain data.
 *
 * @throws ConfigError, OutputError, LockedError before any work; and the signal's reason when aborted
 */
export async function runForest(
  config: ForestConfig,
  configFile: string,
  options: ForestOptions,
): Promise<ForestRun> {
  const { table, digest, notices, skippedUsers } = loadTable(config, configFile);
  for (const notice of notices) options.onNotice?.(notice);
  const trainUsers = trainUsersOf(table.users, config.testShare);
  const delta = deltaOfUsers(config.privacy.delta, trainUsers, configFile);
  const provenance = sweepProvenance(config, digest, options.command);
  checkPlan(config, table, configFile);
  return journalledRun<SweptResult<ForestTrial>, ForestRun>(
    provenance,
    options,
    async (finished, header) => ({
      config,
      configFile,
      provenance: header,
      trainUsers,
      testUsers: table.users - trainUsers,
      attributes: table.columns.length,
      classes: table.classes,
      delta,
      skippedUsers,
      results: await learnAll({ config, configFile, table, trainUsers, delta }, finished, options),
    }),
  );
}

/** Of one trial, on users that were not learnt from. */
interface ForestTrial {
  readonly accuracy: number;
  readonly exactAccuracy: number;
  readonly majority: number;
}

/** What every point of a config shares. */
interface ForestTask {
  readonly config: ForestConfig;
  readonly configFile: string;
  readonly table: CategoricalTable;
  readonly trainUsers: number;
  readonly delta: number;
}

async function learnAll(
  { config, configFile, table, trainUsers, delta }: ForestTask,
  finished: FinishedWork<SweptResult<ForestTrial>>,
  options: ForestOptions,
): Promise<ForestResult[]> {
  const plan = planOf(config);
  const shape = { users: trainUsers, classes: table.classes, arities: table.arities };
  const stream = RandomStream.fromSeed(config.seed).fork('trial');
  const streams = Array.from({ length: config.trials }, (_, trial) => stream.fork(trial));
  // Of all trials: at each place the most that a user of one of them answers.
  const answers = streams
    .map((own) => forestAnswers(trainUsers, plan, own))
    .reduce((most, own) => most.map((times, place) => Math.max(times, own[place]!)));
  const swept = await sweepMessages<ForestTrial>(
    {
      configFile,
      config,
      delta,
      roundsAt: (messagesPerUser) =>
        distinctForests(
          streams.map((own) => forestRounds(shape, { ...plan, messagesPerUser }, own, answers)),
        ),
      perform(messagesPerUser, trial) {
        const own = streams[trial]!;
        const { train, test } = splitTable(table, trainUsers, own.fork('split'));
        const { trees } = trainFederatedForest(train, { ...plan, messagesPerUser }, own, config.simulation);
        return {
          accuracy: correctShare(classifyByVote(trees, test), test),
          exactAccuracy: correctShare(classifyByVote(trainForest(train, plan, own), test), test),
          majority: majorityShare(test),
        };
      },
    },
    finished,
    options,
  );
  const rounds = forestQueries(table, plan);
  const asked = sampleSize(trainUsers, plan.sample ?? 'all') / trainUsers;
  return swept.map(({ cell, messagesPerUser, epsilon, target, trials }) => ({
    cell,
    messagesPerUser,
    totalMessagesPerUser: messagesPerUser * rounds * asked,
    rounds,
    epsilon,
    target,
    accuracies: trials.map(({ accuracy }) => accuracy),
    exactAccuracies: trials.map(({ exactAccuracy }) => exactAccuracy),
    majorities: trials.map(({ majority }) => majority),
  }));
}

/** Heights and attributes that do not fit the table are refused before a folder is made. */
function checkPlan(config: ForestConfig, table: CategoricalTable, file: string): void {
  const attributes = table.arities.length;
  if (config.height > attributes)
    throw refusal(file, ['height'], config.height, `at most ${attributes}, the attributes of the table`);
  try {
    forestRounds(table, { ...planOf(config), messagesPerUser: 2 }, RandomStream.fromSeed(config.seed));
  } catch (error) {
    if (error instanceof ParameterError) throw new ConfigError(`${file}: ${error.message}`);
    throw error;
  }
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

function planOf(config: ForestConfig): ForestPlan {
  const { height, trees, attributesPerTree, attributeChoice, sample, minimumUsers, caution } = config;
  return {
    height,
    trees,
    ...(attributesPerTree === undefined ? {} : { attributesPerTree }),
    ...(attributeChoice === undefined ? {} : { attributeChoice }),
    ...(sample === undefined ? {} : { sample }),
    ...(minimumUsers === undefined ? {} : { minimumUsers }),
    ...(caution === undefined ? {} : { caution }),
  };
}

function loadTable(
  config: ForestConfig,
  file: string,
): {
  readonly table: CategoricalTable;
  readonly digest: string | null;
  readonly notices: readonly string[];
  readonly skippedUsers: number;
} {
  const { data } = config;
  if (data.kind === 'mixture') {
    const { users, ...mixture } = data;
    return {
      table: drawCategoricalMixture(mixture, users, RandomStream.fromSeed(config.seed).fork('data')),
      digest: null,
      notices: [],
      skippedUsers: 0,
    };
  }
  try {
    const path = resolveDataPath(data.path, dirname(resolve(file)));
    const { table, notices, skipped } = parseCategoricalTable(readDataFile(path), data.classColumn, data);
    if (table.users < 2) throw new DataFileError(path, 'has only one user: none is left to test on');
    return { table, digest: fileDigest(path), notices, skippedUsers: skipped };
  } catch (error) {
    if (error instanceof DataFileError)
      throw new ConfigError(`${file}: ${pathText(['data', 'path'])}: ${error.message}`);
    throw error;
  }
}
