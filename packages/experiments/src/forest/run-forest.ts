/** Trees and forests of a config: what the journal lacks is learnt, and everything comes back as plain data. */
import { dirname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { OutOfRegimeError, ParameterError, RandomStream } from '@shuffle-dp/core';
import {
  classifyByVote,
  correctShare,
  forestAnswers,
  forestQueries,
  forestRounds,
  leastMessagesPerUser,
  majorityShare,
  sampleSize,
  splitTable,
  trainFederatedForest,
  trainForest,
  worstForestEpsilon,
  type CategoricalTable,
  type FederatedForestPlan,
  type ForestPlan,
  type ShuffledRounds,
} from '@shuffle-dp/protocols';
import { ConfigError, pathText, refusal } from '../config/config-error.ts';
import { parseCategoricalTable } from '../data/csv/categorical-table-csv.ts';
import { drawCategoricalMixture } from '../data/categorical-mixture.ts';
import { DataFileError, fileDigest, readDataFile, resolveDataPath } from '../data/data-file.ts';
import { taskError } from '../pool/task-error.ts';
import { canonicalHash } from '../run-folder/canonical-json.ts';
import { Pace, type Checkpoints } from '../run-folder/checkpoints.ts';
import { DiskError } from '../run-folder/disk-error.ts';
import {
  journalledRun,
  provenanceOf,
  type FinishedWork,
  type JournalledRunOptions,
} from '../run-folder/journalled-run.ts';
import type { JournalEntry, JournalHeader } from '../run-folder/journal.ts';
import { forestDelta, type ForestConfig } from './forest-schema.ts';

export interface ForestOptions extends JournalledRunOptions<ForestRun> {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** One number of messages, all trials. */
export interface ForestResult extends JournalEntry {
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

/** Far above what an accuracy tells apart, and a tenth of the time. */
const WIDTH = { relativeWidth: 1e-3 };

/** @throws ConfigError, OutputError, LockedError before any work; and the signal's reason when aborted */
export async function runForest(
  config: ForestConfig,
  configFile: string,
  options: ForestOptions,
): Promise<ForestRun> {
  const { table, digest, notices, skippedUsers } = loadTable(config, configFile);
  for (const notice of notices) options.onNotice?.(notice);
  const trainUsers = Math.max(1, Math.min(table.users - 1, Math.round(table.users * (1 - config.testShare))));
  const delta = forestDelta(config, trainUsers, configFile);
  const data = { ...config.data, path: undefined };
  const provenance = provenanceOf(
    canonicalHash({ ...config, $schema: undefined, data, digest }),
    config.seed,
    options.command,
  );
  checkPlan(config, table, configFile);
  return journalledRun<ForestResult, ForestRun>(provenance, options, async (finished, header) => ({
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
  }));
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
  task: ForestTask,
  finished: FinishedWork<ForestResult>,
  options: ForestOptions,
): Promise<ForestResult[]> {
  const points = sweptPoints(task.config);
  try {
    for (const [index, point] of points.entries()) {
      options.signal?.throwIfAborted();
      // One after the other: each takes a core.
      // oxlint-disable-next-line no-await-in-loop
      if (!finished.get(point.cell))
        finished.add(await learnAt(task, point, finished.checkpoints, options.signal));
      options.onProgress?.(index + 1, points.length);
    }
  } catch (error) {
    if (error instanceof ParameterError || error instanceof OutOfRegimeError)
      throw new ConfigError(`${task.configFile}: ${error.message}`);
    options.signal?.throwIfAborted();
    throw error instanceof DiskError ? error : taskError(error);
  }
  return points.map(({ cell }) => finished.get(cell)!);
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

interface SweptPoint {
  readonly cell: string;
  readonly messagesPerUser?: number;
  readonly epsilon?: number;
}

function sweptPoints({ messagesPerUser, epsilon }: ForestConfig): SweptPoint[] {
  const list = (value: number | readonly number[] | undefined): readonly number[] =>
    value === undefined ? [] : typeof value === 'number' ? [value] : value;
  return [
    ...list(messagesPerUser).map((messages) => ({ cell: `m = ${messages}`, messagesPerUser: messages })),
    ...list(epsilon).map((target) => ({ cell: `epsilon = ${target}`, epsilon: target })),
  ];
}

/** What is known of a point before all its trials are done. */
interface BegunPoint {
  readonly messagesPerUser: number;
  readonly epsilon: number;
  readonly accuracies: number[];
  readonly exactAccuracies: number[];
  readonly majorities: number[];
}

async function learnAt(
  { config, table, trainUsers, delta }: ForestTask,
  point: SweptPoint,
  checkpoints: Checkpoints,
  signal: AbortSignal | undefined,
): Promise<ForestResult> {
  const stream = RandomStream.fromSeed(config.seed);
  const plan = planOf(config);
  const shape = { users: trainUsers, classes: table.classes, arities: table.arities };
  const trials = Array.from({ length: config.trials }, (_, trial) => stream.fork('trial').fork(trial));
  // Of all trials: at each place the most that a user of one of them answers.
  const answers = trials
    .map((own) => forestAnswers(trainUsers, plan, own))
    .reduce((most, own) => most.map((times, place) => Math.max(times, own[place]!)));
  const forestsAt = (messagesPerUser: number) =>
    distinctForests(trials.map((own) => forestRounds(shape, { ...plan, messagesPerUser }, own, answers)));
  const pace = new Pace();
  const begun = (checkpoints.read(point.cell) as BegunPoint | null) ?? begin();
  const { messagesPerUser, epsilon, accuracies, exactAccuracies, majorities } = begun;
  const save = (): void => checkpoints.write(point.cell, begun);
  if (pace.isDue()) pace.keep(save);
  for (let trial = accuracies.length; trial < config.trials; trial++) {
    // Lets Ctrl-C and progress through.
    // oxlint-disable-next-line no-await-in-loop
    await setImmediate();
    signal?.throwIfAborted();
    const own = stream.fork('trial').fork(trial);
    const { train, test } = splitTable(table, trainUsers, own.fork('split'));
    const federatedPlan: FederatedForestPlan = { ...plan, messagesPerUser };
    const { trees } = trainFederatedForest(train, federatedPlan, own, config.simulation);
    accuracies.push(correctShare(classifyByVote(trees, test), test));
    exactAccuracies.push(correctShare(classifyByVote(trainForest(train, plan, own), test), test));
    majorities.push(majorityShare(test));
    if (pace.isDue()) pace.keep(save);
  }
  const rounds = forestQueries(table, plan);
  return {
    cell: point.cell,
    messagesPerUser,
    totalMessagesPerUser:
      (messagesPerUser * rounds * sampleSize(trainUsers, plan.sample ?? 'all')) / trainUsers,
    rounds,
    epsilon,
    target: point.epsilon ?? null,
    accuracies,
    exactAccuracies,
    majorities,
  };

  function begin(): BegunPoint {
    const least = point.messagesPerUser ?? leastMessagesPerUser(forestsAt, point.epsilon!, delta, WIDTH);
    const proved = worstForestEpsilon(forestsAt(least), delta, WIDTH);
    return {
      messagesPerUser: least,
      epsilon: proved,
      accuracies: [],
      exactAccuracies: [],
      majorities: [],
    };
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
