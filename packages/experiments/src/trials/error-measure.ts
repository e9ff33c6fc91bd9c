/** What the error of a trial is, of the errors of its estimates category by category. */
import { largestError, meanSquareOverRanges, sumOfSquares, totalVariation } from '@shuffle-dp/core';
import type { ErrorMeasure, EstimateError } from '../config/schema.ts';

type ErrorOf = (errors: Float64Array) => number;

/** The squared error, which every run reports. */
export const SQUARED_ERROR_BY: Readonly<Record<ErrorMeasure, ErrorOf>> = {
  frequencies: sumOfSquares,
  ranges: meanSquareOverRanges,
  mean: sumOfSquares,
  sum: sumOfSquares,
  means: sumOfSquares,
  'heavy-hitters': sumOfSquares,
};

/** The errors that do not follow from the squared one. */
export const OTHER_ERROR: Readonly<Partial<Record<EstimateError, ErrorOf>>> = {
  maximum: largestError,
  'total-variation': totalVariation,
};

/**
 * What the squared error is multiplied by to give the error by which protocols are compared; null where none
 * does.
 */
export function shareOfSquared(error: EstimateError, domain: number): number | null {
  if (OTHER_ERROR[error]) return null;
  return error === 'per-item' ? 1 / domain : 1;
}

/**
 * A lower bound of the variance of an error over its squared mean, for normal errors of unbiased estimates. A
 * sum of squares of d of them has at least 2/d, by Cauchy and Schwarz; a sum of absolute values, whose
 * covariances are not negative, at least (pi/2 - 1)/d, and the largest of them has more.
 */
export function leastRelativeVariance(error: EstimateError, domain: number): number {
  return (OTHER_ERROR[error] ? Math.PI / 2 - 1 : 2) / domain;
}
