/**
 * Shuffling dimension by dimension, for gradients: the values of each coordinate are permuted on their own, so that
 * nothing links one user's coordinates.
 */
import { requireInteger, type RandomStream } from '@shuffle-dp/core';
import { permuteInPlace } from './fisher-yates.ts';

/**
 * Permutes each dimension's `users` values independently, in place. `values` is dimension-major: the values of
 * dimension j stand at j * users. Dimension j draws from the fork named after it.
 */
export function shufflePerDimension(
  values: Float32Array | Float64Array,
  users: number,
  dimensions: number,
  stream: RandomStream,
): void {
  requireInteger('users', users, 1);
  requireInteger('dimensions', dimensions, 1, Math.floor(values.length / users));
  const columns = [values];
  for (let j = 0; j < dimensions; j++) permuteInPlace(columns, j * users, (j + 1) * users, stream.fork(j));
}
