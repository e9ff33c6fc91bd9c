/**
 * The sum of squared errors.
 *
 * @example sumOfSquares(Float64Array.of(3, 4)) // 25
 */
export function sumOfSquares(errors: Float64Array): number {
  return centredSquares(errors, 0);
}

/**
 * The largest absolute error.
 *
 * @example largestError(Float64Array.of(0.1, -0.3)) // 0.3
 */
export function largestError(errors: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < errors.length; i++) largest = Math.max(largest, Math.abs(errors[i]!));
  return largest;
}

/**
 * Half the sum of absolute errors: the total variation distance, where truth and estimates sum to one.
 *
 * @example totalVariation(Float64Array.of(0.2, -0.2)) // 0.2
 */
export function totalVariation(errors: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < errors.length; i++) sum += Math.abs(errors[i]!);
  return sum / 2;
}

/**
 * Mean over all d (d + 1) / 2 ranges of the square of the sum over the range, in O(d). With S_0 = 0 and S_k
 * the sum of the first k errors, a range has S_j - S_i, and over all i < j these squares add up to (d + 1)
 * sum (S_k - mean S)^2. Sums are centred before they are squared, which keeps their digits.
 *
 * @example meanSquareOverRanges(Float64Array.of(0.1, -0.1)) // 0.00666667
 */
export function meanSquareOverRanges(errors: Float64Array): number {
  const domain = errors.length;
  const sums = new Float64Array(domain + 1);
  let last = 0;
  let total = 0;
  for (let k = 1; k <= domain; k++) {
    last += errors[k - 1]!;
    sums[k] = last;
    total += last;
  }
  return (2 / domain) * centredSquares(sums, total / (domain + 1));
}

/**
 * The fraction of all ranges that hold a category: `meanSquareOverRanges` of an error of 1 there and none
 * elsewhere.
 *
 * @example shareOfRanges(0, 4) // 0.4
 */
export function shareOfRanges(category: number, domain: number): number {
  return (2 * (category + 1) * (domain - category)) / (domain * (domain + 1));
}

function centredSquares(values: Float64Array, centre: number): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) {
    const away = values[i]! - centre;
    sum += away * away;
  }
  return sum;
}
