import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  correctedVariationRatioEpsilon,
  logVariationRatioDivergence,
  variationRatioDivergence,
  variationRatioEpsilon,
} from '@shuffle-dp/accounting';
import { binomialPmf, contains, relativeWidth } from '@shuffle-dp/core';
import { uniform } from '../../../core/test/uniform.ts';

type DivergenceRow = readonly [
  mechanism: string,
  users: number,
  p: number | null,
  beta: number,
  q: number,
  epsilon: number,
  delta: string,
];
type EpsilonRow = readonly [
  mechanism: string,
  users: number,
  p: number | null,
  beta: number,
  q: number,
  delta: number,
  epsilon: string,
];

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), 'utf8'));
}

const { rows: divergences } = fixture('variation-ratio-divergence') as { rows: DivergenceRow[] };
const { rows: epsilons } = fixture('variation-ratio-epsilon') as { rows: EpsilonRow[] };

/** Values such as 4e-3216 are no doubles. */
function logOfDecimal(text: string): number {
  const [mantissa, exponent = '0'] = text.split('e');
  return Number(mantissa) === 0 ? -Infinity : Math.log(Number(mantissa)) + Number(exponent) * Math.LN10;
}

describe('the divergence of the pair against 30-digit values', () => {
  test.each([...new Set(divergences.map(([mechanism]) => mechanism))])('%s', (mechanism) => {
    const misses: string[] = [];
    for (const [, users, p, beta, q, epsilon, delta] of divergences.filter((row) => row[0] === mechanism)) {
      const expected = logOfDecimal(delta);
      const { lower, upper } = logVariationRatioDivergence({ p: p ?? Infinity, beta, q }, users, epsilon);
      // The expected logarithm is itself rounded; that of 0 is -Infinity.
      const rounding = expected === -Infinity ? 0 : 3e-16 * Math.abs(expected);
      // At epsilon = log p the true value hangs on the last bit of the inputs: the lower end is zero there.
      const width = lower === -Infinity ? 0 : upper - lower;
      const holds = lower - rounding <= expected && expected <= upper + rounding;
      if (!(holds && width < (expected > -700 ? 1e-9 : 1e-8))) misses.push(`n=${users} eps=${epsilon}`);
    }
    expect(misses).toEqual([]);
  });

  test('every row of the references is there', () => {
    expect(divergences.length).toBe(470);
    expect(epsilons.length).toBe(87);
  });
});

test('epsilon at delta against 20-digit values, n up to 1e8', () => {
  const misses: string[] = [];
  for (const [mechanism, users, p, beta, q, delta, epsilon] of epsilons) {
    const { lower, upper } = variationRatioEpsilon({ p: p ?? Infinity, beta, q }, users, delta);
    const expected = Number(epsilon);
    const holds = lower <= expected * (1 + 4e-16) && upper >= expected * (1 - 4e-16);
    if (!(holds && upper - lower < 1e-9 * expected)) misses.push(`${mechanism} n=${users}`);
  }
  expect(misses).toEqual([]);
});

