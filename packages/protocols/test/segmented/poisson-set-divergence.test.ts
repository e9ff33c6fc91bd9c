import { describe, expect, it } from 'vitest';
import {
  poissonSetDivergence,
  poissonSetDivergenceUpper,
} from '../../src/segmented/poisson-set-divergence.ts';

/** One item exchanged: the sum over both counts, in plain arithmetic. */
function oneItemDivergence(mean: number, rate: number, epsilon: number): number {
  const masses: number[] = [];
  for (let k = 0, mass = Math.exp(-mean); k < 8 * mean + 60; k++) {
    masses.push(mass);
    mass *= mean / (k + 1);
  }
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

describe('the divergence of two sets under Poisson blankets', () => {
  it.each([
    [5, 1, 1],
    [20, 0.5, 0.3],
    [60, 1, 0.5],
    [60, 0.3, 0.1],
    [0.5, 0.7, 0.2],
    [3, 1, 0],
  ])('brackets the plain sum for one item: mean %d, rate %d, epsilon %d', (mean, rate, epsilon) => {
    const exact = oneItemDivergence(mean, rate, epsilon);
    const { lower, upper } = poissonSetDivergence({ rate, blanketsPerItem: mean, itemsChanged: 1 }, epsilon);
    expect(lower).toBeLessThanOrEqual(exact);
    expect(upper).toBeGreaterThanOrEqual(exact);
    expect((upper - lower) / exact).toBeLessThan(0.02);
    expect((upper - exact) / exact).toBeLessThan(1e-3);
  });

  it('brackets the plain sum for two items', () => {
    // Four counts of mean 2: the sum over 24^4 cells in plain arithmetic.
    const [mean, rate, epsilon, cells] = [2, 0.6, 0.7, 24];
    const f: number[] = [];
    for (let k = 0, mass = Math.exp(-mean); k < cells; k++) {
      f.push(mass);
      mass *= mean / (k + 1);
    }
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
    const { lower, upper } = poissonSetDivergence({ rate, blanketsPerItem: mean, itemsChanged: 2 }, epsilon);
    expect(lower).toBeLessThanOrEqual(exact);
    expect(upper).toBeGreaterThanOrEqual(exact);
    expect((upper - lower) / exact).toBeLessThan(0.02);
  });

  it.each([
    // n, s, then blankets per item for epsilon 0.5, 1 and 2 at delta = 0.01 / n, everything sent.
    [5000, 4, [484, 135, 39.7]],
    [50000, 4, [611, 168, 48.2]],
    [5000, 8, [965, 268, 76.2]],
  ])('needs few blankets: n = %d, s = %d', (users, items, blankets) => {
    [0.5, 1, 2].forEach((epsilon, i) => {
      const at = (mean: number): number =>
        poissonSetDivergenceUpper({ rate: 1, blanketsPerItem: mean, itemsChanged: items }, epsilon);
      expect(at(blankets[i]! * 1.005)).toBeLessThan(0.01 / users);
      expect(at(blankets[i]! * 0.995)).toBeGreaterThan(0.01 / users);
    });
  });

  it('falls with epsilon and with blankets, and grows with the rate and the items', () => {
    const base = { rate: 0.6, blanketsPerItem: 50, itemsChanged: 3 };
    const at = (change: Partial<typeof base>, epsilon = 0.4): number =>
      poissonSetDivergenceUpper({ ...base, ...change }, epsilon);
    expect(at({}, 0.5)).toBeLessThan(at({}));
    expect(at({ blanketsPerItem: 60 })).toBeLessThan(at({}));
    expect(at({ rate: 0.7 })).toBeGreaterThan(at({}));
    expect(at({ itemsChanged: 4 })).toBeGreaterThan(at({}));
  });

  it('is zero where nothing differs, and total variation at most one', () => {
    expect(poissonSetDivergence({ rate: 0, blanketsPerItem: 5, itemsChanged: 3 }, 0)).toEqual({
      lower: 0,
      upper: 0,
    });
    expect(poissonSetDivergence({ rate: 1, blanketsPerItem: 5, itemsChanged: 0 }, 0)).toEqual({
      lower: 0,
      upper: 0,
    });
    expect(
      poissonSetDivergence({ rate: 1, blanketsPerItem: 1e-9, itemsChanged: 2 }, 0).upper,
    ).toBeLessThanOrEqual(1);
  });

  it('refuses what is not a rate or a number of blankets', () => {
    const pair = { rate: 0.5, blanketsPerItem: 5, itemsChanged: 1 };
    expect(() => poissonSetDivergence({ ...pair, rate: 1.5 }, 1)).toThrow('rate = 1.5: must be');
    expect(() => poissonSetDivergence({ ...pair, blanketsPerItem: 0 }, 1)).toThrow('blanketsPerItem = 0');
    expect(() => poissonSetDivergence(pair, -1)).toThrow('epsilon = -1');
  });
});
