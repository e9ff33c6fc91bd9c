import { binomialPmf } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { epsilonAtLeast, roughEpsilon, smallestExcess } from '../../src/audit/measured-epsilon.ts';
import { oddsRatioAtLeast } from '../../src/audit/odds-ratio.ts';

const ODDS: readonly (readonly [number, number, number, number, number])[] = [
  [12, 5, 100, 0.05, 0.9435726430471513],
  [3, 0, 10, 0.05, 0.6369562697966038],
  [40, 20, 50, 0.01, 1.9432789129251937],
  [1, 1, 5, 0.1, 0.04368122468834045],
  [500, 400, 10_000, 0.004, 1.0509484110902665],
];

describe('odds ratios', () => {
  // scipy 1.x: contingency.odds_ratio(…).confidence_interval(1 - error, alternative='greater').low
  it.each(ODDS)('of %d and %d of %d each, error %d', (first, second, trials, error, expected) => {
    const found = oddsRatioAtLeast(first, second, trials, error);
    expect(found / expected - 1).toBeLessThan(1e-8);
    expect(found / expected - 1).toBeGreaterThan(-1e-7);
  });

  it('are 0 where nothing speaks for them', () => {
    expect(oddsRatioAtLeast(0, 3, 10, 0.05)).toBe(0);
    expect(oddsRatioAtLeast(10, 10, 10, 0.05)).toBe(0);
  });

  it('have the limit of the error where all of one and none of the other succeed', () => {
    // Pr[all of N = n come from the first] is odds^n over the sum of C(n, k)^2 odds^k.
    const odds = oddsRatioAtLeast(10, 0, 10, 0.05);
    let sum = 0;
    for (let k = 0, ways = 1; k <= 10; k++, ways = (ways * (11 - k)) / k) sum += ways * ways * odds ** k;
    expect(odds ** 10 / sum).toBeCloseTo(0.05, 6);
  });
});

describe('epsilon from counts', () => {
  it.each([0, 0.05, 0.2])('is too large with at most the error, at delta %d, over all counts', (delta) => {
    const [trials, error] = [14, 0.1];
    for (const a of [0.3, 0.5, 0.8, 0.95])
      for (const b of [0.05, 0.2, 0.4]) {
        const truth = Math.log((a - delta) / b);
        let wrong = 0;
        for (let x = 0; x <= trials; x++)
          for (let y = 0; y <= trials; y++)
            if (epsilonAtLeast({ inFavour: x, against: y, trials }, delta, error) > Math.max(0, truth))
              wrong += binomialPmf(x, trials, a) * binomialPmf(y, trials, b);
        expect(wrong, `shares ${a} and ${b}`).toBeLessThanOrEqual(error);
      }
  });

  it('comes near the truth with many trials, from below', () => {
    const counts = { inFavour: 400_000, against: 100_000, trials: 1_000_000 };
    const found = epsilonAtLeast(counts, 0.01, 0.01);
    expect(found).toBeLessThan(Math.log(0.39 / 0.1));
    expect(found).toBeGreaterThan(Math.log(0.39 / 0.1) - 0.01);
    expect(Math.abs(found - roughEpsilon(0.4, 0.1, 1_000_000, 0.01, 2.4))).toBeLessThan(2e-3);
  });

  it('would have found an excess that it names, nine times in ten', () => {
    const counts = { inFavour: 3000, against: 2000, trials: 20_000 };
    const excess = smallestExcess(counts, 0.001, 0.01, 0.4)!;
    // A program with that excess: the share in its favour, and both counts where nine in ten are better.
    const share = 0.001 + Math.exp(0.4 + excess) * 0.1;
    const low = 20_000 * share - 1.645 * Math.sqrt(20_000 * share * (1 - share));
    const high = 2000 + 1.645 * Math.sqrt(2000 * 0.9);
    const seen = (inFavour: number): number =>
      epsilonAtLeast(
        { inFavour: Math.floor(inFavour), against: Math.ceil(high), trials: 20_000 },
        0.001,
        0.01,
      );
    expect(seen(low)).toBeGreaterThan(0.4 - 0.005);
    expect(seen(low * 0.98)).toBeLessThan(0.4);
  });

  it('names no excess where none would be found', () => {
    expect(smallestExcess({ inFavour: 3, against: 2, trials: 20 }, 0.9, 0.01, 0.4)).toBeNull();
    expect(smallestExcess({ inFavour: 300, against: 200, trials: 2000 }, 0.01, 0.01, Infinity)).toBeNull();
  });
});
