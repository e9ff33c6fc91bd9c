/**
 * Runs the cells that are not finished yet: first what each of them is, then their trials, in ranges, on the
 * pool.
 */
import { counted } from '../words/counted.ts';
import { ConfigError } from '../documents/config-error.ts';
import type { Answer } from '../pool/answer.ts';
import { OverdueError } from '../pool/call-watch.ts';
import { forEachConcurrently, threadsFor, withPool, type PoolOptions } from '../pool/pool.ts';
import { TaskError } from '../pool/task-error.ts';
import { Turns } from '../pool/turns.ts';
import { blocksFor, cellBlocks } from '../cells/cell-blocks.ts';
import { runTrialsByBlocks } from '../trials/block-ranges.ts';
import { BLOCK_USERS, goesByBlocks } from '../trials/by-blocks.ts';
import { CELL_TASKS, callOwnModules, runTrials, type TrialsTask } from '../trials/cell-tasks.ts';
import type { TrialRange } from '../trials/trial-range.ts';
import { cellRecord, type CellAccount } from './cell-record.ts';
import { describeCells } from './describe-cells.ts';
import { accepted, type CellRunOptions, type PooledRun } from './pooled-run.ts';
import { isRefusal, type CellOutcome } from './cell-refusal.ts';
import type { Cell } from '../kinds/cell.ts';
import { Pace } from '../run-folder/checkpoints.ts';
import type { FinishedWork } from '../run-folder/journalled-run.ts';
import { cutIntoRanges, TrialProgress, type TrialState } from './trial-progress.ts';

/**
 * At equal certified privacy a cell that cannot be made is recorded with the reason, as long as another can.
 *
 * @throws ConfigError for parameters that a protocol refuses, before any trial; TaskError; the signal's
 * reason when aborted
 */
export async function runCells(
  cells: readonly Cell[],
  finished: FinishedWork<CellOutcome>,
  configFile: string,
  options: CellRunOptions,
): Promise<void> {
  const missing = cells.filter((cell) => !finished.get(cell.id));
  if (missing.length === 0) return;
  refuseWhatStaysHere(missing, configFile, options);
  const workers = threadsOf(missing, options);
  const startsAlone = options.workers === undefined;
  const pooled = { ...options, workers, watched: callOwnModules(missing), startsAlone };
  await withPool(CELL_TASKS, pooled, async (pool) => {
    const work: PooledRun = { pool, configFile, options, finished };
    const { accounts, refusals } = await describeCells(work, missing).catch((error: unknown) => {
      throw error instanceof OverdueError ? new ConfigError(`${configFile}: ${error.message}`) : error;
    });
    const isRefused = ({ id }: Cell): boolean => {
      const known = finished.get(id);
      return refusals.has(id) || (known !== undefined && isRefusal(known));
    };
    if (!options.part && cells.every(isRefused)) {
      const [first] = missing;
      accepted(refusals.get(first!.id)!, first!, configFile);
    }
    const makeable = missing.filter(({ id }) => !refusals.has(id));
    finished.add(...[...refusals].map(([cell, { refused }]) => ({ cell, refused })));
    await runBlocks(work, makeable, accounts).catch((error: unknown) => {
      // What ended without a fault in the checks may do so again: the run can go on.
      throw error instanceof OverdueError ? new TaskError(`${configFile}: ${error.message}`) : error;
    });
  });
}

/** Threads that the cells are made on. @throws ParameterError for a number that is none */
export function threadsOf(
  cells: readonly Cell[],
  { workers, onNotice }: Pick<CellRunOptions, 'workers' | 'onNotice'>,
): number {
  const tasks = cellBlocks(cells).reduce((sum, [cell]) => sum + tasksOf(cell!), 0);
  return threadsFor(workers, Math.max(cells.length, tasks), onNotice);
}

/** Tasks that may be done at once, at least: ranges of trials, or the blocks of one trial. */
export function tasksOf(cell: Cell): number {
  return goesByBlocks(cell) ? Math.ceil(cell.data.users / BLOCK_USERS) : cutIntoRanges(cell.trials).count;
}

/**
 * A module of the user's is not sent to other machines, nor are messages that stay in the memory that threads
 * share. @throws ConfigError
 */
export function refuseWhatStaysHere(
  cells: readonly Cell[],
  configFile: string,
  { executor }: Pick<PoolOptions, 'executor'>,
): void {
  if (!executor) return;
  const runsHere = (what: string): ConfigError =>
    new ConfigError(
      `${configFile}: ${what} runs on the machine that has it, not on a queue: leave out --queue, or use --shard`,
    );
  if (callOwnModules(cells)) throw runsHere('a protocol of your own module');
  const large = cells.find(goesByBlocks);
  if (large) throw runsHere(`a trial with the messages of ${counted(large.data.users, 'user')}`);
}

/** Cells that share their data, and how far each is. */
interface Block {
  readonly cells: readonly Cell[];
  readonly progress: readonly TrialProgress[];
  /** What the disk does not know yet. */
  changed: boolean;
}

