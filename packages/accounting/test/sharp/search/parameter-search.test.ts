/** The searches behind good parameters: any are valid, these should be near the best. */
import { describe, expect, it } from 'vitest';
import { estimatedEpsilon } from '../../../src/sharp/search/estimated-epsilon.ts';
import { polished } from '../../../src/sharp/search/polish.ts';
import { simplexDescent } from '../../../src/sharp/search/simplex.ts';

describe('a simplex', () => {
  it('goes down an edge on which steps along either axis lead up', () => {
    const valueOf = ([x, y]: readonly number[]): number => 20 * Math.abs(x! - y!) + (x! + y! - 2) ** 2;
    const start = { at: [0, 0], value: valueOf([0, 0]) };
    for (const step of [0.1, -0.1]) {
      expect(valueOf([step, 0])).toBeGreaterThan(start.value);
      expect(valueOf([0, step])).toBeGreaterThan(start.value);
    }
    const { at, value } = simplexDescent(valueOf, start, [0.1, 0.15], { most: 200, enough: 1e-9 });
    expect(value).toBeLessThan(1e-2);
    expect(at[0]).toBeCloseTo(1, 1);
  });

  it('takes about as many evaluations as it may, and never ends above its start', () => {
    let evaluations = 0;
    const valueOf = ([x]: readonly number[]): number => {
      evaluations++;
      return x! > 3 ? Infinity : -x!;
    };
    const { value } = simplexDescent(valueOf, { at: [0], value: 0 }, [0.5], { most: 12, enough: 0 });
    expect(evaluations).toBeLessThanOrEqual(14);
    expect(value).toBeLessThan(-2);
  });
});

describe('parameters are polished', () => {
  const best = { buffer: 120, kappa: 2, theta: 0.05 };
  const boundOf = (tried: typeof best): number =>
    1e-6 *
    Math.exp(
      Math.log(tried.buffer / best.buffer) ** 2 +
        Math.log(tried.kappa / best.kappa) ** 2 +
        30 * Math.log(tried.theta / best.theta) ** 2,
    );
  const near = { buffer: 104, kappa: 2.2, theta: 0.052 };

  it('towards the least bound, with an even number of users beside the buffer', () => {
    const start = { parameters: near, value: boundOf(near) };
    const found = polished(boundOf, start, { users: 1001, hasPlaces: true, isOff: true });
    expect(Math.log(boundOf(found) / 1e-6)).toBeLessThan(0.1 * Math.log(boundOf(near) / 1e-6));
    expect(found.buffer % 2).toBe(0);
  });

  it('and stay where nothing near is less', () => {
    const start = { parameters: best, value: 1e-6 };
    expect(polished(boundOf, start, { users: 1001, hasPlaces: false, isOff: false })).toBe(best);
  });
});

describe('an epsilon by estimates', () => {
  it('is none where there are no inputs', () => {
    const range = { start: 0.1, lower: 0.09, upper: 0.2, near: 0.005 };
    expect(estimatedEpsilon(() => null, 1000, 1e-6, range)).toBeNull();
  });
});
