/** Parameters and privacy of a run's cells, from the pool or from runs that found them before. */
import type { Cell } from '../kinds/cell.ts';
import type { Refusal } from '../pool/answer.ts';
import { forEachConcurrently } from '../pool/pool.ts';
import { Pace } from '../run-folder/checkpoints.ts';
import type { CellDescription } from '../trials/cell-protocol.ts';
import { describeCell } from '../trials/cell-tasks.ts';
import { isListed } from './cell-refusal.ts';
import { keptAccounts } from './kept-accounts.ts';
import { accepted, type PooledRun } from './pooled-run.ts';
import type { CellAccount } from './cell-record.ts';
import { accountName, replacedAccounts } from './replaced-accounts.ts';

/** The piece that checkpoints keep the descriptions of cells under. */
const DESCRIPTIONS = 'descriptions';

interface DescribedCells {
  readonly accounts: ReadonlyMap<string, CellAccount>;
  /** Of those that are to be listed. */
  readonly refusals: ReadonlyMap<string, Refusal>;
}

/**
 * Each thread compiles the code of accounts anew, which takes as long as dozens of accounts: two threads are
 * no quicker than the one that is there, for the first seconds.
 */
const FEW_THREADS = 2;

/** Parameters and privacy of all cells come first: a cell that cannot be run is refused before any trial. */
export async function describeCells(
  { pool, configFile, options, finished }: PooledRun,
  cells: readonly Cell[],
): Promise<DescribedCells> {
  const { signal, onProgress } = options;
  const { checkpoints } = finished;
  const kept = checkpoints.read(DESCRIPTIONS) as Readonly<Record<string, CellDescription>> | null;
  // Which code wrote a checkpoint is known by its version alone.
  const accounts = new Map<string, CellAccount>();
  for (const [id, description] of Object.entries(kept ?? {}))
    accounts.set(id, { description, account: null });
  const replaced = replacedAccounts(options.out);
  const shared = keptAccounts(options.keptAccounts ?? null);
  for (const cell of cells) {
    const account = accountName(cell);
    const description = account === null ? undefined : (replaced.get(account) ?? shared.get(account));
    if (description && !accounts.has(cell.id)) accounts.set(cell.id, { description, account });
  }
  const save = (): void => {
    const known = [...accounts].map(([id, { description }]) => [id, description] as const);
    checkpoints.write(DESCRIPTIONS, Object.fromEntries(known));
  };
  const refusals = new Map<string, Refusal>();
  const pace = new Pace();
  const open = cells.filter(({ id }) => !accounts.has(id));
  let done = cells.length - open.length;
  const shortTasks = pool.workers <= FEW_THREADS ? null : 0;
  await forEachConcurrently(open, Math.max(1, pool.workers), signal, async (cell) => {
    const answer = await pool.run(describeCell, cell, shortTasks);
    // What another machine answers may be found wrong later, and the run replaced for it.
    const account = options.executor ? null : accountName(cell);
    if ('refused' in answer && isListed(cell, answer)) refusals.set(cell.id, answer);
    else accounts.set(cell.id, { description: accepted(answer, cell, configFile), account });
    if ('value' in answer && account !== null) shared.keep(account, answer.value);
    if (pace.isDue()) pace.keep(save);
    onProgress?.({
      phase: 'accounting',
      done: ++done,
      total: cells.length,
      cellsDone: 0,
      cells: cells.length,
    });
  });
  return { accounts, refusals };
}
