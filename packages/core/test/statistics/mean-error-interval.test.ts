import { mean, medianSorted } from 'simple-statistics';
import { describe, expect, it, test } from 'vitest';
import {
  meanErrorInterval,
  RandomStream,
  RunningMoments,
  sampleGaussian,
  sampleLaplace,
} from '@shuffle-dp/core';
import { regularizedGammaTail } from '../../src/numeric/incomplete-gamma.ts';
import { logGammaQuantile } from '../../src/numeric/gamma-quantile.ts';

function momentsOf(values: readonly number[]): RunningMoments {
  const moments = new RunningMoments();
  values.forEach((value) => moments.add(value));
  return moments;
}

/** Errors of expectation 1. */
type ErrorLaw = (stream: RandomStream) => number;

const sumOf =
  (variables: number, draw: ErrorLaw): ErrorLaw =>
  (stream) => {
    let sum = 0;
    for (let i = 0; i < variables; i++) sum += draw(stream);
    return sum / variables;
  };

const squaredNormal: ErrorLaw = (stream) => sampleGaussian(stream) ** 2;
const squaredLaplace: ErrorLaw = (stream) => sampleLaplace(1, stream) ** 2 / 2;

/** Two categories have one free error, d have d - 1. */
const LAWS: readonly [name: string, domain: number, law: ErrorLaw][] = [
  ['squared normal errors', 2, squaredNormal],
  ['squared normal errors', 12, sumOf(11, squaredNormal)],
  ['squared Laplace errors, kurtosis 6', 2, squaredLaplace],
  ['squared Laplace errors, kurtosis 6', 12, sumOf(11, squaredLaplace)],
];

describe.each(LAWS)('%s over %d categories', (name, domain, law) => {
  it.each([2, 5, 20])('%d trials: nominal 95 in 100 covers at least 93', (trials) => {
    const repetitions = 3000;
    const stream = RandomStream.fromSeed(`coverage ${name} ${domain} ${trials}`);
    let covered = 0;
    for (let i = 0; i < repetitions; i++) {
      const { lower, upper } = meanErrorInterval(
        momentsOf(Array.from({ length: trials }, () => law(stream))),
        2 / domain,
      );
      expect(lower).toBeGreaterThanOrEqual(0);
      if (lower <= 1 && 1 <= upper) covered++;
    }
    // Of a true coverage of 94.5 % this is refused with probability 2e-4.
    expect(covered / repetitions).toBeGreaterThan(0.93);
  });
});

test('intervals are no wider than they have to be: between the ends that a known law has, and half as much again', () => {
  const stream = RandomStream.fromSeed('width');
  const law = sumOf(11, squaredNormal);
  const ends = Array.from({ length: 400 }, () => {
    const moments = momentsOf(Array.from({ length: 20 }, () => law(stream)));
    const { lower, upper } = meanErrorInterval(moments, 2 / 12);
    return upper / moments.mean - lower / moments.mean;
  }).sort((a, b) => a - b);
  // 220 / chi-square quantiles of 220 degrees at 2.5 and 97.5 %: 0.8357 and 1.2182.
  expect(medianSorted(ends)).toBeGreaterThan(0.3825);
  expect(medianSorted(ends)).toBeLessThan(0.3825 * 1.5);
  expect(mean(ends)).toBeLessThan(0.3825 * 1.5);
});

test('few or equal trials never give an end below zero, nor an interval of no width', () => {
  for (const values of [[1], [1, 1], [0, 1], [3, 3, 3, 3], [0, 0, 0, 1], [1e-120, 1e120], [0, 0]]) {
    const { lower, upper } = meanErrorInterval(momentsOf(values), 2 / 12);
    const middle = mean(values);
    expect(lower).toBeGreaterThanOrEqual(0);
    if (middle > 0) {
      expect(lower).toBeLessThan(middle);
      expect(upper).toBeGreaterThan(middle);
    } else expect(upper).toBe(Infinity);
  }
  expect(meanErrorInterval(momentsOf([1]), 1)).toEqual({ lower: 0, upper: Infinity });
});

test('the interval scales with the errors, whatever the order and the parts they came in', () => {
  const values = [0.3, 1.2, 0.7, 2.5, 0.1];
  const { lower, upper } = meanErrorInterval(momentsOf(values), 1);
  const scaled = meanErrorInterval(momentsOf(values.map((value) => value * 1024)), 1);
  expect(scaled.lower / lower).toBeCloseTo(1024, 9);
  expect(scaled.upper / upper).toBeCloseTo(1024, 9);
  const merged = momentsOf(values.slice(3));
  merged.merge(momentsOf(values.slice(0, 3)));
  expect(meanErrorInterval(merged, 1)).toEqual({ lower, upper });
});

// SciPy 1.17: stats.gamma.ppf and isf; far tails against closed forms.
test.each([
  [0.025, 1, 0.025317807984289876, 3.6888794541139363],
  [0.025, 0.5, 0.00049103455858763, 2.5119430936574453],
  [0.0027, 5, 0.93039535866043, 13.45045589430705],
  [0.01, 1e5, 99265.81516346135, 100737.12609678283],
  [1e-10, 999_999, 993650.8119573032, 1006373.4991817265],
  [1e-10, 1e6, 993651.8087766353, 1006374.5023623948],
])('gamma quantiles at p = %f, shape %f', (p, shape, below, above) => {
  expect(Math.exp(logGammaQuantile(p, shape, 'below')) / below).toBeCloseTo(1, 8);
  expect(Math.exp(logGammaQuantile(p, shape, 'above')) / above).toBeCloseTo(1, 8);
});

test('gamma quantiles of tiny shapes do not underflow, and invert the tail', () => {
  // Pr[X <= x] is x^a / Gamma(a + 1) for small x: log x = (log p + log Gamma(a + 1)) / a.
  expect(logGammaQuantile(0.025, 0.001, 'below')).toBeCloseTo((Math.log(0.025) - 0.000576) / 0.001, -1);
  for (const shape of [0.3, 2, 70]) {
    const x = Math.exp(logGammaQuantile(0.004, shape, 'above'));
    expect(regularizedGammaTail(shape, x)).toBeCloseTo(0.004, 12);
  }
});

test('the mean of eleven equal values whose law is known to be wide: quantiles of an exponential variable', () => {
  // A relative variance of 11 for one value is 1 for the mean of eleven, as of the exponential law. Its tail
  // is the normal one at Student's quantile for ten degrees, 2.2281388519862747: 0.012935628581961475
  // (mpmath).
  const { lower, upper } = meanErrorInterval(momentsOf(Array<number>(11).fill(2)), 11);
  expect(lower).toBeCloseTo(2 * 0.23000297396363972, 9);
  expect(upper).toBeCloseTo(2 * 76.8047833371587, 7);
});
