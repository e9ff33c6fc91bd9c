/** Runs the cells that are not finished yet: first what each of them is, then their trials, in ranges, on the pool. */
import { counted } from '../config/counted.ts';
import { ConfigError, pathText } from '../config/config-error.ts';
import type { Answer } from '../pool/answer.ts';
import { OverdueError } from '../pool/call-watch.ts';
import { forEachConcurrently, withPool, type Pool, type PoolOptions } from '../pool/pool.ts';
import { TaskError } from '../pool/task-error.ts';
import { cellBlocks } from './cell-blocks.ts';
import type { CellDescription } from './cell-protocol.ts';
import { CELL_TASKS, callOwnModules, describeCell, runTrials, type TrialRange } from './cell-tasks.ts';
import { cellRecord, type CellRecord } from './cell-record.ts';
import type { Cell } from './cells.ts';
import type { FinishedWork } from '../run-folder/journalled-run.ts';

export interface CellRunOptions extends PoolOptions {
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
  await withPool(CELL_TASKS, { ...options, watched: callOwnModules(missing) }, async (pool) => {
    const descriptions = await describeCells(pool, missing, configFile, options).catch((error: unknown) => {
      throw error instanceof OverdueError ? new ConfigError(`${configFile}: ${error.message}`) : error;
    });
    await runBlocks(pool, missing, descriptions, configFile, options, finished).catch((error: unknown) => {
      // What ended without a fault in the checks may do so again: the run can go on.
      throw error instanceof OverdueError ? new TaskError(`${configFile}: ${error.message}`) : error;
    });
  });
}

/** Parameters and privacy of all cells come first: a cell that cannot be run is refused before any trial. */
async function describeCells(
  pool: Pool,
  cells: readonly Cell[],
  configFile: string,
  { signal, onProgress }: CellRunOptions,
): Promise<ReadonlyMap<string, CellDescription>> {
  const descriptions = new Map<string, CellDescription>();
  await forEachConcurrently(cells, Math.max(1, pool.workers), signal, async (cell) => {
    const answer = await pool.run(describeCell, cell);
    descriptions.set(cell.id, accepted(answer, cell, configFile));
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

async function runBlocks(
  pool: Pool,
  cells: readonly Cell[],
  descriptions: ReadonlyMap<string, CellDescription>,
  configFile: string,
  { signal, onProgress }: CellRunOptions,
  finished: FinishedWork<CellRecord>,
): Promise<void> {
  const total = cells.reduce((sum, cell) => sum + cell.trials, 0);
  let done = 0;
  let cellsDone = 0;
  const lanes = 2 * Math.max(1, pool.workers);
  await forEachConcurrently(rangesOf(cells), lanes, signal, async ({ block, index, from, to }) => {
    const answer = await pool.run(runTrials, { cells: block.cells, from, to });
    signal?.throwIfAborted();
    block.ranges[index] = accepted(answer, block.cells[0]!, configFile);
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
export function accepted<Value>(
  answer: Answer<Value>,
  { series, spec, data }: Cell,
  configFile: string,
): Value {
  if ('value' in answer) return answer.value;
  throw new ConfigError(
    `${configFile}: ${pathText(['protocols', series])} (${spec.kind}) at ${counted(data.users, 'user')}: ${answer.refused}`,
  );
}
