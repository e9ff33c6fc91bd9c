/** The tests for tests accept what is right, refuse what is wrong, and give published p-values. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import {
  chiSquareTest,
  kolmogorovSmirnov,
  tabulate,
  twoSampleChiSquare,
  zTest,
} from '@shuffle-dp/core/testkit';

describe('chi-square', () => {
  test('Mendel 1866: 315, 101, 108 and 32 peas for 9 : 3 : 3 : 1', () => {
    const expected = [9, 3, 3, 1].map((share) => (556 * share) / 16);
    const { statistic, degrees, pValue } = chiSquareTest([315, 101, 108, 32], expected);
    expect(statistic).toBeCloseTo(0.470024, 6);
    expect(degrees).toBe(3);
    // Of three degrees: 2 (1 - Phi(sqrt x)) + sqrt(2 x / pi) e^(-x/2).
    expect(pValue).toBeCloseTo(0.92543, 5);
  });

  test('a count where none can be refutes, whatever is pooled', () => {
    expect(chiSquareTest([100, 1], [101, 0]).pValue).toBe(0);
  });

  test('small cells are pooled with their neighbours, and those at the end with the last large one', () => {
    expect(chiSquareTest([50, 4, 6, 1], [50, 5, 5, 1])).toEqual(chiSquareTest([50, 11], [50, 11]));
    // On its own the last cell would be ten thousand deviations off.
    expect(chiSquareTest([49, 51, 1], [50, 51 - 1e-8, 1e-8]).pValue).toBeGreaterThan(0.5);
  });

  test('two samples of different sizes: alike or not', () => {
    const first = [100, 200, 300, 400];
    expect(twoSampleChiSquare(first, [200, 400, 600, 800]).statistic).toBeCloseTo(0, 12);
    // (a sqrt(B/A) - b sqrt(A/B))^2 / (a + b) over the cells, for A = B.
    expect(twoSampleChiSquare(first, [120, 180, 300, 400]).statistic).toBeCloseTo(400 / 220 + 400 / 380, 12);
    expect(twoSampleChiSquare(first, [400, 300, 200, 100]).pValue).toBeLessThan(1e-30);
  });
});

test('Kolmogorov and Smirnov: uniform numbers pass, their squares do not', () => {
  const uniform = new Float64Array(2000);
  RandomStream.fromSeed('uniform').fill(uniform);
  expect(kolmogorovSmirnov(uniform, (x) => x)).toBeGreaterThan(1e-3);
  expect(
    kolmogorovSmirnov(
      uniform.map((x) => x * x),
      (x) => x,
    ),
  ).toBeLessThan(1e-30);
});

test('a mean 1.96 standard errors off has a p-value of one in twenty', () => {
  expect(zTest(1.9599639845400545, 0, 1)).toBeCloseTo(0.05, 12);
  expect(zTest(-1.9599639845400545, 0, 1)).toBeCloseTo(0.05, 12);
  expect([zTest(1, 1, 0), zTest(1, 2, 0)]).toEqual([1, 0]);
});

test('values beyond the table are counted in its last cell', () => {
  let next = 0;
  expect(Array.from(tabulate(6, 3, () => next++))).toEqual([1, 1, 4]);
});