describe('edges', () => {
  const p = Math.exp(1);
  const general = { p, beta: (p - 1) / (p + 1), q: p };

  test('one user: the randomizer alone', () => {
    for (const epsilon of [0, 0.3, 0.9]) {
      const expected = (p - Math.exp(epsilon)) / (p + 1);
      const { lower, upper } = variationRatioDivergence(general, 1, epsilon);
      expect(lower).toBeLessThanOrEqual(expected);
      expect(upper).toBeGreaterThanOrEqual(expected);
      expect(upper - lower).toBeLessThan(1e-10);
    }
  });

  test('no variation, no divergence; beyond epsilon0 none either', () => {
    expect(variationRatioDivergence({ p, beta: 0, q: p }, 100, 0)).toEqual({ lower: 0, upper: 0 });
    expect(variationRatioDivergence(general, 100, 1.001)).toEqual({ lower: 0, upper: 0 });
    const atZero = variationRatioEpsilon(general, 100, 0);
    expect(contains(atZero, Math.log(p))).toBe(true);
    expect(relativeWidth(atZero)).toBeLessThan(1e-15);
    expect(variationRatioEpsilon(general, 100, 1)).toEqual({ lower: 0, upper: 0 });
  });

  test('p barely above 1, and epsilon0 of 1e-6 and 50', () => {
    for (const epsilon0 of [1e-6, 1e-3, 50]) {
      const ratio = Math.exp(epsilon0);
      const pair = { p: ratio, beta: Math.expm1(epsilon0) / (ratio + 1), q: ratio };
      const { lower, upper } = variationRatioEpsilon(pair, 1000, 1e-9);
      expect(lower).toBeLessThanOrEqual(upper);
      expect(upper).toBeLessThanOrEqual(epsilon0 * (1 + 1e-12));
    }
  });

  test.each([320, 450, 600])(
    'local budget %d, beyond which e^(epsilon + epsilon0) is no double',
    (epsilon0) => {
      const p = Math.exp(epsilon0);
      const pair = { p, beta: (p - 1) / (p + 1), q: p };
      // Nobody but the victim speaks for an input.
      const { lower, upper } = variationRatioDivergence(pair, 3, 280);
      expect(lower).toBeGreaterThan(1 - 1e-11);
      expect(upper).toBeLessThanOrEqual(1);
      expect(variationRatioDivergence(pair, 3, epsilon0 + 1)).toEqual({ lower: 0, upper: 0 });
      const budget = variationRatioEpsilon(pair, 3, 1e-6);
      expect(budget.lower).toBeGreaterThan(280);
      expect(budget.upper / epsilon0).toBeCloseTo(1, 9);
      const corrected = correctedVariationRatioEpsilon({ ...pair, beta: 0.9 }, 3, 1e-6).upper;
      expect(corrected / epsilon0).toBeCloseTo(1, 5);
    },
  );

  test('infinite p with a large epsilon keeps its floor', () => {
    const { lower, upper } = variationRatioDivergence({ p: Infinity, beta: 1, q: 4 }, 21, 60);
    // The victim's bin holds nobody else: (3/4)^20.
    expect(lower).toBeLessThanOrEqual(0.75 ** 20);
    expect(upper).toBeGreaterThanOrEqual(0.75 ** 20);
    expect(upper / 0.75 ** 20).toBeLessThan(1 + 1e-9);
  });
});

test('from one user to 1e12, without a gap wider than 1e-9 in epsilon', () => {
  const p = Math.exp(1);
  const general = { p, beta: (p - 1) / (p + 1), q: p };
  let before = Infinity;
  for (let users = 1; users <= 1e12; users *= 100) {
    const { lower, upper } = variationRatioEpsilon(general, users, 1e-15);
    expect(upper - lower).toBeLessThan(1e-9 * upper);
    expect(upper).toBeLessThan(before);
    before = lower;
  }
  // Checked against an 80-node sum in 40 digits.
  const { lower, upper } = variationRatioDivergence(general, 1e12, 6.736140197063809e-6);
  expect(lower).toBeLessThan(9.999999998e-15);
  expect(upper).toBeGreaterThan(9.999999998e-15);
});

test('infinite p: no epsilon gives delta = 0, nor one below the floor', () => {
  const balls = { p: Infinity, beta: 1, q: 4 };
  expect(variationRatioEpsilon(balls, 21, 0)).toEqual({ lower: Infinity, upper: Infinity });
  expect(variationRatioEpsilon(balls, 21, 0.75 ** 20 / 2).upper).toBe(Infinity);
  expect(variationRatioEpsilon(balls, 21, 0.75 ** 20 * 1.01).upper).toBeLessThan(20);
  expect(variationRatioDivergence(balls, 21, 1e6).upper).toBeGreaterThanOrEqual(0.75 ** 20);
});

