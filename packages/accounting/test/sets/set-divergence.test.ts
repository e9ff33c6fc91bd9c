import { describe, expect, it } from 'vitest';
import { logGamma } from '@shuffle-dp/core';
import { setDivergence, setDivergenceUpper } from '../../src/sets/set-divergence.ts';

/** Poisson masses, or negative binomial ones of the same mean, by their definitions. */
function blanketMasses(mean: number, success: number, cells: number): number[] {
  const masses: number[] = [];
  if (success === 1) {
    for (let k = 0, mass = Math.exp(-mean); k < cells; k++) {
      masses.push(mass);
      mass *= mean / (k + 1);
    }
  } else {
    const shape = (mean * success) / (1 - success);
    for (let k = 0; k < cells; k++) {
      const ways = logGamma(shape + k) - logGamma(shape) - logGamma(k + 1);
      masses.push(Math.exp(ways + shape * Math.log(success) + k * Math.log1p(-success)));
    }
  }
  return masses;
}

/** One item exchanged: the sum over both counts, in plain arithmetic. */
function oneItemDivergence(mean: number, rate: number, epsilon: number, success: number): number {
  const masses = blanketMasses(mean, success, Math.ceil(8 * mean + 60 / success));
  const without = (k: number): number => masses[k]!;
  const withItem = (k: number): number => (1 - rate) * masses[k]! + rate * (masses[k - 1] ?? 0);
  let sum = 0;
  for (let a = 0; a < masses.length; a++) {
    for (let b = 0; b < masses.length; b++) {
      sum += Math.max(0, withItem(a) * without(b) - Math.exp(epsilon) * without(a) * withItem(b));
    }
  }
  return sum;
}

/** log of the law of a Poisson count and what so many holders send of it. */
function logCounts(mean: number, holders: number, rate: number, cells: number): number[] {
  const alone = Array.from({ length: cells }, (_, k) => k * Math.log(mean) - mean - logGamma(k + 1));
  return alone.map((_, k) =>
    Array.from({ length: Math.min(k, holders) + 1 }, (__, sent) => {
      const ways = logGamma(holders + 1) - logGamma(sent + 1) - logGamma(holders - sent + 1);
      return ways + sent * Math.log(rate) + (holders - sent) * Math.log1p(-rate) + alone[k - sent]!;
    }).reduce((a, c) => Math.max(a, c) + Math.log1p(Math.exp(-Math.abs(a - c)))),
  );
}

/**
 * log of the divergence of one item, far below the doubles too; some others hold the old item and some the
 * new.
 */
function logDivergence(
  mean: number,
  rate: number,
  [old, fresh]: readonly [number, number],
  epsilon: number,
): number {
  const cells = 220;
  const law = (holders: number): number[] => logCounts(mean, holders, rate, cells);
  const [oldSent, oldAlone, newSent, newAlone] = [law(old + 1), law(old), law(fresh + 1), law(fresh)];
  const terms: number[] = [];
  for (let a = 0; a < cells; a++) {
    for (let b = 0; b < cells; b++) {
      const first = oldSent[a]! + newAlone[b]!;
      const excess = first - epsilon - oldAlone[a]! - newSent[b]!;
      if (excess > 0) terms.push(first + Math.log(-Math.expm1(-excess)));
    }
  }
  const largest = terms.reduce((most, term) => Math.max(most, term), -Infinity);
  return largest + Math.log(terms.reduce((sum, term) => sum + Math.exp(term - largest), 0));
}

