/** What the error of a trial is, of the errors of its estimates category by category. */
import type { ErrorMeasure } from '../config/schema.ts';

/** @param errors estimate less truth, by category */
export function errorBy(measure: ErrorMeasure, errors: Float64Array): number {
  return measure === 'ranges' ? rangeError(errors) : sumOfSquares(errors, 0);
}

/**
 * Mean over all d (d + 1) / 2 ranges of the squared error of the range's frequency, in O(d). With S_0 = 0 and S_k the sum of the
 * first k errors, a range has error S_j - S_i, and over all i < j these squares add up to (d + 1) sum (S_k - mean S)^2. Sums are
 * centred before they are squared, which keeps their digits.
 */
function rangeError(errors: Float64Array): number {
  const domain = errors.length;
  let last = 0;
  let total = 0;
  const sums = new Float64Array(domain + 1);
  for (let k = 1; k <= domain; k++) {
    last += errors[k - 1]!;
    sums[k] = last;
    total += last;
  }
  return (2 / domain) * sumOfSquares(sums, total / (domain + 1));
}

function sumOfSquares(values: Float64Array, centre: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const away = values[i]! - centre;
    sum += away * away;
  }
  return sum;
}
