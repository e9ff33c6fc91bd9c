/** Cells that share their data, in blocks: what is drawn for one cell of a block serves the others. */
import type { Cell } from '../kinds/cell.ts';

/** More cells share more drawings, and finish later: they finish together. */
export const CELLS_PER_BLOCK = 6;

/** Blocks of at most `size` cells of one data set each, in the order of the first cells of the data sets. */
export function cellBlocks(cells: readonly Cell[], size = CELLS_PER_BLOCK): Cell[][] {
  const groups = new Map<string, Cell[]>();
  for (const cell of cells) {
    const group = groups.get(cell.data.key);
    if (group) group.push(cell);
    else groups.set(cell.data.key, [cell]);
  }
  const blocks: Cell[][] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += size) blocks.push(group.slice(start, start + size));
  }
  return blocks;
}
