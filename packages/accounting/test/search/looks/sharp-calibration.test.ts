import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { certifiedDelta } from '../../../src/one-round.ts';
import type { Axis } from '../../../src/search/axis.ts';
import type { AccountedMessage } from '../../../src/search/message-accounting.ts';
import type { TargetLook } from '../../../src/search/looks/led-looks.ts';
import { sharplyMet } from '../../../src/search/looks/sharp-calibration.ts';
import { uniform } from '../../../../core/test/uniform.ts';

const TARGET = { users: 1000, epsilon: 0.3, delta: 1e-6 };

const BUDGETS: Axis = {
  valueAt: Math.exp,
  mostPrivate: Math.log(TARGET.epsilon) + 1e-3,
  leastPrivate: Math.log(6),
};

/** Binary randomized response; of the types a search asks no more than whether they are known. */
function messageAt(epsilon0: number): AccountedMessage {
  const truth = 1 / (1 + Math.exp(-epsilon0));
  const first = Float64Array.of(truth, 1 - truth);
  const second = Float64Array.of(1 - truth, truth);
  const equal = { label: 'others hold the first', victim0: first, victim1: second, others: first };
  return {
    epsilon0,
    amplification: {
      variationRatio: null,
      blanket: [],
      homogeneous: [{ ...equal, symmetric: false }],
      typed: { pairs: [] },
    },
  };
}

/** In logarithms of delta. */
function equalUsers(epsilon0: number): number {
  const { amplification } = messageAt(epsilon0);
  return Math.log(certifiedDelta(amplification, TARGET.users, TARGET.epsilon).lower / TARGET.delta);
}

/** A bound so far above equal users, and from `jump` on far above the target. */
function boundAbove(above: number, drift = 0, jump = Infinity) {
  const looked: number[] = [];
  return {
    looked,
    look: (value: number): TargetLook => {
      looked.push(value);
      const excess = equalUsers(value) + above + drift * Math.log(value) + (value > jump ? 4 : 0);
      return { excess, by: 'sharp' };
    },
  };
}

