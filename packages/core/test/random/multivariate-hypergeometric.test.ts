import { describe, expect, it } from 'vitest';
import { dealCounts, ParameterError, RandomStream, sampleMultivariateHypergeometric } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';

describe('draws of several categories without replacement', () => {
  it('are so many, none more than there are', () => {
    const counts = [3, 0, 5, 1];
    for (let draws = 0; draws <= 9; draws++) {
      const taken = sampleMultivariateHypergeometric(counts, draws, RandomStream.fromSeed('each', draws));
      expect(taken.reduce((sum, count) => sum + count, 0)).toBe(draws);
      taken.forEach((count, i) => expect(count).toBeLessThanOrEqual(counts[i]!));
    }
  });

  // Six tests at a false alarm rate of 1e-6 each.
  it('have the shares of the categories, and their covariances', () => {
    const counts = [20, 30, 50];
    const [draws, trials] = [10, 20_000];
    const stream = RandomStream.fromSeed('covariances');
    const taken = Array.from({ length: trials }, () =>
      sampleMultivariateHypergeometric(counts, draws, stream),
    );
    const meanOf = (value: (row: Float64Array) => number): readonly [number, number] => {
      const values = taken.map(value);
      const mean = values.reduce((sum, x) => sum + x, 0) / trials;
      const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (trials - 1);
      return [mean, Math.sqrt(variance / trials)];
    };
    for (const [i, j] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const) {
      const [mean, error] = meanOf((row) => row[i]!);
      expect(zTest(mean, (draws * counts[i]!) / 100, error)).toBeGreaterThan(1e-6);
      // -draws p_i p_j (N - draws) / (N - 1).
      const covariance = (-draws * counts[i]! * counts[j]! * 90) / (100 * 100 * 99);
      const [product, off] = meanOf(
        (row) => (row[i]! - (draws * counts[i]!) / 100) * (row[j]! - (draws * counts[j]!) / 100),
      );
      expect(zTest(product, covariance, off)).toBeGreaterThan(1e-6);
    }
  });

  it('refuse more than there are', () => {
    expect(() => sampleMultivariateHypergeometric([1, 2], 4, RandomStream.fromSeed('more'))).toThrow(
      ParameterError,
    );
  });
});

describe('items dealt into groups', () => {
  it('are all there, each group as large as asked, and what is left stays', () => {
    const counts = [3, 0, 5, 1];
    const groups = dealCounts(counts, [4, 0, 5], RandomStream.fromSeed('deal'));
    expect(groups.map((group) => group.reduce((sum, count) => sum + count, 0))).toEqual([4, 0, 5]);
    expect(counts.map((_, i) => groups.reduce((sum, group) => sum + group[i]!, 0))).toEqual(counts);
    expect(() => dealCounts(counts, [8, 2], RandomStream.fromSeed('deal'))).toThrow(ParameterError);
  });
});
