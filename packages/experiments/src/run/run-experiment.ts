/** A whole run: plan the cells, run those that the journal lacks, and hand back everything as plain data. */
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ShuffleTrace } from '@shuffle-dp/core';
import { ConfigError, pathText } from '../config/config-error.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import { DataFileError, fileDigest, resolveDataPath } from '../data/data-file.ts';
import { openDataSource, truthInWords } from '../data/data-sets.ts';
import { forEachConcurrently, openPool, type Pool } from '../pool/pool.ts';
import { protocolOf, sourceOf, type TaskResult, type TrialRange } from '../pool/tasks.ts';
import { cellResult } from '../results/cell-result.ts';
import type { RunResult } from '../results/run-result.ts';
import { canonicalHash } from './canonical-json.ts';
import type { CellDescription } from './cell-protocol.ts';
import { codeVersion } from './code-version.ts';
import { parameterNames, planCells, type Cell, type SourceFacts } from './cells.ts';
import { Journal, JOURNAL_FILE, type CellRecord, type JournalHeader } from './journal.ts';
import { openOutputFolder } from './output-folder.ts';
import { drawData, runTrial } from './trial.ts';

export interface RunOptions {
  readonly out: string;
  readonly workers?: number;
  readonly resume?: boolean;
  readonly force?: boolean;
  readonly trace?: boolean;
  /** What repeats the run, for its provenance. */
  readonly command?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Something that the user should know and that stops nothing, as one line. */
  readonly onNotice?: (line: string) => void;
  /** Called with the finished run while the folder is still locked: what it writes belongs to this run alone. */
  readonly write?: (run: RunResult, out: string) => Promise<void>;
}

export interface RunProgress {
  readonly phase: 'accounting' | 'trials' | 'trainings';
  readonly done: number;
  readonly total: number;
  readonly cellsDone: number;
  readonly cells: number;
}

/** Cells that share one drawing of their data; they finish together. */
const CELLS_PER_BLOCK = 6;
/** Ranges of trials: few enough for the queue, small enough for progress. They fix the order of sums, not the workers. */
const TRIALS_PER_RANGE = 10;
const MOST_RANGES = 1000;

/** @throws ConfigError, DataFileError, OutputError, LockedError before any work; and the signal's reason when aborted */
export async function runExperiment(
  config: ExperimentConfig,
  configFile: string,
  options: RunOptions,
): Promise<RunResult> {
  const plan = planExperiment(config, configFile);
  const provenance = {
    configHash: plan.configHash,
    codeVersion: codeVersion(),
    nodeVersion: process.version,
    seed: config.seed,
    command: options.command ?? '',
  } satisfies JournalHeader;
  const folder = await openOutputFolder<CellRecord>(options.out, plan.configHash, {
    resume: options.resume ?? false,
    force: options.force ?? false,
  });
  const earlierVersion = folder.earlier?.header?.codeVersion;
  if (earlierVersion !== undefined && earlierVersion !== provenance.codeVersion) {
    options.onNotice?.(
      `${options.out}: was begun by version ${earlierVersion} of the program, this is ${provenance.codeVersion}; finished cells are kept`,
    );
  }
  try {
    const journalFile = join(folder.path, JOURNAL_FILE);
    const journal = folder.earlier
      ? Journal.continue(journalFile, folder.earlier.wholeBytes)
      : Journal.create(journalFile, provenance);
    const records = new Map(folder.earlier?.records);
    try {
      await runCells(plan.cells, records, journal, configFile, options);
    } finally {
      journal.close();
    }
    const names = parameterNames(plan.cells);
    const run: RunResult = {
      config,
      configFile,
      cells: plan.cells.map((cell) => cellResult(cell, records.get(cell.id)!)),
      provenance: { ...provenance, cores: availableParallelism() },
      adjacency: config.adjacency,
      truth: truthInWords(config.data),
      parameterColumns: names.all,
      sweptParameters: names.swept,
      ...(options.trace ? { trace: traceShuffle(plan.cells) } : {}),
    };
    await options.write?.(run, folder.path);
    return run;
  } finally {
    folder.release();
  }
}