test('refusals name the parameter and its range', () => {
  expect(() => variationRatioDivergence({ p: 2, beta: 0.5, q: 2 }, 10, 0)).toThrow(
    'beta = 0.5: must be in [0, (p-1)/(p+1)]',
  );
  expect(() => variationRatioDivergence({ p: 2, beta: 0.1, q: 0.5 }, 10, 0)).toThrow(
    'q = 0.5: must be at least 1',
  );
  expect(() => variationRatioDivergence({ p: 1, beta: 0, q: 1 }, 10, 0)).toThrow(
    'p = 1: must be greater than 1',
  );
  expect(() => variationRatioDivergence({ p: Infinity, beta: 1, q: 1.5 }, 10, 0)).toThrow(
    'q = 1.5: must be at least 2 beta p / (p - 1) = 2',
  );
  expect(() => variationRatioEpsilon({ p: 2, beta: 0.1, q: 2 }, 10, 1.5)).toThrow(
    'delta = 1.5: must be in [0, 1]',
  );
  expect(() => variationRatioDivergence({ p: 2, beta: 0.1, q: 2 }, 0, 1)).toThrow('users = 0');
});

test('falls with epsilon and with the number of users', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.05, max: 5, noNaN: true }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 3000 }),
      uniform(0, 1),
      (epsilon0, share, users, fraction) => {
        const ratio = Math.exp(epsilon0);
        const pair = { p: ratio, beta: (share * (ratio - 1)) / (ratio + 1), q: ratio };
        const epsilon = fraction * epsilon0;
        const here = variationRatioDivergence(pair, users, epsilon);
        expect(here.lower).toBeLessThanOrEqual(here.upper);
        expect(variationRatioDivergence(pair, users, epsilon * 1.1).lower).toBeLessThanOrEqual(here.upper);
        expect(variationRatioDivergence(pair, users * 2, epsilon).lower).toBeLessThanOrEqual(here.upper);
      },
    ),
    { seed: 20241 },
  );
});

test('the sum over all counts, term by term, for a few users', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 4, noNaN: true }),
      fc.double({ min: 0.05, max: 1, noNaN: true }),
      fc.double({ min: 1, max: 3, noNaN: true }),
      fc.integer({ min: 1, max: 25 }),
      uniform(0, 0.95),
      (epsilon0, share, spread, users, fraction) => {
        const p = Math.exp(epsilon0);
        const pair = { p, beta: (share * (p - 1)) / (p + 1), q: p * spread };
        const expected = divergenceByDefinition(pair, users, fraction * epsilon0);
        const { lower, upper } = variationRatioDivergence(pair, users, fraction * epsilon0);
        // The definition subtracts probabilities of up to 1, in doubles.
        expect(lower).toBeLessThanOrEqual(expected + 1e-14);
        expect(upper).toBeGreaterThanOrEqual(expected - 1e-14);
      },
    ),
    { seed: 20242 },
  );
});

/** The sum of (P - e^eps Q)_+ over the counts (a, b) of the two telling cells, from the law of the pair. */
function divergenceByDefinition(
  { p, beta, q }: { p: number; beta: number; q: number },
  users: number,
  epsilon: number,
): number {
  const alpha = beta / (p - 1);
  const r = (alpha * p) / q;
  const others = (a: number, b: number): number =>
    a < 0 || b < 0 || a + b > users - 1
      ? 0
      : binomialPmf(a + b, users - 1, 2 * r) * binomialPmf(a, a + b, 0.5);
  const rest = 1 - alpha - p * alpha;
  let sum = 0;
  for (let a = 0; a <= users; a++) {
    for (let b = 0; a + b <= users; b++) {
      const first = p * alpha * others(a - 1, b) + alpha * others(a, b - 1) + rest * others(a, b);
      const second = alpha * others(a - 1, b) + p * alpha * others(a, b - 1) + rest * others(a, b);
      sum += Math.max(0, first - Math.exp(epsilon) * second);
    }
  }
  return sum;
}

test('divergences of e^-100000 and less are still bounded', () => {
  for (const epsilon0 of [1.25, 1.5, 2]) {
    const p = Math.exp(epsilon0);
    const { lower, upper } = logVariationRatioDivergence({ p, beta: (p - 1) / (p + 1023), q: p }, 1e9, 1);
    expect(lower).toBe(-Infinity);
    expect(upper).toBeLessThan(-50_000);
  }
});
