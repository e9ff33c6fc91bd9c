/** Cells that share their data, in blocks: what is drawn for one cell of a block serves the others. */
import type { Cell } from '../kinds/cell.ts';
import { goesByBlocks } from './by-blocks.ts';

/** More cells share more drawings, and finish later: they finish together. */
export const CELLS_PER_BLOCK = 6;

/** Blocks of at most `size` cells of one data set each, in the order of the first cells of the data sets. */
export function cellBlocks(cells: readonly Cell[], size = CELLS_PER_BLOCK): Cell[][] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    // Data that are met by blocks are never whole, and serve one cell alone.
    const key = goesByBlocks(cell) ? `${cell.data.key} by blocks` : cell.data.key;
    const group = groups.get(key);
    if (group) group.push(cell);
    else groups.set(key, [cell]);
  }
  const blocks: Cell[][] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += size) blocks.push(group.slice(start, start + size));
  }
  return blocks;
}
