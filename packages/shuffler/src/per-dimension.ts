/**
 * Shuffling dimension by dimension, for gradients: the values of each coordinate are permuted on their own,
 * so that nothing links one user's coordinates.
 */
import {
  requireInteger,
  type RandomStream,
  type ShuffledGradients,
  type UserGradients,
} from '@shuffle-dp/core';
import { LONGEST_RANGE, permuteInPlace } from './fisher-yates.ts';

/**
 * Permutes each dimension's values independently, in place. Dimension k draws from the fork named after it.
 * @throws ParameterError if the values do not fill the stated shape, or for more than 2^21 users
 * @example shufflePerDimension({ values: Float64Array.of(1, 2, 3, 4), users: 2, dimensions: 2 }, RandomStream.fromSeed('example')).users // 2
 */
export function shufflePerDimension(gradients: UserGradients, stream: RandomStream): ShuffledGradients {
  const { values, users, dimensions } = gradients;
  requireInteger('users', users, 1, LONGEST_RANGE);
  requireInteger('dimensions', dimensions, 1, Math.floor(values.length / users));
  const columns = [values];
  for (let k = 0; k < dimensions; k++) permuteInPlace(columns, k * users, (k + 1) * users, stream.fork(k));
  return gradients as ShuffledGradients;
}
