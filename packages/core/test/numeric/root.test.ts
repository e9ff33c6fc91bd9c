import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { bracketRoot, BracketError, lastWhere } from '@shuffle-dp/core';

describe('a zero counts to the right end', () => {
  // f is 0 on a stretch that the search is sure to meet: the sign changes at its left end.
  const flat = (x: number): number => (x < 3 ? -1 : x > 5 ? 1 : 0);

  test.each([
    ['rising', 1],
    ['falling', -1],
  ])('%s', (_, sign) => {
    const { lower, upper } = bracketRoot((x) => sign * flat(x), 0, 8);
    expect(lower).toBeLessThan(3);
    expect(upper).toBeGreaterThanOrEqual(3);
    expect(upper - lower).toBeLessThanOrEqual(1e-13);
    expect(flat(lower)).toBe(-1);
    expect(flat(upper)).toBe(0);
  });

  test.each([
    ['rising', 1],
    ['falling', -1],
  ])('%s to a zero at the right end', (_, sign) => {
    const { lower, upper } = bracketRoot((x) => sign * (x < 7 ? -1 : 0), 0, 8);
    expect(lower).toBeLessThan(7);
    expect(upper).toBeGreaterThanOrEqual(7);
    expect(upper - lower).toBeLessThanOrEqual(1e-13);
  });

  test.each([
    ['rising', 1],
    ['falling', -1],
  ])('%s from a zero at the left end: the bracket begins there', (_, sign) => {
    const { lower, upper } = bracketRoot((x) => sign * x, 0, 8);
    expect(lower).toBe(0);
    expect(upper).toBeLessThan(1e-10);
  });
});

test('zero at both ends, or no number, is no bracket', () => {
  expect(() => bracketRoot(() => 0, 0, 1)).toThrow(BracketError);
  expect(() => bracketRoot(() => Number.NaN, 0, 1)).toThrow(BracketError);
  expect(() => bracketRoot((x) => (x === 0 ? -1 : x === 1 ? 1 : Number.NaN), 0, 1)).toThrow(BracketError);
});

test('the tolerances are those of the caller, the evaluations too', () => {
  const widthOf = (options: object): number => {
    const { lower, upper } = bracketRoot((x) => Math.cbrt(x - Math.E), 2, 4, options);
    expect(lower < Math.E && upper > Math.E).toBe(true);
    return upper - lower;
  };
  expect(widthOf({ absoluteTolerance: 0.01 })).toBeLessThanOrEqual(0.01);
  expect(widthOf({ absoluteTolerance: 0.01 })).toBeGreaterThan(1e-6);
  expect(widthOf({ relativeTolerance: 1e-3 })).toBeLessThanOrEqual(4e-3);
  expect(widthOf({ relativeTolerance: 1e-3 })).toBeGreaterThan(1e-7);
  let evaluations = 0;
  bracketRoot((x) => (evaluations++, Math.cbrt(x - Math.E)), 2, 4, { maxEvaluations: 7 });
  expect(evaluations).toBe(7);
});

describe('the last integer at which something holds', () => {
  test('is the one after which it does not, and the ends are not asked', () => {
    fc.assert(
      fc.property(fc.integer({ min: -50, max: 50 }), fc.nat(200), fc.nat(200), (last, below, above) => {
        const [low, high] = [last - below, last + 1 + above];
        const asked: number[] = [];
        const found = lastWhere(low, high, (k) => (asked.push(k), k <= last));
        expect(found).toBe(last);
        expect(asked.every((k) => k > low && k < high)).toBe(true);
        expect(asked.length).toBeLessThanOrEqual(Math.ceil(Math.log2(high - low)));
      }),
    );
  });
});