export interface ExperimentPlan {
  readonly cells: readonly Cell[];
  /** Hash of the config and of the data it reads. */
  readonly configHash: string;
}

/** @throws ConfigError, DataFileError */
export function planExperiment(config: ExperimentConfig, configFile: string): ExperimentPlan {
  const source = sourceFacts(config, configFile);
  const { $schema: _, ...content } = config;
  const data = 'path' in config.data ? { ...config.data, path: undefined } : config.data;
  return {
    cells: planCells(config, source, configFile),
    configHash: canonicalHash({ ...content, data, fileDigest: source.fileDigest }),
  };
}

function sourceFacts(config: ExperimentConfig, configFile: string): SourceFacts {
  const { data } = config;
  try {
    const file = 'path' in data ? resolveDataPath(data.path, dirname(resolve(configFile))) : null;
    const digest = file === null ? null : fileDigest(file);
    const { domain, itemsPerUser, available } = openDataSource(data, file);
    return { domain, itemsPerUser, available, file, fileDigest: digest };
  } catch (error) {
    if (error instanceof DataFileError) throw new ConfigError(`${configFile}: data.path: ${error.message}`);
    if (error instanceof Error && error.name === 'ParameterError')
      throw new ConfigError(`${configFile}: ${error.message}`);
    throw error;
  }
}

async function runCells(
  cells: readonly Cell[],
  records: Map<string, CellRecord>,
  journal: Journal,
  configFile: string,
  options: RunOptions,
): Promise<void> {
  const missing = cells.filter((cell) => !records.has(cell.id));
  if (missing.length === 0) return;
  const signal = options.signal ?? new AbortController().signal;
  const pool = openPool(options.workers ?? availableParallelism());
  const abort = (): void => void pool.close();
  signal.addEventListener('abort', abort);
  try {
    const descriptions = await describeCells(pool, missing, configFile, signal, options);
    await runMissing(pool, missing, descriptions, configFile, signal, options, (record) => {
      journal.append(record);
      records.set(record.cell, record);
    });
  } catch (error) {
    // Whatever the pool says when it is closed under its tasks, the reason is the signal's.
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    await pool.close();
  }
}

/** Parameters and privacy of all cells come first: a cell that cannot be run is refused before any trial. */
async function describeCells(
  pool: Pool,
  cells: readonly Cell[],
  configFile: string,
  signal: AbortSignal,
  options: RunOptions,
): Promise<ReadonlyMap<string, CellDescription>> {
  const descriptions = new Map<string, CellDescription>();
  await forEachConcurrently(cells, Math.max(1, pool.workers), signal, async (cell) => {
    const result = accepted(await pool.run({ kind: 'describe', cell }), cells, configFile);
    if (result.kind === 'description') descriptions.set(cell.id, result.description);
    options.onProgress?.({
      phase: 'accounting',
      done: descriptions.size,
      total: cells.length,
      cellsDone: 0,
      cells: cells.length,
    });
  });
  return descriptions;
}

interface Block {
  readonly cells: readonly Cell[];
  /** By range, by cell. */
  readonly ranges: (readonly TrialRange[])[];
  missing: number;
}

