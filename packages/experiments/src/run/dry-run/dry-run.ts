/**
 * What a run would do: its cells, what their users send, and how long it takes, by some trials of each.
 * Nothing is written but accounts that runs share, where they are to be kept.
 */
import { availableParallelism } from 'node:os';
import { ConfigError } from '../../documents/config-error.ts';
import type { ExperimentConfig } from '../../config/schema.ts';
import type { Cell } from '../../kinds/cell.ts';
import type { Answer } from '../../pool/answer.ts';
import { OverdueError } from '../../pool/call-watch.ts';
import { withPool, type Pool } from '../../pool/pool.ts';
import type { CellResult, RefusedCell } from '../../results/run-result.ts';
import { BLOCK_USERS, goesByBlocks } from '../../trials/by-blocks.ts';
import type { CellDescription } from '../../trials/cell-protocol.ts';
import { expectedSeconds } from './expected-seconds.ts';
import { isListed, refusedCell } from '../cell-refusal.ts';
import { keptAccounts, type KeptAccounts } from '../kept-accounts.ts';
import { accepted } from '../pooled-run.ts';
import { threadsOf } from '../run-cells.ts';
import { accountName } from '../replaced-accounts.ts';
import { callOwnModules, CELL_TASKS, describeCell, runTrials } from '../../trials/cell-tasks.ts';
import { planExperiment, type ExperimentPlan } from '../../cells/plan-experiment.ts';

export interface DryCell extends Pick<
  CellResult,
  'cell' | 'protocol' | 'users' | 'trials' | 'messagesPerUser' | 'bitsPerUser'
> {
  readonly parameters: CellResult['sweep'];
  /**
   * That all its trials take on one thread, as far as some trials tell, and its accounting, where that is not
   * kept for the run.
   */
  readonly seconds: number;
}

export interface DryRun {
  readonly cells: readonly DryCell[];
  /** At equal certified privacy those that cannot be made. */
  readonly refused: readonly RefusedCell[];
  /** If all cores that threads are for are busy to the end. */
  readonly seconds: number;
  /** Threads. */
  readonly workers: number;
  readonly notices: readonly string[];
}

export interface DryRunOptions {
  /** Threads that the run would have; one per core by default. */
  readonly workers?: number | undefined;
  /** Folder of accounts that runs share: what is there is not accounted for, and the rest is put there. */
  readonly keptAccounts?: string | undefined;
}

/**
 * Accounts for the cells of a config one after the other, and times some trials of each.
 * @throws ConfigError as a run would
 */
export async function dryRun(
  config: ExperimentConfig,
  configFile: string,
  { workers, keptAccounts: folder }: DryRunOptions = {},
): Promise<DryRun> {
  const plan = planExperiment(config, configFile);
  const notices = [...plan.notices];
  const threads = Math.max(1, threadsOf(plan.cells, { workers, onNotice: (line) => notices.push(line) }));
  const kept = keptAccounts(folder ?? null);
  try {
    // Modules of users are called in a thread that is watched, as in a run.
    return await withPool(CELL_TASKS, { workers: 0, watched: callOwnModules(plan.cells) }, (pool) =>
      runDry(plan, configFile, { pool, kept, threads, notices }),
    );
  } catch (error) {
    throw error instanceof OverdueError ? new ConfigError(`${configFile}: ${error.message}`) : error;
  }
}

interface DryMeans {
  readonly pool: Pool;
  readonly kept: KeptAccounts;
  /** That a run would have. */
  readonly threads: number;
  readonly notices: readonly string[];
}

async function runDry(
  plan: ExperimentPlan,
  configFile: string,
  { pool, kept, threads, notices }: DryMeans,
): Promise<DryRun> {
  const cells: DryCell[] = [];
  const refused: RefusedCell[] = [];
  for (const cell of plan.cells) {
    // One after the other: they are timed.
    // oxlint-disable-next-line no-await-in-loop
    const [described, accounting] = await timedAccount(cell, pool, kept);
    if ('refused' in described && isListed(cell, described)) {
      refused.push(refusedCell(cell, { cell: cell.id, refused: described.refused }));
      continue;
    }
    const { name, messagesPerUser, bitsPerUser } = accepted(described, cell, configFile);
    // oxlint-disable-next-line no-await-in-loop
    const trials = await trialSeconds(cell, pool, configFile);
    cells.push({
      cell: cell.id,
      protocol: name,
      users: cell.data.users,
      trials: cell.trials,
      parameters: cell.sweep,
      messagesPerUser,
      bitsPerUser,
      seconds: accounting + trials,
    });
  }
  // Where no cell can be made the first one says why, as in a run.
  if (cells.length === 0) accepted({ refused: refused[0]!.why }, plan.cells[0]!, configFile);
  return {
    cells,
    refused,
    // More threads than cores take turns.
    seconds: cells.reduce((sum, { seconds }) => sum + seconds, 0) / Math.min(threads, availableParallelism()),
    workers: threads,
    notices,
  };
}

/** Takes no time where the run will find it. */
async function timedAccount(
  cell: Cell,
  pool: Pool,
  kept: KeptAccounts,
): Promise<readonly [Answer<CellDescription>, number]> {
  const account = accountName(cell);
  const known = account === null ? undefined : kept.get(account);
  if (known) return [{ value: known }, 0];
  const [described, seconds] = await timed(() => pool.run(describeCell, cell));
  const isKept = account !== null && 'value' in described && kept.keep(account, described.value);
  return [described, isKept ? 0 : seconds];
}

async function timed<Value>(perform: () => Promise<Value>): Promise<readonly [Value, number]> {
  const start = performance.now();
  const value = await perform();
  return [value, (performance.now() - start) / 1000];
}

/**
 * What all trials of a cell take. Where users are met by blocks, one block is run, and taken as often as
 * there are blocks. @throws ConfigError
 */
async function trialSeconds(cell: Cell, pool: Pool, configFile: string): Promise<number> {
  const { trials, data } = cell;
  // A cell of fewer users of the same kind, which the compiler does not see in a spread union.
  const part = (
    goesByBlocks(cell)
      ? { ...cell, id: `${cell.id} block`, data: { ...data, key: `${data.key} block`, users: BLOCK_USERS } }
      : cell
  ) as Cell;
  const ofPart = await expectedSeconds(trials, async (from, to) => {
    const task = { cells: [part], from, to, begun: [null], whole: true };
    const [answer, seconds] = await timed(() => pool.run(runTrials, task));
    accepted(answer, cell, configFile);
    return seconds;
  });
  return (ofPart * data.users) / part.data.users;
}
