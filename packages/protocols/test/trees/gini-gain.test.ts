import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments, sampleGaussian } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { giniGain } from '../../src/trees/gini-gain.ts';

const noisy = (counts: readonly number[], deviation: number, stream: RandomStream): Float64Array =>
  Float64Array.from(counts, (count) => count + deviation * sampleGaussian(stream));

describe('the gain of a split', () => {
  it('is users times the decrease of impurity', () => {
    // 8 users, half of each class; branches (3, 1) and (1, 3): impurity 1/2 becomes 3/8.
    const { gain, noise } = giniGain({ counts: Float64Array.of(3, 1, 1, 3), variance: 0 }, 2);
    expect(gain).toBeCloseTo(8 * (1 / 2 - 3 / 8), 12);
    expect(noise).toBe(0);
    // An empty branch changes nothing.
    expect(giniGain({ counts: Float64Array.of(3, 1, 0, 0, 1, 3), variance: 0 }, 2).gain).toBeCloseTo(1, 12);
  });

  // Significance 1e-6 each; seeds are fixed. Without the correction the averages would be off by some 10
  // standard errors.
  it.each([
    [2, [900, 300, 400, 1200]],
    [3, [500, 300, 700, 200, 800, 100, 600, 600, 600]],
  ] as const)('is unbiased under noise, to second order: %d classes', (classes, counts) => {
    const exact = giniGain({ counts: Float64Array.from(counts), variance: 0 }, classes).gain;
    const moments = new RunningMoments();
    const stream = RandomStream.fromSeed(`gain ${classes}`);
    for (let trial = 0; trial < 60_000; trial++) {
      moments.add(giniGain({ counts: noisy(counts, 25, stream), variance: 625 }, classes).gain);
    }
    const standardError = Math.sqrt(moments.variance / moments.count);
    expect(zTest(moments.mean, exact, standardError), `${moments.mean} for ${exact}`).toBeGreaterThan(1e-6);
  });

  it('varies by its noise where the attribute says nothing', () => {
    const counts = [500, 500, 800, 800];
    const moments = new RunningMoments();
    const stream = RandomStream.fromSeed('null');
    for (let trial = 0; trial < 20_000; trial++) {
      moments.add(giniGain({ counts: noisy(counts, 20, stream), variance: 400 }, 2).gain);
    }
    const { noise } = giniGain({ counts: Float64Array.from(counts), variance: 400 }, 2);
    expect(Math.abs(moments.mean)).toBeLessThan(0.02);
    // 20,000 draws of a chi-square with one degree of freedom: the ratio's standard error is 0.013.
    expect(noise / Math.sqrt(moments.variance)).toBeGreaterThan(0.94);
    expect(noise / Math.sqrt(moments.variance)).toBeLessThan(1.06);
  });

  it('stays finite for counts that are noise alone', () => {
    const { gain, noise } = giniGain({ counts: Float64Array.of(-5, 4, 1, -2), variance: 100 }, 2);
    expect(Number.isFinite(gain)).toBe(true);
    expect(gain).toBeLessThan(3 * noise);
  });
});
