import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { gridPoints } from '../../src/grids/grid-points.ts';
import {
  anomalyScores,
  areaUnderCurve,
  isolationForest,
  isolationRounds,
  type IsolationTree,
} from '../../src/grids/isolation-forest.ts';
import { exactHistogram, shuffledHistogram } from '../../src/trees/cell-histogram.ts';
import { blobs } from './blobs.ts';

const stream = RandomStream.fromSeed('isolation');
const points = blobs(
  [
    [0.3, 0.3, 0.5],
    [0.6, 0.7, 0.4],
  ],
  1000,
  60,
  'isolated',
);
const marked = Uint8Array.from({ length: points.users }, (_, user) => (user < 2000 ? 0 : 1));
const plan = { trees: 20, height: 6 };

describe('isolation forests from histograms', () => {
  it('without noise count the users of every node, and cut between the outermost of them', () => {
    const [tree] = isolationForest(points, { trees: 1, height: 5 }, () => exactHistogram, stream);
    expect(tree![0]!.size).toBe(points.users);
    const where = Array.from({ length: points.users }, (_, user) => {
      const path = [0];
      for (let at = 0; tree![at]!.coordinate !== null;) {
        const { coordinate, cut, children } = tree![at]!;
        at = children[points.columns[coordinate!]![user]! < cut ? 0 : 1]!;
        path.push(at);
      }
      return path;
    });
    tree!.forEach((node, index) => {
      const inside = where.flatMap((path, user) => (path.includes(index) ? [user] : []));
      expect(inside.length).toBe(node.size);
      expect(node.children.length).toBe(node.coordinate === null ? 0 : 2);
    });
  });

  it('find users who stand apart, less surely through more blanket messages', () => {
    const found = (forest: readonly IsolationTree[]): number =>
      areaUnderCurve(anomalyScores(forest, points), marked);
    const at = (m: number): number =>
      found(
        isolationForest(
          points,
          plan,
          (tree) => shuffledHistogram(m, stream.fork(`noise ${tree}`), 'aggregated'),
          stream,
        ),
      );
    const exact = found(isolationForest(points, plan, () => exactHistogram, stream));
    expect(exact).toBeGreaterThan(0.85);
    expect(at(2)).toBeGreaterThan(0.8);
    expect(at(20_000)).toBeLessThan(at(2));
    expect(at(7)).toBe(at(7));
  });

  it('score by the mean path, with the searches that a leaf leaves open', () => {
    const leafOf = (depth: number, size: number) => ({
      coordinate: null,
      cut: 0,
      children: [],
      depth,
      size,
    });
    const tree: IsolationTree = [
      { coordinate: 0, cut: 1, children: [1, 2], depth: 0, size: 9 },
      leafOf(1, 1),
      leafOf(1, 8),
    ];
    const two = gridPoints([0, 1], 1, { low: 0, high: 1 }, 2);
    // c(8) = 2 (ln 7 + 0.5772156649) - 14/8, c(9) = 2 (ln 8 + 0.5772156649) - 16/9.
    const [alone, together] = anomalyScores([tree], two);
    expect(alone).toBeCloseTo(2 ** (-1 / 3.535536635), 8);
    expect(together).toBeCloseTo(2 ** (-(1 + 3.29625163) / 3.535536635), 8);
  });

  it('have one round a level and tree, with twice the cells at each level', () => {
    expect(isolationRounds({ users: 50, bins: 16 }, { trees: 5, height: 3 }, 2)).toEqual(
      [16, 32, 64].map((q) => ({ pair: { p: Infinity, beta: 1, q }, users: 51, count: 5 })),
    );
    const bins: number[] = [];
    isolationForest(
      points,
      { trees: 1, height: 3 },
      () => (cells, count, level) => {
        bins.push(count);
        expect(Math.max(...cells)).toBeLessThan(count);
        return exactHistogram(cells, count, level, 0);
      },
      stream,
    );
    expect(bins).toEqual([16, 32, 64]);
    expect(() => isolationForest(points, { trees: 1, height: 14 }, () => exactHistogram, stream)).toThrow(
      'the number of cells at the last level = 131072',
    );
    expect(() => isolationForest(points, { trees: 0, height: 1 }, () => exactHistogram, stream)).toThrow(
      'trees = 0',
    );
  });
});

describe('the area under the curve', () => {
  it('is the share of pairs in the right order, ties half', () => {
    const own = RandomStream.fromSeed('pairs');
    const scores = Float64Array.from({ length: 60 }, () => own.integerBelow(12));
    const which = Uint8Array.from({ length: 60 }, () => own.integerBelow(2));
    let [pairs, right] = [0, 0];
    for (let a = 0; a < 60; a++)
      for (let b = 0; b < 60; b++)
        if (which[a] === 1 && which[b] === 0) {
          pairs++;
          right += scores[a]! > scores[b]! ? 1 : scores[a] === scores[b] ? 0.5 : 0;
        }
    expect(areaUnderCurve(scores, which)).toBeCloseTo(right / pairs, 12);
  });
});
