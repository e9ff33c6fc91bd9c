/** A look at one shuffle: which messages went in, and what came out. */
import type { ShuffleTrace } from '@shuffle-dp/core';
import { protocolOf, sourceOf } from './cell-tasks.ts';
import type { Cell } from './cells.ts';
import { drawData, runTrial } from './trial.ts';

/** One trial of the first cell, message by message, with a look at both sides of its shuffle. */
export function traceShuffle(cells: readonly Cell[]): ShuffleTrace[] {
  const first = cells[0]!;
  const cell: Cell = { ...first, id: `${first.id} trace`, data: { ...first.data, simulation: 'messages' } };
  const entries: ShuffleTrace[] = [];
  const data = drawData(sourceOf(cell.data), cell.data, 0);
  runTrial(cell, protocolOf(cell), data, 0, new Float64Array(cell.data.domain), 'trial', (entry) =>
    entries.push(entry),
  );
  return entries;
}
