/**
 * Trees and forests of a config: what the journal lacks is learnt, and everything comes back as plain data.
 */
import { ParameterError, RandomStream } from '@shuffle-dp/core';
import { forestQueries, forestRounds, sampleSize, type CategoricalTable } from '@shuffle-dp/protocols';
import { ConfigError, refusal } from '../documents/config-error.ts';
import { settleLearning, type LearningRun } from '../message-sweep/learning-split.ts';
import {
  sweepMessages,
  type MessageSweep,
  type SweepOptions,
  type SweptResult,
} from '../message-sweep/message-sweep.ts';
import { inSharedMemory } from '../pool/shared-memory.ts';
import { journalledRun } from '../run-folder/journalled-run.ts';
import type { ForestConfig } from './forest-schema.ts';
import { readTable } from './forest-table.ts';
import {
  FOREST_TASKS,
  learnForest,
  settleForest,
  type ForestSource,
  type ForestTrial,
} from './forest-tasks.ts';

export type ForestOptions = SweepOptions<ForestRun>;

/** One number of messages, all trials. */
export interface ForestResult extends Omit<SweptResult<never>, 'trials'> {
  readonly totalMessagesPerUser: number;
  readonly rounds: number;
  /** On users that were not learnt from, one per trial; the same users for all three. */
  readonly accuracies: readonly number[];
  readonly exactAccuracies: readonly number[];
  readonly majorities: readonly number[];
}

export interface ForestRun extends LearningRun<ForestConfig> {
  readonly attributes: number;
  readonly classes: number;
  /** Users whom a tree asks. */
  readonly askedUsers: number;
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
  const { loaded, split, source, provenance } = settleLearning(config, configFile, readTable, options);
  const { table } = loaded;
  checkPlan(config, table, configFile);
  const { users, classes, arities } = table;
  const sweep: MessageSweep<ForestSource, ForestTrial> = {
    configFile,
    config,
    module: FOREST_TASKS,
    sourceFor: ({ workers, wholeTasks }) => ({
      ...source,
      shape: { users, classes, arities },
      table: wholeTasks ? null : workers === 0 ? table : sharedTable(table),
    }),
    settle: settleForest,
    perform: learnForest,
  };
  const plan = provenance.configHash;
  return journalledRun<SweptResult<ForestTrial>, ForestRun>(provenance, options, async (finished, header) => {
    const swept = await sweepMessages(sweep, finished, { ...options, plan });
    return {
      ...split,
      provenance: header,
      attributes: arities.length,
      classes,
      askedUsers: sampleSize(split.trainUsers, config.sample ?? 'all'),
      results: forestResults(config, table, split.trainUsers, swept),
    };
  });
}

function forestResults(
  config: ForestConfig,
  table: CategoricalTable,
  trainUsers: number,
  swept: readonly SweptResult<ForestTrial>[],
): ForestResult[] {
  const rounds = forestQueries(table, config);
  const asked = sampleSize(trainUsers, config.sample ?? 'all') / trainUsers;
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
    forestRounds(table, { ...config, messagesPerUser: 2 }, RandomStream.fromSeed(config.seed));
  } catch (error) {
    if (error instanceof ParameterError) throw new ConfigError(`${file}: ${error.message}`);
    throw error;
  }
}

function sharedTable(table: CategoricalTable): CategoricalTable {
  const { classOf, columns } = table;
  return { ...table, classOf: inSharedMemory(classOf), columns: columns.map(inSharedMemory) };
}