describe('the divergence of two sets under Poisson blankets', () => {
  // From about 1e-9 to below 1e-100, and some to 1e-300, which is where delta 1e-300 and 0 look for their
  // epsilon.
  it.each([
    [0.25, 0.3, [2.5, 4, 5, 5.4]],
    [0.4, 0.5, [3.5, 4.5, 5.3]],
    [0.04, 0.01, [0.5, 1.5, 2.5, 3.2]],
    [2, 0.9, [3, 5, 6.5]],
  ] as const)('is bracketed far in the tail: mean %d, rate %d', (mean, rate, epsilons) => {
    let deepest = 0;
    for (const epsilon of epsilons) {
      const pair = { rate, blanketsPerItem: mean, itemsChanged: 1 };
      const { lower, upper } = setDivergence(pair, epsilon);
      const truth = logDivergence(mean, rate, [0, 0], epsilon);
      expect(Math.log(lower)).toBeLessThanOrEqual(truth + 1e-9);
      expect(Math.log(upper)).toBeGreaterThanOrEqual(truth - 1e-9);
      // Where a few atoms are all there is, 0 is what is proved.
      if (epsilon === epsilons[0]) expect(lower).toBeGreaterThan(0);
      deepest = Math.min(deepest, truth);
      for (const holders of [
        [2, 0],
        [0, 2],
        [1, 2],
      ] as const) {
        const shown = { ...pair, holders: { old: holders[0], new: holders[1], rate } };
        const below = setDivergence(shown, epsilon).lower;
        expect(Math.log(below)).toBeLessThanOrEqual(logDivergence(mean, rate, holders, epsilon) + 1e-9);
      }
    }
    expect(deepest).toBeLessThan(Math.log(1e-100));
  });

  // Newton's step leads beyond all tilts there, and without a tilt rounding is all that is left.
  it('is bracketed closely where the law of losses is skewed', () => {
    let before = 1;
    for (const epsilon of [0.5, 0.7, 0.8, 0.85, 0.9, 0.95]) {
      const { lower, upper } = setDivergence({ rate: 1, blanketsPerItem: 200, itemsChanged: 1 }, epsilon);
      const exact = oneItemDivergence(200, 1, epsilon, 1);
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-9));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(lower).toBeGreaterThan(0.97 * exact);
      expect(upper).toBeLessThan(1.01 * exact);
      expect(upper).toBeLessThan(before);
      before = upper;
    }
  });

  // A blanket is rare, and losses lie far apart.
  it.each([9, 9.5, 10, 10.5, 11, 14])('is bracketed where blankets are rare, epsilon %d', (epsilon) => {
    for (const mean of [1e-3, 2e-4, 1e-4, 1e-6]) {
      const { lower, upper } = setDivergence({ rate: 0.5, blanketsPerItem: mean, itemsChanged: 1 }, epsilon);
      const exact = oneItemDivergence(mean, 0.5, epsilon, 1);
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-9));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-9));
      expect(upper - lower).toBeLessThan(0.02 * exact + 1e-9);
    }
  });

  it.each([
    [5, 1, 1, 1],
    [20, 0.5, 0.3, 1],
    [60, 1, 0.5, 1],
    [60, 0.3, 0.1, 1],
    [0.5, 0.7, 0.2, 1],
    [3, 1, 0, 1],
    // Negative binomial: shapes above 1, at 1 and below.
    [20, 0.5, 0.3, 0.5],
    [40, 1, 0.6, 0.3],
    [5, 1, 1, 0.8],
    [1, 0.6, 0.4, 0.5],
    [0.5, 0.7, 0.2, 0.5],
    [2, 1, 0.3, 0.1],
  ])(
    'brackets the plain sum for one item: %#, mean %d, rate %d, epsilon %d',
    (mean, rate, epsilon, success) => {
      const exact = oneItemDivergence(mean, rate, epsilon, success);
      const pair = { rate, blanketsPerItem: mean, itemsChanged: 1, successProbability: success };
      const { lower, upper } = setDivergence(pair, epsilon);
      expect(lower).toBeLessThanOrEqual(exact);
      expect(upper).toBeGreaterThanOrEqual(exact);
      expect((upper - lower) / exact).toBeLessThan(0.02);
      expect((upper - exact) / exact).toBeLessThan(1e-3);
    },
  );

  it.each([
    [2, 1, 24],
    [1, 0.6, 40],
  ])('brackets the plain sum for two items: mean %d, success probability %d', (mean, success, cells) => {
    // Four counts: the sum over cells^4 in plain arithmetic.
    const [rate, epsilon] = [0.6, 0.7];
    const f = blanketMasses(mean, success, cells);
    const g = f.map((mass, k) => (1 - rate) * mass + rate * (f[k - 1] ?? 0));
    let exact = 0;
    for (let a = 0; a < cells; a++) {
      for (let b = 0; b < cells; b++) {
        for (let c = 0; c < cells; c++) {
          for (let e = 0; e < cells; e++) {
            const p = g[a]! * g[b]! * f[c]! * f[e]!;
            const q = f[a]! * f[b]! * g[c]! * g[e]!;
            exact += Math.max(0, p - Math.exp(epsilon) * q);
          }
        }
      }
    }
    const pair = { rate, blanketsPerItem: mean, itemsChanged: 2, successProbability: success };
    const { lower, upper } = setDivergence(pair, epsilon);
    expect(lower).toBeLessThanOrEqual(exact);
    expect(upper).toBeGreaterThanOrEqual(exact);
    expect((upper - lower) / exact).toBeLessThan(0.02);
  });

  it.each([1, 0.5])('is what two users show: success probability %d', (success) => {
    // Items 0 and 1 are the victim's two choices, everything sent with probability 0.6; each user has
    // blankets of mean 1 an item.
    const [rate, epsilon, cells] = [0.6, 0.5, 60];
    const own = blanketMasses(1, success, cells);
    const both = own.map((_, k) => own.slice(0, k + 1).reduce((sum, mass, i) => sum + mass * own[k - i]!, 0));
    const sending = (f: number[]): number[] => f.map((mass, k) => (1 - rate) * mass + rate * (f[k - 1] ?? 0));
    const divergence = (item0: number[], item1: number[]): number => {
      const [sent0, sent1] = [sending(item0), sending(item1)];
      let sum = 0;
      for (let a = 0; a < cells; a++) {
        for (let b = 0; b < cells; b++) {
          const p = sent0[a]! * item1[b]!;
          const q = item0[a]! * sent1[b]!;
          sum += Math.max(0, p - Math.exp(epsilon) * q);
        }
      }
      return sum;
    };
    const pair = { rate, blanketsPerItem: 2, itemsChanged: 1, successProbability: success };
    const { lower, upper } = setDivergence(pair, epsilon);
    const avoided = divergence(both, both);
    expect(avoided).toBeGreaterThan(lower);
    expect(avoided).toBeLessThan(upper);
    // Another user who holds one of the items only adds cover.
    expect(divergence(sending(both), both)).toBeLessThan(avoided);
  });

  it.each([
    // n, s, then blankets per item for epsilon 0.5, 1 and 2 at delta = 0.01 / n, everything sent.
    [5000, 4, [484, 135, 39.7]],
    [50000, 4, [611, 168, 48.2]],
    [5000, 8, [965, 268, 76.2]],
  ])('needs few blankets: n = %d, s = %d', (users, items, blankets) => {
    [0.5, 1, 2].forEach((epsilon, i) => {
      const at = (mean: number): number =>
        setDivergenceUpper({ rate: 1, blanketsPerItem: mean, itemsChanged: items }, epsilon);
      expect(at(blankets[i]! * 1.005)).toBeLessThan(0.01 / users);
      expect(at(blankets[i]! * 0.995)).toBeGreaterThan(0.01 / users);
    });
  });

  it.each([
    // Success probability, blankets per item and their variance, at n = 5000, s = 4, epsilon 0.5.
    [0.5, 249, 497],
    [0.3, 160, 534],
  ])('needs fewer messages for some more noise: success probability %d', (success, blankets, variance) => {
    const at = (mean: number): number =>
      setDivergenceUpper(
        { rate: 1, blanketsPerItem: mean, itemsChanged: 4, successProbability: success },
        0.5,
      );
    expect(at(blankets * 1.005)).toBeLessThan(2e-6);
    expect(at(blankets * 0.995)).toBeGreaterThan(2e-6);
    expect(Math.abs(blankets / success / variance - 1)).toBeLessThan(5e-3);
  });

  it('of negative-binomial blankets goes to that of Poisson ones', () => {
    const pair = { rate: 0.7, blanketsPerItem: 30, itemsChanged: 2 };
    const limit = setDivergenceUpper(pair, 0.5);
    expect(setDivergenceUpper({ ...pair, successProbability: 1 - 1e-7 }, 0.5) / limit).toBeCloseTo(1, 5);
    expect(setDivergenceUpper({ ...pair, successProbability: 0.9 }, 0.5)).toBeLessThan(limit);
  });

  it('falls with epsilon and with blankets, and grows with the rate and the items', () => {
    const base = { rate: 0.6, blanketsPerItem: 50, itemsChanged: 3 };
    const at = (change: Partial<typeof base>, epsilon = 0.4): number =>
      setDivergenceUpper({ ...base, ...change }, epsilon);
    expect(at({}, 0.5)).toBeLessThan(at({}));
    expect(at({ blanketsPerItem: 60 })).toBeLessThan(at({}));
    expect(at({ rate: 0.7 })).toBeGreaterThan(at({}));
    expect(at({ itemsChanged: 4 })).toBeGreaterThan(at({}));
  });

  it('is zero where nothing differs, and total variation at most one', () => {
    expect(setDivergence({ rate: 0, blanketsPerItem: 5, itemsChanged: 3 }, 0)).toEqual({
      lower: 0,
      upper: 0,
    });
    expect(setDivergence({ rate: 1, blanketsPerItem: 5, itemsChanged: 0 }, 0)).toEqual({
      lower: 0,
      upper: 0,
    });
    expect(setDivergence({ rate: 1, blanketsPerItem: 1e-9, itemsChanged: 2 }, 0).upper).toBeLessThanOrEqual(
      1,
    );
  });

  it('is as true and less sharp far below the divergence that is looked for, and the same near it', () => {
    const pair = { rate: 1, blanketsPerItem: 2000, itemsChanged: 1 };
    const sharp = [0.3, 0.6].map((epsilon) => setDivergenceUpper(pair, epsilon));
    const sought = [0.3, 0.6].map((epsilon) => setDivergenceUpper(pair, epsilon, 1e-6));
    expect(sought[0]).toBe(sharp[0]);
    expect(sharp[1]).toBeLessThan(1e-40);
    expect(sought[1]).toBeGreaterThan(sharp[1]!);
    expect(sought[1]).toBeLessThan(1e-30);
  });

  it('refuses what is not a rate or a number of blankets', () => {
    const pair = { rate: 0.5, blanketsPerItem: 5, itemsChanged: 1 };
    expect(() => setDivergence({ ...pair, rate: 1.5 }, 1)).toThrow('rate = 1.5: must be');
    expect(() => setDivergence({ ...pair, blanketsPerItem: 0 }, 1)).toThrow('blanketsPerItem = 0');
    expect(() => setDivergence({ ...pair, successProbability: 0 }, 1)).toThrow(
      'successProbability = 0: must be',
    );
    expect(() => setDivergence(pair, -1)).toThrow('epsilon = -1');
  });
});