describe('the least private value that a few looks find', () => {
  it('meets the target, and its neighbour does not', () => {
    fc.assert(
      fc.property(
        uniform(0.05, 1),
        uniform(-0.04, 0.5),
        fc.constantFrom(5e-5, 7.5e-4),
        (above, drift, tolerance) => {
          const { look, looked } = boundAbove(above, drift);
          const { value, next, by } = sharplyMet(BUDGETS, Math.log(1), messageAt, TARGET, {
            look,
            tolerance,
          });
          expect(looked.length).toBeLessThanOrEqual(6);
          expect(looked).toContain(value);
          expect(by).toBe('sharp');
          expect(look(value).excess).toBeLessThanOrEqual(0);
          expect(look(next!).excess).toBeGreaterThan(0);
          expect(next! / value).toBeLessThanOrEqual(1 + 1.01 * tolerance);
        },
      ),
      {
        numRuns: 20,
        seed: 12,
      },
    );
  });

  it('is found in fewer where no neighbour is asked for, within a ten-thousandth or so', () => {
    fc.assert(
      fc.property(uniform(0.05, 1), uniform(-0.04, 0.1), (above, drift) => {
        const { look, looked } = boundAbove(above, drift);
        const { value } = sharplyMet(BUDGETS, Math.log(1), messageAt, TARGET, { look });
        expect(looked.length).toBeLessThanOrEqual(4);
        expect(look(value).excess).toBeLessThanOrEqual(0);
        expect(look(value * (1 + 6e-4)).excess).toBeGreaterThan(0);
      }),
      { numRuns: 20, seed: 13 },
    );
  });

  it('is that of the blanket, beside a value that a look refutes, where the bound is of no use', () => {
    const useless = (): TargetLook => ({ excess: 5, by: 'sharp' });
    const from = Math.log(1);
    expect(sharplyMet(BUDGETS, from, messageAt, TARGET, { look: useless })).toMatchObject({
      value: 1,
      by: 'blanket',
    });
    const { value, next, by } = sharplyMet(BUDGETS, from, messageAt, TARGET, {
      look: useless,
      tolerance: 1e-4,
    });
    expect({ value, by }).toEqual({ value: 1, by: 'blanket' });
    expect(next).toBeCloseTo(1.0001, 7);
  });

  it('meets the target with a wider step where the bound jumps', () => {
    const { look } = boundAbove(0.3, 0, 1.2);
    const { value, next } = sharplyMet(BUDGETS, Math.log(1), messageAt, TARGET, { look, tolerance: 1e-4 });
    expect(look(value).excess).toBeLessThanOrEqual(0);
    expect(look(next!).excess).toBeGreaterThan(0);
    expect(value).toBeGreaterThanOrEqual(1);
  });

  it('is the end of the range where that meets the target', () => {
    const short = { ...BUDGETS, leastPrivate: Math.log(1.1) };
    const { look } = boundAbove(0.1);
    expect(sharplyMet(short, Math.log(1), messageAt, TARGET, { look, tolerance: 1e-4 })).toMatchObject({
      value: short.valueAt(short.leastPrivate),
      next: null,
    });
  });

  it('is found where the first look is hopeless, and estimates are below what can be proved', () => {
    const limit = 1.3;
    const looked: number[] = [];
    const excess = (value: number): number => equalUsers(value) - equalUsers(limit);
    const look = (value: number, far = Infinity): TargetLook => {
      looked.push(value);
      if (value > 1.05 * limit) return { excess: excess(value) + 6, by: 'sharp' };
      const isEstimate = excess(value) - 0.3 < -far;
      return { excess: excess(value) - (isEstimate ? 0.3 : 0), by: 'sharp', isProved: !isEstimate };
    };
    const { value, next } = sharplyMet(BUDGETS, Math.log(1), messageAt, TARGET, { look, tolerance: 1e-3 });
    expect(new Set(looked).size).toBe(looked.length);
    expect(looked.length).toBeLessThanOrEqual(11);
    expect(excess(value)).toBeLessThanOrEqual(0);
    expect(excess(next!)).toBeGreaterThan(0);
    expect(value / limit).toBeGreaterThan(0.97);
  });

  it('is the last that has types where that meets the target, by one look there', () => {
    const largest = 1.2;
    const small = (epsilon0: number): AccountedMessage => {
      const { amplification } = messageAt(epsilon0);
      if (epsilon0 <= largest) return { epsilon0, amplification };
      return { epsilon0, amplification: { ...amplification, typed: undefined } };
    };
    const { look, looked } = boundAbove(0.3);
    const met = sharplyMet(BUDGETS, Math.log(1), small, TARGET, { look, tolerance: 1e-4 });
    expect(looked).toEqual([met.value]);
    expect(met.value).toBeLessThanOrEqual(largest);
    expect(met.next).toBeGreaterThan(largest);
    expect(met.next! / met.value).toBeLessThanOrEqual(1 + 1.01e-4);
    // Where it does not, the search goes on below.
    const high = boundAbove(-equalUsers(1.15));
    const below = sharplyMet(BUDGETS, Math.log(1), small, TARGET, { look: high.look, tolerance: 1e-4 });
    expect(below.value).toBeLessThan(1.15 + 1e-9);
    expect(below.value).toBeGreaterThan(1.1498);
    expect(Math.max(...high.looked)).toBeLessThanOrEqual(largest);
  });

  it('takes no look where equal users leave nothing open, or no types are known', () => {
    const look = (): never => expect.fail('asked for');
    let [low, high] = [0, Math.log(6)];
    while (high - low > 1e-7) {
      const middle = (low + high) / 2;
      if (equalUsers(Math.exp(middle)) <= 0) low = middle;
      else high = middle;
    }
    const { value, next } = sharplyMet(BUDGETS, low - 1e-5, messageAt, TARGET, { look, tolerance: 1e-4 });
    expect(value).toBe(Math.exp(low - 1e-5));
    expect(equalUsers(next!)).toBeGreaterThan(0);
    const unknown = (epsilon0: number): AccountedMessage => {
      const { amplification } = messageAt(epsilon0);
      return { epsilon0, amplification: { ...amplification, typed: undefined } };
    };
    expect(sharplyMet(BUDGETS, 0, unknown, TARGET, { look })).toMatchObject({ value: 1, by: 'blanket' });
  });
});
