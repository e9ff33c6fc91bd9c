import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { markedTable } from '../../../cli/test/docs/markdown-table.ts';
import {
  gaussianDivergence,
  gaussianDivergenceUpper,
  gaussianSeparation,
  logBinomialCoefficient,
  logBinomialLowerTail,
  logBinomialPmf,
  logBinomialTail,
  logGamma,
  logNormalTail,
  logRegularizedIncompleteBeta,
  normalQuantile,
  normalTail,
} from '@shuffle-dp/core';

interface Row {
  readonly f: string;
  readonly x: readonly string[];
  readonly v: string;
}

const { rows } = JSON.parse(
  readFileSync(new URL('../fixtures/special-functions.json', import.meta.url), 'utf8'),
) as { rows: Row[] };

const functions: Record<string, (...x: number[]) => number> = {
  logGamma,
  logBinomialCoefficient,
  logBinomialPmf,
  logBinomialTail,
  logBinomialLowerTail,
  logHalfBinomialTail: (k, n) => logBinomialTail(k!, n!, 0.5),
  logRegularizedIncompleteBeta,
  logNormalTail,
};

/**
 * Error of exp(value), which is what a probability's relative error is; a logarithm of magnitude L cannot be
 * represented better than to L * 2^-53.
 */
function probabilityError(value: number, reference: number): number {
  return Math.abs(value - reference) / Math.max(1, Math.abs(reference) / 1000);
}

describe.each(Object.keys(functions))('%s against 60-digit values', (name) => {
  const own = rows.filter((row) => row.f === name);

  test('has rows', () => expect(own.length).toBeGreaterThan(5));

  test.each(own.map((row) => [row.x.join(', '), row] as const))('at (%s)', (_, row) => {
    const value = functions[name]!(...row.x.map(Number));
    const reference = Number(row.v);
    if (name === 'logGamma' || name === 'logBinomialCoefficient') {
      expect(Math.abs(value - reference)).toBeLessThanOrEqual(2e-14 * Math.abs(reference));
    } else if (Math.abs(reference) < 1e-3) {
      expect(Math.abs(value - reference)).toBeLessThanOrEqual(1e-9 * Math.abs(reference));
    } else {
      const bulk = reference > -30;
      expect(probabilityError(value, reference)).toBeLessThan(bulk ? 1e-12 : 1e-11);
    }
  });
});

test('the normal quantile inverts the tail', () => {
  for (const p of [1e-300, 1e-100, 1e-12, 0.001, 0.2, 0.4999, 0.5, 0.7, 0.999]) {
    const z = normalQuantile(p);
    const back = normalTail(-z);
    expect(Math.abs(back - p)).toBeLessThan(2e-12 * p);
  }
});

test.each([
  [1, 0, 0.38292492254802621],
  [1, 1, 0.12693673750664395],
  [5, 2, 0.96834898029051484],
  [0.01, 0.2, 1.5140791334826318e-92],
  [2, 40, 8.0828663732942988e-82],
])(
  'the divergence of normal laws %d apart at epsilon %d, against 40-digit values',
  (mu, epsilon, expected) => {
    expect(gaussianDivergence(mu, epsilon) / expected).toBeCloseTo(1, 9);
  },
);

// 60-digit values at the doubles that are given.
test.each([
  [1, 0, 0.3829249225480262072754092],
  [1, 1, 0.1269367375066439458008296],
  [1, 30, 4.709326318097522196981947e-193],
  [20, 319, 1.025520610117121230976034e-9],
  [1e-6, 3e-6, 3.821548902795874353646375e-10],
  [0.2, 1.7, 5.058452925644403755267194e-19],
  [20, 900, 4.087116234703906733504651e-269],
  [0.001, 0.03, 1.656620395042938314027586e-202],
])('the upper end of the divergence of normal laws %d apart at epsilon %d', (mu, epsilon, exact) => {
  const upper = gaussianDivergenceUpper(mu, epsilon);
  expect(upper).toBeGreaterThan(exact);
  expect(upper / exact).toBeLessThan(1 + 1e-6);
});

test('what underflows is no divergence of 0 from above', () => {
  expect(gaussianDivergenceUpper(1, 1e4)).toBe(Number.MIN_VALUE);
  expect(gaussianDivergenceUpper(1e-300, 1)).toBe(Number.MIN_VALUE);
  expect(gaussianDivergenceUpper(0, 0)).toBe(0);
});

test('the separation of normal laws inverts their total variation', () => {
  for (const mu of [1e-6, 9e-5, 3e-4, 0.1, 1, 5]) {
    expect(gaussianSeparation(gaussianDivergence(mu, 0)) / mu).toBeCloseTo(1, 7);
  }
  expect(gaussianDivergence(0, 0)).toBe(0);
});

describe('docs/special-functions.md states errors that hold', () => {
  const page = readFileSync(new URL('../../../../docs/special-functions.md', import.meta.url), 'utf8');
  const table = markedTable(page, 'errors');
  const printedOf = (name: string): string[] => table.find(([named]) => named!.includes(`\`${name}\``))!;

  test.each([
    ['logGamma', 'logGamma'],
    ['logBinomialCoefficient', 'logBinomialCoefficient'],
    ['logBinomialPmf', 'logBinomialPmf'],
    ['logBinomialTail', 'logBinomialTail'],
    ['logBinomialLowerTail', 'logBinomialTail'],
    ['logHalfBinomialTail', 'logBinomialTail'],
    ['logRegularizedIncompleteBeta', 'logRegularizedIncompleteBeta'],
    ['logNormalTail', 'logNormalTail'],
  ])('of %s', (name, named) => {
    const [bulk, far] = printedOf(named).slice(1).map(Number.parseFloat) as [number, number];
    for (const { f, x, v } of rows) {
      if (f !== name) continue;
      const reference = Number(v);
      const error = Math.abs(functions[name]!(...x.map(Number)) - reference);
      const size = Math.abs(reference);
      const isLogarithm = f === 'logGamma' || f === 'logBinomialCoefficient' || reference <= -30;
      // The reference itself is rounded to a double.
      const allowed = isLogarithm ? (reference <= -30 ? far || bulk : bulk) * size : bulk;
      expect(error).toBeLessThanOrEqual(allowed + size * 2 ** -53);
    }
  });
});
