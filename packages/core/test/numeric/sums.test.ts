import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compensatedSum,
  forwardTransform,
  integrateSmooth,
  inverseTransform,
  binomialPmf,
  log1pMinus,
  logAdd,
  logSumExp,
  raiseSpectrum,
} from '@shuffle-dp/core';
import { log1mExp, logSubtract } from '../../src/numeric/log-space.ts';
import { exactProduct } from '../../src/numeric/double-double.ts';
import { uniform } from '../uniform.ts';

const logarithm = uniform(-700, 700);

test('adding logarithms and taking one away again', () => {
  fc.assert(
    fc.property(logarithm, logarithm, (a, b) => {
      const [low, high] = [Math.min(a, b), Math.max(a, b)];
      expect(logAdd(low, high)).toBe(logAdd(high, low));
      expect(Math.abs(logAdd(a, b) - logSumExp([a, b]))).toBeLessThanOrEqual(1e-15 * (1 + Math.abs(high)));
      if (high - low < 1) {
        const back = logSubtract(logAdd(low, high), low);
        expect(Math.abs(back - high)).toBeLessThanOrEqual(1e-15 * (1 + Math.abs(high)) * 4);
      }
    }),
    { seed: 20 },
  );
});

test('zero is minus infinity', () => {
  expect(logAdd(-Infinity, 3)).toBe(3);
  expect(logSubtract(3, -Infinity)).toBe(3);
  expect(logSubtract(3, 3)).toBe(-Infinity);
  expect(logSumExp([])).toBe(-Infinity);
  expect(logSumExp([1000, 1000])).toBe(1000 + Math.LN2);
});

test('log(1 - e^x) at both ends', () => {
  expect(log1mExp(-1e-20)).toBeCloseTo(Math.log(1e-20), 13);
  expect(log1mExp(-100)).toBe(-Math.exp(-100));
});

test('a compensated sum keeps what a plain one drops', () => {
  expect(compensatedSum([1, 1e100, 1, -1e100])).toBe(2);
  expect(compensatedSum(Array.from({ length: 10 }, () => 0.1))).toBe(1);
});

test('products are exact', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
      const { high, low } = exactProduct(a, b);
      expect(BigInt(high) + BigInt(low)).toBe(BigInt(a) * BigInt(b));
    }),
    { seed: 21 },
  );
});

test('log(1 + s) - s keeps its digits near 0 and across its two forms', () => {
  // Its own series, summed far beyond double precision's need.
  const series = (s: number): number => {
    let sum = 0;
    for (let k = 60; k >= 2; k--) sum += ((k % 2 === 0 ? -1 : 1) * s ** k) / k;
    return sum;
  };
  for (const s of [1e-12, -1e-6, 0.001, 0.0599, -0.0601, 0.2, -0.3]) {
    expect(log1pMinus(s) / series(s)).toBeCloseTo(1, 13);
  }
});

test('quadrature of a polynomial and of an exponential', () => {
  expect(integrateSmooth((x) => x ** 19, 0, 2, 10)).toBeCloseTo(2 ** 20 / 20, 9);
  expect(integrateSmooth(Math.exp, -3, 4)).toBeCloseTo(Math.exp(4) - Math.exp(-3), 12);
});

test.each([
  [10, 2e-15],
  [1000, 1e-14],
  [100_000, 1e-13],
])('power %d of a spectrum errs by less than %d', (power, bound) => {
  const law = new Float64Array(4096);
  law[0] = 0.99;
  law[1] = 0.01;
  const spectrum = forwardTransform(law, law.length);
  raiseSpectrum(spectrum, power);
  inverseTransform(spectrum).forEach((value, k) => {
    expect(Math.abs(value - binomialPmf(k, power, 0.01))).toBeLessThan(bound);
  });
});
