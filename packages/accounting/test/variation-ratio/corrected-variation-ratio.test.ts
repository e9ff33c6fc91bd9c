import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  correctedCells,
  correctedVariationRatioDivergence,
  correctedVariationRatioEpsilon,
  variationRatioDivergence,
} from '@shuffle-dp/accounting';
import { binomialPmf, type VariationRatio } from '@shuffle-dp/core';
import { uniform } from '../../../core/test/uniform.ts';

/** Formula F1 for the corrected cells, summed over all counts of the three cells. */
function byEnumeration({ p, beta, q }: VariationRatio, users: number, epsilon: number): number {
  const { victim0, victim1, others } = correctedCells({ p, beta, q });
  const gain = (i: number): number =>
    others[i]! > 0 ? (victim0[i]! - Math.exp(epsilon) * victim1[i]!) / others[i]! : 0;
  let sum = 0;
  for (let a = 0; a <= users; a++) {
    const atA = binomialPmf(a, users, others[0]!);
    for (let b = 0; a + b <= users; b++) {
      const atB = atA * binomialPmf(b, users - a, others[1]! / (1 - others[0]!));
      for (let c = 0; a + b + c <= users; c++) {
        const share = others[2]! / (1 - others[0]! - others[1]!);
        const total = a * gain(0) + b * gain(1) + c * gain(2);
        if (total > 0) sum += total * atB * binomialPmf(c, users - a - b, Math.min(1, share));
      }
    }
  }
  return sum / users;
}

const parameters = {
  epsilon0: fc.double({ min: 0.2, max: 5, noNaN: true }),
  share: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
  users: fc.integer({ min: 2, max: 20 }),
  fraction: uniform(0, 0.99),
};

test('the bracket holds the sum over all counts, and the published pair lies below it', () => {
  fc.assert(
    fc.property(fc.record(parameters), ({ epsilon0, share, users, fraction }) => {
      const p = Math.exp(epsilon0);
      const pair = { p, beta: (share * (p - 1)) / (p + 1), q: p + 1 };
      const exact = byEnumeration(pair, users, fraction * epsilon0);
      const { lower, upper } = correctedVariationRatioDivergence(pair, users, fraction * epsilon0);
      // The enumeration subtracts probabilities, in doubles.
      expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-11));
      expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-11));
      expect(upper - lower).toBeLessThanOrEqual(1e-9 * upper);
      expect(variationRatioDivergence(pair, users, fraction * epsilon0).lower).toBeLessThanOrEqual(
        exact + 1e-13,
      );
    }),
    { seed: 26, numRuns: 40 },
  );
});

test('it grows with beta, up to the stronger clones', () => {
  fc.assert(
    fc.property(fc.record(parameters), ({ epsilon0, share, users, fraction }) => {
      const p = Math.exp(epsilon0);
      const most = (p - 1) / (p + 1);
      const at = (part: number): number =>
        byEnumeration({ p, beta: part * most, q: p }, users, fraction * epsilon0);
      const here = at(share);
      expect(at(share * 0.9)).toBeLessThanOrEqual(here * (1 + 1e-11));
      expect(here).toBeLessThanOrEqual(at(1) * (1 + 1e-11));
    }),
    { seed: 27, numRuns: 60 },
  );
});

test('two to seven per cent above the published pair where few clones hide the victim', () => {
  const p = Math.exp(5);
  const { upper } = correctedVariationRatioEpsilon({ p, beta: (p - 1) / (p + 127), q: p }, 1e4, 1e-6);
  expect(upper / 0.50755359955).toBeCloseTo(1.066, 3);
});

test('cells that would hold more than all messages are refused', () => {
  expect(() => correctedCells({ p: 9, beta: 0.5, q: 1.3 })).toThrow(
    'q = 1.3: must be at least 1 + beta = 1.5',
  );
});

test.each([1, 7, 100])(
  'a total variation near the end of the doubles is not nothing to %i users',
  (users) => {
    const p = Math.exp(300);
    for (const beta of [5e-324, 1e-323, 1e-310]) {
      const { lower, upper } = correctedVariationRatioDivergence({ p, beta, q: p }, users, 90);
      expect(lower).toBe(0);
      // One user's divergence, which others never raise, is the total variation but for 1 in e^210.
      expect(upper).toBeGreaterThanOrEqual(users === 1 ? beta : Number.MIN_VALUE);
      expect(upper).toBeLessThanOrEqual(1.001 * beta + 20 * Number.MIN_VALUE);
    }
  },
);
