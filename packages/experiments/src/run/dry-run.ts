/**
 * What a run would do: its cells, what their users send, and how long it takes, by some trials of each.
 * Nothing is written.
 */
import { availableParallelism } from 'node:os';
import { ConfigError } from '../documents/config-error.ts';
import type { ExperimentConfig } from '../config/schema.ts';
import type { Cell } from '../kinds/cell.ts';
import type { Answer } from '../pool/answer.ts';
import { OverdueError } from '../pool/call-watch.ts';
import { withPool, type Pool } from '../pool/pool.ts';
import type { CellResult, RefusedCell } from '../results/run-result.ts';
import { BLOCK_USERS, goesByBlocks } from '../trials/by-blocks.ts';
import { isListed, refusedCell } from './cell-refusal.ts';
import { callOwnModules, CELL_TASKS, describeCell, runTrials } from '../trials/cell-tasks.ts';
import { planExperiment, type ExperimentPlan } from '../cells/plan-experiment.ts';

export interface DryCell extends Pick<
  CellResult,
  'cell' | 'protocol' | 'users' | 'trials' | 'messagesPerUser' | 'bitsPerUser'
> {
  readonly parameters: CellResult['sweep'];
  /** That its accounting and all its trials take on one thread, as far as some trials tell. */
  readonly seconds: number;
}

export interface DryRun {
  readonly cells: readonly DryCell[];
  /** At equal certified privacy those that cannot be made. */
  readonly refused: readonly RefusedCell[];
  /** On so many threads, if all are busy to the end. */
  readonly seconds: number;
  readonly workers: number;
  readonly notices: readonly string[];
}

/** Where nobody says how many threads there are to be: one per core. @throws ConfigError as a run would */
export async function dryRun(
  config: ExperimentConfig,
  configFile: string,
  workers = availableParallelism(),
): Promise<DryRun> {
  const plan = planExperiment(config, configFile);
  try {
    // Modules of users are called in a thread that is watched, as in a run.
    return await withPool(CELL_TASKS, { workers: 0, watched: callOwnModules(plan.cells) }, (pool) =>
      runDry(plan, configFile, workers, pool),
    );
  } catch (error) {
    throw error instanceof OverdueError ? new ConfigError(`${configFile}: ${error.message}`) : error;
  }
}

async function runDry(
  plan: ExperimentPlan,
  configFile: string,
  workers: number,
  pool: Pool,
): Promise<DryRun> {
  const cells: DryCell[] = [];
  const refused: RefusedCell[] = [];
  for (const cell of plan.cells) {
    // One after the other: they are timed.
    // oxlint-disable-next-line no-await-in-loop
    const [described, accounting] = await timed(() => pool.run(describeCell, cell));
    if ('refused' in described) {
      // The last one, where no other can be made either.
      if (!isListed(cell, described) || refused.length === plan.cells.length - 1)
        throw new ConfigError(`${configFile}: protocols[${cell.series}]: ${described.refused}`);
      refused.push(refusedCell(cell, { cell: cell.id, refused: described.refused }));
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop
    const [trial, trials] = await timedTrials(cell, pool);
    if ('refused' in trial)
      throw new ConfigError(`${configFile}: protocols[${cell.series}]: ${trial.refused}`);
    const { name, messagesPerUser, bitsPerUser } = described.value;
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
  const threads = Math.max(1, workers);
  return {
    cells,
    refused,
    seconds: cells.reduce((sum, { seconds }) => sum + seconds, 0) / threads,
    workers: threads,
    notices: plan.notices,
  };
}

async function timed<Value>(perform: () => Promise<Value>): Promise<readonly [Value, number]> {
  const start = performance.now();
  const value = await perform();
  return [value, (performance.now() - start) / 1000];
}

/** Quick trials are run on for so long: the first ones are mostly compiled. */
const ENOUGH_SECONDS = 0.05;

/**
 * What all trials of a cell take, by the last of those that are run. Where users are met by blocks, one block
 * is run, and taken as often as there are blocks.
 */
async function timedTrials(cell: Cell, pool: Pool): Promise<readonly [Answer<unknown>, number]> {
  const { trials, data } = cell;
  // A cell of fewer users of the same kind, which the compiler does not see in a spread union.
  const part = (
    goesByBlocks(cell)
      ? { ...cell, id: `${cell.id} block`, data: { ...data, key: `${data.key} block`, users: BLOCK_USERS } }
      : cell
  ) as Cell;
  for (let [from, to, spent] = [0, 1, 0]; ; [from, to] = [to, Math.min(trials, 3 * to)]) {
    const task = { cells: [part], from, to, begun: [null], whole: true };
    // Each takes up where the one before has ended.
    // oxlint-disable-next-line no-await-in-loop
    const [trial, seconds] = await timed(() => pool.run(runTrials, task));
    spent += seconds;
    if (to < trials && spent < ENOUGH_SECONDS && !('refused' in trial)) continue;
    const each = seconds / (to - from);
    return [trial, ((spent + (trials - to) * each) * data.users) / part.data.users];
  }
}
