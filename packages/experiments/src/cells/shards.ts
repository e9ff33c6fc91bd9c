/** Which cells a shard of a run has. */
import type { Shard } from '../run-folder/shard.ts';
import { CELLS_PER_BLOCK, cellBlocks } from './cell-blocks.ts';
import type { Cell } from '../kinds/cell.ts';

/**
 * The cells of one shard, in the order of the plan. Every cell is in exactly one of the `count` shards,
 * whichever of them are run. Blocks of cells that share their data go, one after the other, to the shard with
 * the fewest cells so far: that spreads the dear data sets of a sweep. Blocks are small enough that no shard
 * is empty unless shards outnumber cells.
 */
export function shardCells(cells: readonly Cell[], { index, count }: Shard): Cell[] {
  const size = Math.max(1, Math.min(CELLS_PER_BLOCK, Math.floor(cells.length / count)));
  const shards = Array.from({ length: count }, () => new Set<Cell>());
  for (const block of cellBlocks(cells, size)) {
    const least = shards.reduce((fewest, shard) => (shard.size < fewest.size ? shard : fewest));
    for (const cell of block) least.add(cell);
  }
  return cells.filter((cell) => shards[index - 1]!.has(cell));
}
