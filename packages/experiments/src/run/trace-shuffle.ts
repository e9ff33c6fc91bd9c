/** A look at one shuffle: which messages went in, and what came out. */
import type { ShuffleTrace } from '@shuffle-dp/core';
import { withPool } from '../pool/pool.ts';
import { CELL_TASKS, callOwnModules, traceTrial } from './cell-tasks.ts';
import type { Cell } from '../kinds/cell.ts';
import { accepted } from './run-cells.ts';

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
