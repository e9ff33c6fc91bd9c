/** Cells that share their data, in blocks: what is drawn for one cell of a block serves the others. */
import { groupBy } from '@shuffle-dp/core';
import type { Cell } from '../kinds/cell.ts';
import { goesByBlocks } from '../trials/by-blocks.ts';

/** More cells share more drawings, and finish later: they finish together. */
export const CELLS_PER_BLOCK = 6;

/** Blocks that no data are drawn for twice, where that leaves threads enough to do. */
const BLOCK_SIZES = [8 * CELLS_PER_BLOCK, 4 * CELLS_PER_BLOCK, 2 * CELLS_PER_BLOCK];
const TASKS_FOR_A_THREAD = 4;

/**
 * Blocks for so many threads of one machine: the fewest that make some tasks for each. Jobs of a queue stay
 * small: machines come and go.
 * @param tasksOf a block with this cell
 */
export function blocksFor(
  cells: readonly Cell[],
  threads: number,
  tasksOf: (cell: Cell) => number,
): Cell[][] {
  const isEnough = (blocks: readonly Cell[][]): boolean =>
    blocks.reduce((sum, [cell]) => sum + tasksOf(cell!), 0) >= TASKS_FOR_A_THREAD * threads;
  for (const size of BLOCK_SIZES) {
    const blocks = cellBlocks(cells, size);
    if (isEnough(blocks)) return blocks;
  }
  return cellBlocks(cells);
}

/** Blocks of at most `size` cells of one data set each, in the order of the first cells of the data sets. */
export function cellBlocks(cells: readonly Cell[], size = CELLS_PER_BLOCK): Cell[][] {
  // Data that are met by blocks are never whole, and serve one cell alone.
  const groups = groupBy(cells, (cell) => cell.data.key + (goesByBlocks(cell) ? ' by blocks' : ''));
  const blocks: Cell[][] = [];
  for (const group of groups.values()) {
    for (let start = 0; start < group.length; start += size) blocks.push(group.slice(start, start + size));
  }
  return blocks;
}
