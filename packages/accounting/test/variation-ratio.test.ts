import { readFileSync } from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import {
  logVariationRatioDivergence,
  variationRatioDivergence,
  variationRatioEpsilon,
} from '@shuffle-dp/accounting';

interface Row {
  readonly mechanism: string;
  readonly users: number;
  readonly p: string;
  readonly beta: string;
  readonly q: string;
  readonly epsilon: string;
  readonly delta: string;
}

const fixtures = JSON.parse(
  readFileSync(new URL('fixtures/variation-ratio-pair.json', import.meta.url), 'utf8'),
) as {
  divergences: Row[];
  epsilons: Row[];
};

/** The references give p, beta and q as exact expressions such as (exp(1)-1)/(exp(1)+15). */
function evaluate(expression: string): number {
  if (expression === 'inf') return Infinity;
  if (!/^[\d.e+\-*/() ]*$/.test(expression.replaceAll(/exp|log|sqrt|\^/g, ''))) throw new Error(expression);
  // oxlint-disable-next-line typescript/no-implied-eval -- checked above to be arithmetic
  const compiled = new Function('exp', 'log', 'sqrt', `return ${expression.replaceAll('^', '**')}`) as (
    ...functions: ((x: number) => number)[]
  ) => number;
  return compiled(Math.exp, Math.log, Math.sqrt);
}

/** Values such as 4e-3216 are no doubles. */
function logOfDecimal(text: string): number {
  const [mantissa, exponent = '0'] = text.split('e');
  return Number(mantissa) === 0 ? -Infinity : Math.log(Number(mantissa)) + Number(exponent) * Math.LN10;
}

const parametersOf = (row: Row): { p: number; beta: number; q: number } => ({
  p: evaluate(row.p),
  beta: evaluate(row.beta),
  q: evaluate(row.q),
});

describe('the divergence of the pair against 30-digit values', () => {
  test.each([...new Set(fixtures.divergences.map((row) => row.mechanism))])('%s', (mechanism) => {
    const rows = fixtures.divergences.filter((row) => row.mechanism === mechanism);
    for (const row of rows) {
      const expected = logOfDecimal(row.delta);
      const { lower, upper } = logVariationRatioDivergence(
        parametersOf(row),
        row.users,
        evaluate(row.epsilon),
      );
      const where = `${mechanism} n=${row.users} eps=${row.epsilon}`;
      if (expected === -Infinity) {
        expect(lower, where).toBe(-Infinity);
        continue;
      }
      // A logarithm of this size is itself rounded.
      const rounding = 1e-15 * Math.abs(expected);
      expect(lower - rounding, where).toBeLessThanOrEqual(expected);
      expect(upper + rounding, where).toBeGreaterThanOrEqual(expected);
      // At epsilon = log p the true value hangs on the last bit of the inputs: the lower end is zero there.
      if (lower > -Infinity) expect(upper - lower, where).toBeLessThan(expected > -700 ? 1e-9 : 1e-8);
    }
  });

  test('every mechanism of the references is there', () => {
    expect(fixtures.divergences.length).toBe(470);
    expect(fixtures.epsilons.length).toBe(87);
  });
});

test('epsilon at delta against 20-digit values, n up to 1e8', () => {
  for (const row of fixtures.epsilons) {
    const { lower, upper } = variationRatioEpsilon(parametersOf(row), row.users, Number(row.delta));
    const expected = Number(row.epsilon);
    const where = `${row.mechanism} n=${row.users}`;
    expect(lower, where).toBeLessThanOrEqual(expected * (1 + 4e-16));
    expect(upper, where).toBeGreaterThanOrEqual(expected * (1 - 4e-16));
    expect((upper - lower) / expected, where).toBeLessThan(1e-9);
  }
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
    expect(variationRatioEpsilon(general, 100, 0)).toEqual({ lower: Math.log(p), upper: Math.log(p) });
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

  test('infinite p with a large epsilon keeps its floor', () => {
    const { lower, upper } = variationRatioDivergence({ p: Infinity, beta: 1, q: 4 }, 21, 60);
    // The victim's bin holds nobody else: (3/4)^20.
    expect(lower).toBeLessThanOrEqual(0.75 ** 20);
    expect(upper).toBeGreaterThanOrEqual(0.75 ** 20);
    expect(upper / 0.75 ** 20).toBeLessThan(1 + 1e-9);
  });
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
  expect(() => variationRatioDivergence({ p: Infinity, beta: 1, q: 1.5 }, 10, 0)).toThrow('at most 1/2');
  expect(() => variationRatioEpsilon({ p: 2, beta: 0.1, q: 2 }, 10, 1.5)).toThrow(
    'delta = 1.5: must be in [0, 1]',
  );
  expect(() => variationRatioDivergence({ p: 2, beta: 0.1, q: 2 }, 0, 1)).toThrow('users = 0');
});

property.prop([
  fc.double({ min: 0.05, max: 5, noNaN: true }),
  fc.double({ min: 0.05, max: 1, noNaN: true }),
  fc.integer({ min: 1, max: 3000 }),
  fc.double({ min: 0, max: 1, noNaN: true }),
])('falls with epsilon and with the number of users', (epsilon0, share, users, fraction) => {
  const ratio = Math.exp(epsilon0);
  const pair = { p: ratio, beta: (share * (ratio - 1)) / (ratio + 1), q: ratio };
  const epsilon = fraction * epsilon0;
  const here = variationRatioDivergence(pair, users, epsilon);
  expect(here.lower).toBeLessThanOrEqual(here.upper);
  expect(variationRatioDivergence(pair, users, epsilon * 1.1).lower).toBeLessThanOrEqual(here.upper);
  expect(variationRatioDivergence(pair, users * 2, epsilon).lower).toBeLessThanOrEqual(here.upper);
});
