import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/kinds/cell.ts';
import { blocksFor, cellBlocks } from '../../src/cells/cell-blocks.ts';

/** What blocks look at, alone. */
function cellsOf(data: string, count: number): Cell[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `${data} ${i}`,
    data: { key: data, users: 100 },
    simulation: 'aggregated',
  })) as unknown as Cell[];
}

const ids = (blocks: readonly (readonly Cell[])[]): string[][] =>
  blocks.map((block) => block.map(({ id }) => id));

describe('blocks of cells', () => {
  const cells = [...cellsOf('a', 36), ...cellsOf('b', 36)];
  const sizes = (threads: number, ranges: number): number[] =>
    blocksFor(cells, threads, () => ranges).map(({ length }) => length);

  it('draw no data twice where ranges of trials are enough for all threads', () => {
    expect(sizes(2, 10)).toEqual([36, 36]);
  });

  it('are smaller for more threads, or for fewer trials, down to those of a queue', () => {
    expect(sizes(8, 10)).toEqual([24, 12, 24, 12]);
    expect(sizes(16, 11)).toEqual([12, 12, 12, 12, 12, 12]);
    expect(sizes(2, 1)).toEqual(cellBlocks(cells).map(({ length }) => length));
    expect(sizes(2, 1)).toEqual(Array.from({ length: 12 }, () => 6));
  });

  it('hold each cell once, with others of its data', () => {
    for (const threads of [1, 3, 9, 64]) {
      const blocks = blocksFor(cells, threads, () => 5);
      expect(ids(blocks).flat().toSorted()).toEqual(cells.map(({ id }) => id).toSorted());
      for (const block of blocks) expect(new Set(block.map(({ data }) => data.key)).size).toBe(1);
    }
  });
});
