import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import { twoSampleChiSquare, zTest } from '@shuffle-dp/core/testkit';
import { exactHistogram, shuffledHistogram } from '../../src/trees/cell-histogram.ts';

/** Each check raises a false alarm with at most this probability; seeds are fixed. */
const SIGNIFICANCE = 1e-6;
const BINS = 5;
const cells = Uint16Array.from({ length: 30 }, (_, user) => (user < 20 ? 0 : user < 25 ? 1 : 3));
const truth = [20, 5, 0, 5, 0];
const TRIALS = 1500;

const answer = (path: SimulationPath, trial: number, messagesPerUser = 4) =>
  shuffledHistogram(messagesPerUser, RandomStream.fromSeed(`histogram ${trial}`), path)(cells, BINS, 0, 0);

describe('histograms of cells', () => {
  it('are the counts themselves without privacy', () => {
    expect(exactHistogram(cells, BINS, 0, 0)).toEqual({ counts: Float64Array.from(truth), variance: 0 });
  });

  it.each(['messages', 'aggregated'] as const)('are unbiased with the stated variance, by %s', (path) => {
    const moments = truth.map(() => new RunningMoments());
    const squares = new RunningMoments();
    for (let trial = 0; trial < TRIALS; trial++) {
      const { counts, variance } = answer(path, trial);
      counts.forEach((count, bin) => moments[bin]!.add(count));
      squares.add(counts.reduce((sum, count, bin) => sum + (count - truth[bin]!) ** 2 / variance, 0));
      // All users and all blankets are in some bin, so the estimates sum to the users.
      expect(counts.reduce((sum, count) => sum + count, 0)).toBeCloseTo(30, 9);
    }
    moments.forEach(({ mean, variance }, bin) => {
      expect(zTest(mean, truth[bin]!, Math.sqrt(variance / TRIALS))).toBeGreaterThan(SIGNIFICANCE);
    });
    expect(zTest(squares.mean, BINS, Math.sqrt(squares.variance / TRIALS))).toBeGreaterThan(SIGNIFICANCE);
  });

  it('have one law on both paths, two bins together', () => {
    const [a, b] = (['messages', 'aggregated'] as const).map((path) => {
      const table = new Float64Array(100);
      for (let trial = 0; trial < TRIALS; trial++) {
        const { counts } = answer(path, trial);
        const step = (bin: number): number =>
          Math.max(0, Math.min(9, Math.floor((counts[bin]! - truth[bin]!) / 2) + 5));
        table[10 * step(0) + step(2)]!++;
      }
      return table;
    });
    expect(twoSampleChiSquare(a!, b!).pValue).toBeGreaterThan(SIGNIFICANCE);
  });

  it('draw anew for every query', () => {
    const histogram = shuffledHistogram(3, RandomStream.fromSeed('again'), 'aggregated');
    expect(histogram(cells, BINS, 0, 0)).toEqual(histogram(cells, BINS, 0, 0));
    expect(histogram(cells, BINS, 0, 0)).not.toEqual(histogram(cells, BINS, 0, 1));
    expect(histogram(cells, BINS, 0, 1)).not.toEqual(histogram(cells, BINS, 1, 0));
  });

  it('need a blanket message, and whole ones', () => {
    expect(() => answer('messages', 0, 1)).toThrow('messagesPerUser = 1: must be an integer of at least 2');
    expect(() => answer('messages', 0, 2.5)).toThrow('messagesPerUser = 2.5');
  });
});
