import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  logBinomialCoefficient,
  logBinomialLowerTail,
  logBinomialPmf,
  logBinomialTail,
  logGamma,
  logHalfBinomialTail,
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
  logHalfBinomialTail,
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
