import * as fc from 'fast-check';
import { mean, sampleVariance } from 'simple-statistics';
import { expect, test } from 'vitest';
import {
  BracketError,
  RandomStream,
  RunningMoments,
  binomialTail,
  bracketRoot,
  clopperPearsonInterval,
  meanConfidenceInterval,
  studentQuantile,
} from '@shuffle-dp/core';
import { ExactSum } from '../../src/statistics/exact-sum.ts';
import { uniform } from '../uniform.ts';

const values = fc.array(fc.double({ noNaN: true, min: -1e100, max: 1e100 }), { minLength: 1, maxLength: 40 });

test('moments have the same bits in any order and split', () => {
  fc.assert(
    fc.property(values, fc.integer(), fc.integer({ min: 1, max: 7 }), (numbers, seed, parts) => {
      const stream = RandomStream.fromSeed(String(seed));
      const whole = new RunningMoments();
      for (const value of numbers) whole.add(value);
      const shuffled = numbers.map((value) => ({ value, key: stream.next() })).sort((a, b) => a.key - b.key);
      const pieces = Array.from({ length: parts }, () => new RunningMoments());
      shuffled.forEach(({ value }, i) => pieces[i % parts]!.add(value));
      const merged = new RunningMoments();
      for (const piece of pieces.toReversed()) merged.merge(piece);
      expect([merged.count, merged.mean, merged.variance]).toEqual([whole.count, whole.mean, whole.variance]);
    }),
    { seed: 19 },
  );
});

test('exact sums where plain ones lose everything', () => {
  const sum = new ExactSum();
  for (const term of [1e100, 1, -1e100, 2 ** -60, 1e16, -1e16]) sum.add(term);
  expect(sum.value).toBe(1 + 2 ** -60);
});

test('moments agree with a library that is right on small samples', () => {
  const stream = RandomStream.fromSeed('library');
  const sample = Array.from({ length: 50 }, () => stream.next() * 100 - 20);
  const moments = new RunningMoments();
  for (const value of sample) moments.add(value);
  expect(moments.mean).toBeCloseTo(mean(sample), 12);
  expect(moments.variance).toBeCloseTo(sampleVariance(sample), 10);
});

test('moments of small integers', () => {
  const moments = new RunningMoments();
  for (const value of [1, 2, 3, 4]) moments.add(value);
  expect([moments.mean, moments.variance]).toEqual([2.5, 5 / 3]);
  const { lower, upper } = meanConfidenceInterval(moments);
  expect((upper - lower) / 2).toBeCloseTo(3.182446305284263 * Math.sqrt(5 / 12), 12);
});

test.each([
  { values: [1e9 + 1, 1e9 + 2, 1e9 + 4], variance: 7 / 3 },
  { values: [2 ** 50, 2 ** 50 + 1], variance: 0.5 },
  { values: Array.from({ length: 7 }, () => 0.1), variance: 0 },
  { values: [1e-8, -1e-8], variance: 2e-16 },
])('the variance of $values keeps its digits beside a large mean', ({ values: given, variance }) => {
  const moments = new RunningMoments();
  for (const value of given) moments.add(value);
  expect(Math.abs(moments.variance - variance)).toBeLessThanOrEqual(1e-15 * variance);
});

test("Student's quantiles", () => {
  expect(studentQuantile(0.975, 1)).toBeCloseTo(12.706204736174705, 9);
  expect(studentQuantile(0.975, 99)).toBeCloseTo(1.9842169515864165, 11);
  expect(studentQuantile(0.025, 99)).toBeCloseTo(-1.9842169515864165, 11);
});

test('the exact interval of a proportion: the ends are where a tail is half the error', () => {
  for (const [successes, trials] of [
    [3, 10],
    [50, 100],
    [1, 1_000_000],
    [999_000, 1_000_000],
  ] as const) {
    const { lower, upper } = clopperPearsonInterval(successes, trials, 0.95);
    expect(binomialTail(successes, trials, lower)).toBeCloseTo(0.025, 11);
    expect(1 - binomialTail(successes + 1, trials, upper)).toBeCloseTo(0.025, 11);
    expect(lower < successes / trials && successes / trials < upper).toBe(true);
  }
});

test('the exact interval at no and at all successes, in closed form', () => {
  expect(clopperPearsonInterval(0, 100).lower).toBe(0);
  expect(clopperPearsonInterval(0, 100).upper).toBeCloseTo(1 - 0.025 ** 0.01, 13);
  expect(clopperPearsonInterval(100, 100).lower).toBeCloseTo(0.025 ** 0.01, 13);
  expect(clopperPearsonInterval(100, 100).upper).toBe(1);
  expect(clopperPearsonInterval(3, 100, 1)).toEqual({ lower: 0, upper: 1 });
});

test('a bracket holds the root on the stated sides', () => {
  fc.assert(
    fc.property(uniform(-50, 50), fc.constantFrom(1, -1), (root, sign) => {
      const f = (x: number): number => sign * ((x - root) ** 3 + 1e-3 * (x - root));
      const { lower, upper } = bracketRoot(f, -60, 70);
      expect(lower <= root && root <= upper).toBe(true);
      expect(upper - lower).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(root)));
      expect(sign * f(lower) <= 0 && sign * f(upper) >= 0).toBe(true);
    }),
  );
});

test('no sign change, no bracket', () => {
  expect(() => bracketRoot((x) => x * x + 1, -1, 1)).toThrow(BracketError);
});

test('root finding takes few evaluations', () => {
  let evaluations = 0;
  bracketRoot((x) => (evaluations++, Math.exp(x) - 2), 0, 10);
  expect(evaluations).toBeLessThan(20);
});
