import { describe, expect, test } from 'vitest';
import { canonicalRuns, hierarchy, nodeSums } from '../../src/range-queries/hierarchy.ts';

const SHAPES = [
  [2, 2],
  [8, 2],
  [13, 2],
  [9, 3],
  [23, 3],
  [16, 4],
  [5, 7],
] as const;

function rangesOf(domain: number): { from: number; to: number }[] {
  return Array.from({ length: domain }, (_, from) =>
    Array.from({ length: domain - from }, (__, i) => ({ from, to: from + i + 1 })),
  ).flat();
}

describe('a hierarchy', () => {
  test('has levels of at least two nodes, leaves first', () => {
    expect(hierarchy(8, 2).levels.map(({ nodes }) => nodes)).toEqual([8, 4, 2]);
    expect(hierarchy(13, 2).levels.map(({ nodes }) => nodes)).toEqual([13, 7, 4, 2]);
    expect(hierarchy(27, 3).levels.map(({ width }) => width)).toEqual([1, 3, 9]);
    expect(hierarchy(5, 7).levels).toEqual([{ width: 1, nodes: 5 }]);
    expect(() => hierarchy(1, 2)).toThrow('domain = 1: must be an integer of at least 2');
    expect(() => hierarchy(4, 1)).toThrow('branching = 1: must be an integer of at least 2');
  });

  test('sums leaves at every level', () => {
    expect(nodeSums(hierarchy(5, 2), [1, 2, 3, 4, 5]).map((sums) => [...sums])).toEqual([
      [1, 2, 3, 4, 5],
      [3, 7, 5],
      [10, 5],
    ]);
  });
});

describe('canonical nodes', () => {
  test.each(SHAPES)('%d leaves, %d children: every range is covered once', (domain, branching) => {
    const tree = hierarchy(domain, branching);
    for (const range of rangesOf(domain)) {
      const covered = Array.from({ length: domain }, () => 0);
      for (const { level, first, end } of canonicalRuns(tree, range)) {
        const { width } = tree.levels[level]!;
        for (let leaf = first * width; leaf < Math.min(end * width, domain); leaf++) covered[leaf]!++;
      }
      expect(covered).toEqual(covered.map((_, leaf) => (leaf >= range.from && leaf < range.to ? 1 : 0)));
    }
  });

  test.each(SHAPES)('%d leaves, %d children: no cover has fewer nodes', (domain, branching) => {
    const tree = hierarchy(domain, branching);
    for (const range of rangesOf(domain)) {
      // Fewest nodes that cover [from, leaf) exactly, leaf by leaf.
      const fewest = Array.from({ length: domain + 1 }, () => Infinity);
      fewest[range.from] = 0;
      for (let leaf = range.from; leaf < range.to; leaf++) {
        for (const { width } of tree.levels) {
          const next = Math.min(domain, leaf + width);
          if (leaf % width === 0 && next <= range.to)
            fewest[next] = Math.min(fewest[next]!, fewest[leaf]! + 1);
        }
      }
      const runs = canonicalRuns(tree, range);
      const nodes = runs.reduce((sum, { first, end }) => sum + end - first, 0);
      expect(nodes).toBe(fewest[range.to]);
    }
  });

  test.each([
    [{ from: -1, to: 3 }, 'from = -1'],
    [{ from: 3, to: 3 }, 'to = 3'],
    [{ from: 3, to: 9 }, 'to = 9'],
    [{ from: 8, to: 9 }, 'from = 8'],
  ])('%o is refused', (range, message) => {
    expect(() => canonicalRuns(hierarchy(8, 2), range)).toThrow(message);
  });
});
