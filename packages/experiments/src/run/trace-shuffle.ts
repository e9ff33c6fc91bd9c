/** A look at one shuffle: which messages went in, and what came out. */
import type { ShuffleTrace } from '@shuffle-dp/core';
import { refusal } from '../documents/config-error.ts';
import { LIMITS } from '../documents/limits.ts';
import { withPool } from '../pool/pool.ts';
import { CELL_TASKS, callOwnModules, traceTrial } from '../trials/cell-tasks.ts';
import type { Cell } from '../kinds/cell.ts';
import { accepted } from './pooled-run.ts';

/** @throws ConfigError for more users than one trial can hold at once, all of whom a trace draws */
export function requireTraceable(cells: readonly Cell[], configFile: string): void {
  const { data } = cells[0]!;
  const items = 'items' in data ? data.items : 1;
  const most = Math.floor(LIMITS.drawnItems.most / items);
  if (data.users > most)
    throw refusal(configFile, ['users'], data.users, `at most ${most} for a trace, which draws every user`);
}

/** One trial of the first cell, message by message. @throws ConfigError, TaskError */
export async function traceShuffle(
  cells: readonly Cell[],
  configFile: string,
): Promise<readonly ShuffleTrace[]> {
  const first = cells[0]!;
  const data = { ...first.data, simulation: 'messages' };
  // Of the same kind as before, which the compiler does not see in a spread union.
  const cell = { ...first, id: `${first.id} trace`, data } as Cell;
  const options = { workers: 0, watched: callOwnModules([cell]) };
  const answer = await withPool(CELL_TASKS, options, (pool) => pool.run(traceTrial, cell));
  return accepted(answer, cell, configFile);
}
