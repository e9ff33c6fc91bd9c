import { describe, expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { gridPoints, selectPoints } from '../../src/grids/grid-points.ts';
import { kMeans, kMeansRounds, meanSquaredDistance } from '../../src/grids/k-means.ts';
import { exactHistogram, shuffledHistogram } from '../../src/trees/cell-histogram.ts';
import { blobs } from './blobs.ts';

const CENTRES = [
  [0.2, 0.2],
  [0.8, 0.3],
  [0.5, 0.8],
];
const points = blobs(CENTRES, 2000, 0, 'blobs');
const stream = RandomStream.fromSeed('k-means');
const plan = { clusters: 3, iterations: 10 };

describe('points on a grid', () => {
  it('are in equal bins, those outside the range in the bins at its ends', () => {
    const grid = gridPoints([-1, 0.99, 0, 3, 2, 1], 2, { low: -1, high: 2 }, 3);
    expect(grid).toEqual({
      users: 3,
      bins: 3,
      columns: [Uint8Array.of(0, 1, 2), Uint8Array.of(1, 2, 2)],
    });
    expect(selectPoints(grid, Uint32Array.of(2, 0)).columns[0]).toEqual(Uint8Array.of(2, 0));
    expect(() => gridPoints([1, 2, 3], 2, { low: 0, high: 1 }, 4)).toThrow('the number of values = 3');
    expect(() => gridPoints([1, 2], 2, { low: 1, high: 1 }, 4)).toThrow('high = 1');
    expect(() => gridPoints([1, 2], 2, { low: 0, high: 1 }, 257)).toThrow('bins = 257');
  });
});

describe('K-means from histograms', () => {
  it('without noise ends where every centre is the mean of its users', () => {
    const centres = kMeans(points, { clusters: 4, iterations: 60 }, exactHistogram);
    const sums = Array.from({ length: 4 }, () => [0, 0, 0]);
    for (let user = 0; user < points.users; user++) {
      const at = points.columns.map((column) => (column[user]! + 0.5) / 16);
      const squares = sums.map((_, k) => at.reduce((sum, x, j) => sum + (x - centres[2 * k + j]!) ** 2, 0));
      const own = sums[squares.indexOf(Math.min(...squares))]!;
      own[0]! += at[0]!;
      own[1]! += at[1]!;
      own[2]!++;
    }
    sums.forEach(([x, y, size], k) => {
      expect(centres[2 * k]!).toBeCloseTo(x! / size!, 9);
      expect(centres[2 * k + 1]!).toBeCloseTo(y! / size!, 9);
    });
  });

  it.each(['aggregated', 'messages'] as const)('finds clusters through the shuffler, by %s', (path) => {
    const few = blobs(CENTRES, 700, 0, 'few');
    const histogram = shuffledHistogram(2, stream.fork('noise'), path);
    const centres = kMeans(few, plan, histogram);
    for (const [x, y] of CENTRES) {
      const distances = [0, 1, 2].map((k) => Math.hypot(centres[2 * k]! - x!, centres[2 * k + 1]! - y!));
      expect(Math.min(...distances)).toBeLessThan(0.06);
    }
    // Two coordinates of deviation 0.03, and a bin of width 1/16: 2 (0.0009 + 1 / 3072), and what noise adds.
    expect(meanSquaredDistance(few, centres)).toBeLessThan(0.006);
  });

  it('gets worse with more blanket messages, and repeats with its stream', () => {
    const lossAt = (m: number): number =>
      meanSquaredDistance(
        points,
        kMeans(points, plan, shuffledHistogram(m, stream.fork('noise'), 'aggregated')),
      );
    expect(lossAt(3000)).toBeGreaterThan(2 * lossAt(2));
    expect(lossAt(20)).toBe(lossAt(20));
  });

  it('has one round a coordinate and iteration', () => {
    const shape = { users: 100, bins: 16, dimensions: 2 };
    expect(kMeansRounds(shape, plan, 3)).toEqual([
      { pair: { p: Infinity, beta: 1, q: 48 }, users: 201, count: 20 },
    ]);
    // As many queries are asked.
    let asked = 0;
    kMeans(points, plan, (cells, bins) => {
      asked++;
      expect(bins).toBe(48);
      return exactHistogram(cells, bins, 0, 0);
    });
    expect(asked).toBe(20);
    expect(() => kMeansRounds(shape, plan, 1)).toThrow('messagesPerUser = 1');
    expect(() => kMeans(points, { clusters: 4097, iterations: 1 }, exactHistogram)).toThrow(
      'the number of cells = 65552',
    );
    expect(() => kMeans(points, { clusters: 0, iterations: 1 }, exactHistogram)).toThrow('clusters = 0');
  });
});