async function runMissing(
  pool: Pool,
  cells: readonly Cell[],
  descriptions: ReadonlyMap<string, CellDescription>,
  configFile: string,
  signal: AbortSignal,
  options: RunOptions,
  finish: (record: CellRecord) => void,
): Promise<void> {
  const total = cells.reduce((sum, cell) => sum + cell.trials, 0);
  let done = 0;
  let cellsDone = 0;
  await forEachConcurrently(
    rangesOf(cells),
    2 * Math.max(1, pool.workers),
    signal,
    async ({ block, index, from, to }) => {
      const result = accepted(
        await pool.run({ kind: 'trials', cells: block.cells, from, to }),
        cells,
        configFile,
      );
      if (result.kind !== 'trials') throw new Error('a worker answered another question');
      signal.throwIfAborted();
      block.ranges[index] = result.ranges;
      block.missing--;
      if (block.missing === 0) {
        block.cells.forEach((cell, i) => {
          finish(
            cellRecord(
              cell,
              descriptions.get(cell.id)!,
              block.ranges.map((ranges) => ranges[i]!),
            ),
          );
        });
        cellsDone += block.cells.length;
        block.ranges.length = 0;
      }
      done += (to - from) * block.cells.length;
      options.onProgress?.({ phase: 'trials', done, total, cellsDone, cells: cells.length });
    },
  );
}

function* rangesOf(
  cells: readonly Cell[],
): Generator<{ readonly block: Block; readonly index: number; readonly from: number; readonly to: number }> {
  for (const sharing of groupsOf(cells)) {
    for (let start = 0; start < sharing.length; start += CELLS_PER_BLOCK) {
      const block = sharing.slice(start, start + CELLS_PER_BLOCK);
      const { trials } = block[0]!;
      const size = Math.max(TRIALS_PER_RANGE, Math.ceil(trials / MOST_RANGES));
      const count = Math.ceil(trials / size);
      const state: Block = { cells: block, ranges: [], missing: count };
      for (let index = 0; index < count; index++) {
        yield { block: state, index, from: index * size, to: Math.min(trials, (index + 1) * size) };
      }
    }
  }
}

/** Sums go in the order of the trials, whoever ran them. */
function cellRecord(cell: Cell, description: CellDescription, ranges: readonly TrialRange[]): CellRecord {
  const all = (field: 'squaredErrors' | 'populationErrors' | 'expectedErrors'): number[] =>
    ranges.flatMap((range) => [...range[field]]);
  const known = (values: number[]): number[] | null =>
    values.some((value) => Number.isNaN(value)) ? null : values;
  let biasMaxAbs = 0;
  for (let item = 0; item < cell.data.domain; item++) {
    let sum = 0;
    for (const range of ranges) sum += range.itemErrors[item]!;
    biasMaxAbs = Math.max(biasMaxAbs, Math.abs(sum / cell.trials));
  }
  return {
    cell: cell.id,
    description,
    squaredErrors: all('squaredErrors'),
    populationErrors: known(all('populationErrors')),
    expectedErrors: known(all('expectedErrors')),
    biasMaxAbs,
    seconds: ranges.reduce((sum, range) => sum + range.seconds, 0),
  };
}

/** @throws ConfigError for a refusal, in the config's own terms */
function accepted(
  result: TaskResult,
  cells: readonly Cell[],
  configFile: string,
): Exclude<TaskResult, { kind: 'refused' }> {
  if (result.kind !== 'refused') return result;
  const cell = cells.find(({ id }) => id === result.cell)!;
  throw new ConfigError(
    `${configFile}: ${pathText(['protocols', cell.series])} (${cell.spec.kind}) at ${cell.data.users} users: ${result.message}`,
  );
}

/** One trial of the first cell whose protocol sends messages, with a look at both sides of its shuffle. */
function traceShuffle(cells: readonly Cell[]): ShuffleTrace[] {
  const first = cells[0]!;
  const cell: Cell = { ...first, id: `${first.id} trace`, data: { ...first.data, simulation: 'messages' } };
  const entries: ShuffleTrace[] = [];
  const data = drawData(sourceOf(cell.data), cell.data, 0);
  runTrial(cell, protocolOf(cell), data, 0, new Float64Array(cell.data.domain), (entry) =>
    entries.push(entry),
  );
  return entries;
}

function groupsOf(cells: readonly Cell[]): Iterable<readonly Cell[]> {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const group = groups.get(cell.data.key);
    if (group) group.push(cell);
    else groups.set(cell.data.key, [cell]);
  }
  return groups.values();
}