async function runBlocks(
  { pool, configFile, options, finished }: PooledRun,
  cells: readonly Cell[],
  accounts: ReadonlyMap<string, CellAccount>,
): Promise<void> {
  const { signal, onProgress } = options;
  const { checkpoints } = finished;
  const states = new Map(cells.map(({ id }) => [id, checkpoints.read(id) as TrialState | null]));
  const total = cells.reduce((sum, cell) => sum + cell.trials, 0);
  let done = 0;
  let cellsDone = 0;
  const open = new Set<Block>();
  const save = (): void => {
    for (const block of open) {
      if (!block.changed) continue;
      block.cells.forEach(({ id }, i) => checkpoints.write(id, block.progress[i]!.state));
      block.changed = false;
    }
  };
  const begin = (block: readonly Cell[]): Block => {
    const progress = block.map((cell) => {
      const state = states.get(cell.id) ?? null;
      states.delete(cell.id);
      return new TrialProgress(cell.trials, cell.data.domain, state);
    });
    const begun = { cells: block, progress, changed: false };
    done += trialsDone(begun);
    open.add(begun);
    return begun;
  };
  const settle = (block: Block): void => {
    if (!open.has(block) || !block.progress.every(({ isComplete }) => isComplete)) return;
    finished.add(
      ...block.cells.map((cell, i) => cellRecord(cell, accounts.get(cell.id)!, block.progress[i]!.sum)),
    );
    cellsDone += block.cells.length;
    open.delete(block);
  };
  const pace = new Pace();
  const ending = new AbortController();
  const blocks = options.executor ? cellBlocks(cells) : blocksFor(cells, Math.max(1, pool.workers), tasksOf);
  const ranges = blocks.reduce((sum, [cell]) => sum + tasksOf(cell!), 0);
  // Trials by blocks have all threads, and memory for one.
  const turns = new Turns();
  const perform = (task: TrialsTask): Promise<Answer<readonly TrialRange[]>> =>
    goesByBlocks(task.cells[0]!)
      ? turns.take(() => runTrialsByBlocks(pool, task, { signal }))
      : pool.run(runTrials, task, isShort(task) ? ranges : 0);
  const lanes = 2 * Math.max(1, pool.workers);
  try {
    await forEachConcurrently(rangesOf(blocks, begin), lanes, signal, async ({ block, index, from, to }) => {
      const unfinished = (): { cell: Cell; progress: TrialProgress }[] =>
        block.cells
          .map((cell, i) => ({ cell, progress: block.progress[i]! }))
          .filter(({ progress }) => !progress.isWhole(index));
      for (let left = unfinished(); left.length > 0 && !ending.signal.aborted; left = unfinished()) {
        const begun = left.map(({ progress }) => progress.begun(index));
        const task: TrialsTask = {
          cells: left.map(({ cell }) => cell),
          from,
          to,
          begun,
          // What another machine found may be wrong: there each task finds it anew.
          searches: options.executor
            ? undefined
            : left.map(({ cell }) => accounts.get(cell.id)?.description.searches),
          whole: pool.wholeTasks,
        };
        // One part of the range after another: each goes on from the one before.
        // oxlint-disable-next-line no-await-in-loop
        const answer = await perform(task);
        signal?.throwIfAborted();
        const before = trialsDone(block);
        const place = 'refused' in answer ? (answer.place ?? 0) : 0;
        accepted(answer, left[place]!.cell, configFile).forEach((range, i) =>
          left[i]!.progress.put(index, range),
        );
        block.changed = true;
        done += trialsDone(block) - before;
        settle(block);
        if (pace.isDue()) pace.keep(save);
        onProgress?.({ phase: 'trials', done, total, cellsDone, cells: cells.length });
      }
      settle(block);
    });
  } catch (error) {
    ending.abort();
    keepWhatIsDone(save);
    throw error;
  }
}

/** A task ends after half a second, and the trial that it is at then: that of few users ends soon. */
function isShort({ cells: [first] }: TrialsTask): boolean {
  const { simulation, users } = first!.data;
  return users <= (simulation === 'aggregated' ? 1e6 : 1e5);
}

/** Of a run that ends early. That it ends early is what is to be told, not that this failed too. */
function keepWhatIsDone(save: () => void): void {
  try {
    save();
  } catch {
    // The next run begins at the checkpoint before.
  }
}

function trialsDone({ progress }: Block): number {
  return progress.reduce((sum, cell) => sum + cell.trialsDone, 0);
}

function* rangesOf(
  blocks: readonly (readonly Cell[])[],
  begin: (block: readonly Cell[]) => Block,
): Generator<{ readonly block: Block; readonly index: number; readonly from: number; readonly to: number }> {
  for (const blockCells of blocks) {
    const block = begin(blockCells);
    const { trials } = blockCells[0]!;
    const { size, count } = cutIntoRanges(trials);
    for (let index = 0; index < count; index++)
      yield { block, index, from: index * size, to: Math.min(trials, (index + 1) * size) };
  }
}
