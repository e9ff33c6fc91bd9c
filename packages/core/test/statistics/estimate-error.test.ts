import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  largestError,
  meanSquareOverRanges,
  shareOfRanges,
  sumOfSquares,
  totalVariation,
} from '../../src/statistics/estimate-error.ts';
import { uniform } from '../uniform.ts';

/** Range by range, each summed anew. */
function rangeByRange(errors: readonly number[]): number {
  const squares: number[] = [];
  for (let from = 0; from < errors.length; from++) {
    for (let to = from + 1; to <= errors.length; to++) {
      const answer = errors.slice(from, to).reduce((sum, error) => sum + error, 0);
      squares.push(answer * answer);
    }
  }
  return squares.reduce((sum, square) => sum + square, 0) / squares.length;
}

it('the error of ranges is the mean over all of them', () => {
  fc.assert(
    fc.property(fc.array(uniform(-1, 1), { minLength: 2, maxLength: 24 }), (errors) => {
      const direct = rangeByRange(errors);
      expect(Math.abs(meanSquareOverRanges(Float64Array.from(errors)) - direct)).toBeLessThanOrEqual(
        1e-12 * direct + 1e-30,
      );
    }),
  );
});

// d of the d (d + 1) / 2 ranges hold the first category. Sums of squares that are not centred differ in the
// seventh digit.
it('keeps its digits over many categories', () => {
  const domain = 100_000;
  const errors = new Float64Array(domain);
  errors[0] = 0.1;
  const expected = (2 * 0.1 * 0.1) / (domain + 1);
  expect(meanSquareOverRanges(errors) / expected).toBeCloseTo(1, 10);
});

it('of two categories, and of frequencies', () => {
  expect(sumOfSquares(Float64Array.of(3, -4))).toBe(25);
  // The ranges {0}, {1} and {0, 1}.
  expect(meanSquareOverRanges(Float64Array.of(3, -4))).toBeCloseTo((9 + 16 + 1) / 3, 13);
});

it('of one category alone', () => {
  for (const category of [0, 3, 6]) {
    const errors = new Float64Array(7);
    errors[category] = 1;
    expect(shareOfRanges(category, 7)).toBeCloseTo(meanSquareOverRanges(errors), 14);
  }
});

it('the largest error counts from both sides', () => {
  expect(largestError(Float64Array.of(0.25, -0.5, 0.125))).toBe(0.5);
  expect(largestError(Float64Array.of(-0.25, 0.5))).toBe(0.5);
  expect(largestError(Float64Array.of())).toBe(0);
});

it('the total variation is half of what is between two laws', () => {
  // (1/2, 1/4, 1/4) against (1/4, 1/4, 1/2): a quarter of the mass is elsewhere.
  expect(totalVariation(Float64Array.of(0.25, 0, -0.25))).toBe(0.25);
  expect(totalVariation(Float64Array.of(1, -1))).toBe(1);
});
