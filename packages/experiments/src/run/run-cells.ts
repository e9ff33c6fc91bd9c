/** Runs the cells that are not finished yet: first what each of them is, then their trials, in ranges, on the pool. */
import { availableParallelism } from 'node:os';
import { ConfigError, pathText } from '../config/config-error.ts';
import { forEachConcurrently, openPool, type Pool } from '../pool/pool.ts';
import type { TaskResult, TrialRange } from '../pool/tasks.ts';
import { cellBlocks } from './cell-blocks.ts';
import type { CellDescription } from './cell-protocol.ts';
import { cellRecord, type CellRecord } from './cell-record.ts';
import type { Cell } from './cells.ts';
import type { FinishedWork } from './journalled-run.ts';

export interface CellRunOptions {
  /** Worker threads; 0 runs in the calling one. By default one per core. */
  readonly workers?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

export interface RunProgress {
  readonly phase: 'accounting' | 'trials' | 'trainings';
  readonly done: number;
  readonly total: number;
  readonly cellsDone: number;
  readonly cells: number;
}

/** Ranges of trials: few enough for the queue, small enough for progress. They fix the order of sums, not the workers. */
const TRIALS_PER_RANGE = 10;
const MOST_RANGES = 1000;

/** @throws ConfigError for parameters that a protocol refuses, before any trial; TaskError; the signal's reason when aborted */
export async function runCells(
  cells: readonly Cell[],
  finished: FinishedWork<CellRecord>,
  configFile: string,
  options: CellRunOptions,
): Promise<void> {
  const missing = cells.filter((cell) => !finished.get(cell.id));
  if (missing.length === 0) return;
  const signal = options.signal ?? new AbortController().signal;
  const pool = openPool(options.workers ?? availableParallelism());
  const abort = (): void => void pool.close();
  signal.addEventListener('abort', abort);
  try {
    const descriptions = await describeCells(pool, missing, configFile, signal, options);
    await runTrials(pool, missing, descriptions, configFile, signal, options, finished);
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
  { onProgress }: CellRunOptions,
): Promise<ReadonlyMap<string, CellDescription>> {
  const descriptions = new Map<string, CellDescription>();
  await forEachConcurrently(cells, Math.max(1, pool.workers), signal, async (cell) => {
    const result = accepted(await pool.run({ kind: 'describe', cell }), cells, configFile);
    if (result.kind === 'description') descriptions.set(cell.id, result.description);
    onProgress?.({
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

async function runTrials(
  pool: Pool,
  cells: readonly Cell[],
  descriptions: ReadonlyMap<string, CellDescription>,
  configFile: string,
  signal: AbortSignal,
  { onProgress }: CellRunOptions,
  finished: FinishedWork<CellRecord>,
): Promise<void> {
  const total = cells.reduce((sum, cell) => sum + cell.trials, 0);
  let done = 0;
  let cellsDone = 0;
  const lanes = 2 * Math.max(1, pool.workers);
  await forEachConcurrently(rangesOf(cells), lanes, signal, async ({ block, index, from, to }) => {
    const task = { kind: 'trials', cells: block.cells, from, to } as const;
    const result = accepted(await pool.run(task), cells, configFile);
    if (result.kind !== 'trials') throw new Error('a worker answered another question');
    signal.throwIfAborted();
    block.ranges[index] = result.ranges;
    block.missing--;
    if (block.missing === 0) {
      block.cells.forEach((cell, i) => {
        const ranges = block.ranges.map((cellRanges) => cellRanges[i]!);
        finished.add(cellRecord(cell, descriptions.get(cell.id)!, ranges));
      });
      cellsDone += block.cells.length;
      block.ranges.length = 0;
    }
    done += (to - from) * block.cells.length;
    onProgress?.({ phase: 'trials', done, total, cellsDone, cells: cells.length });
  });
}

function* rangesOf(
  cells: readonly Cell[],
): Generator<{ readonly block: Block; readonly index: number; readonly from: number; readonly to: number }> {
  for (const block of cellBlocks(cells)) {
    const { trials } = block[0]!;
    const size = Math.max(TRIALS_PER_RANGE, Math.ceil(trials / MOST_RANGES));
    const count = Math.ceil(trials / size);
    const state: Block = { cells: block, ranges: [], missing: count };
    for (let index = 0; index < count; index++) {
      yield { block: state, index, from: index * size, to: Math.min(trials, (index + 1) * size) };
    }
  }
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
