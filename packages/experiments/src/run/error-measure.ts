/** What the error of a trial is, of the errors of its estimates category by category. */
import { meanSquareOverRanges, sumOfSquares } from '@shuffle-dp/core';
import type { ErrorMeasure } from '../config/schema.ts';

export const ERROR_BY: Readonly<Record<ErrorMeasure, (errors: Float64Array) => number>> = {
  frequencies: sumOfSquares,
  ranges: meanSquareOverRanges,
};
