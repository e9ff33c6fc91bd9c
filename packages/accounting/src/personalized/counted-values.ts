/** A list of numbers as its values, each with how often it has them: users of one budget are one group. */
import { ParameterError } from '@shuffle-dp/core';

export interface CountedValues {
  /** In rising order. */
  readonly values: Float64Array;
  /** How often each of them occurs, at least once. */
  readonly counts: Float64Array;
}

/**
 * Values that are equal are counted together. @throws ParameterError for what is no number
 *
 * @example countEqual(Float64Array.of(2, 1, 2)) // { values: [1, 2], counts: [1, 2] }
 */
export function countEqual(list: Float64Array): CountedValues {
  const sorted = list.toSorted();
  // The last in the order.
  if (Number.isNaN(sorted.at(-1))) throw new ParameterError('value', NaN, 'a number');
  const counts = new Float64Array(sorted.length);
  let distinct = 0;
  for (let first = 0, next = 0; first < sorted.length; first = next) {
    const value = sorted[first]!;
    while (sorted[next] === value) next++;
    sorted[distinct] = value;
    counts[distinct++] = next - first;
  }
  return { values: sorted.subarray(0, distinct), counts: counts.subarray(0, distinct) };
}
