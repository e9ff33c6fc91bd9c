/**
 * Points to learn from without labels: some round clusters in the unit cube, and users who stand anywhere.
 */
import {
  requireInteger,
  requirePositive,
  requireProbability,
  sampleGaussian,
  type RandomStream,
} from '@shuffle-dp/core';

export interface Blobs {
  readonly dimensions: number;
  /** Clusters, all alike likely. */
  readonly clusters: number;
  /** Standard deviation of a cluster in each coordinate. */
  readonly spread: number;
  /** Share of the users who are in no cluster and uniform in the cube. */
  readonly outliers: number;
}

export interface MarkedPoints {
  readonly dimensions: number;
  /** Row-major. */
  readonly values: Float64Array;
  /** 1 for users who are outliers; null where nobody knows. */
  readonly marked: Uint8Array | null;
}

/**
 * Clusters depend on the stream's path alone, so that more users are more of the same population. @throws
 * ParameterError
 */
export function drawBlobs(
  { dimensions, clusters, spread, outliers }: Blobs,
  users: number,
  stream: RandomStream,
): MarkedPoints {
  requireInteger('dimensions', dimensions, 1);
  requireInteger('clusters', clusters, 1);
  requirePositive('spread', spread);
  requireProbability('outliers', outliers);
  const source = stream.fork('clusters');
  // Away from the faces, so that clusters are whole.
  const centres = Float64Array.from({ length: clusters * dimensions }, () => 0.15 + 0.7 * source.next());
  const draws = stream.fork('users');
  const marked = new Uint8Array(users);
  const values = new Float64Array(users * dimensions);
  for (let user = 0; user < users; user++) {
    marked[user] = draws.next() < outliers ? 1 : 0;
    const cluster = draws.integerBelow(clusters);
    for (let j = 0; j < dimensions; j++)
      values[user * dimensions + j] = marked[user]
        ? draws.next()
        : centres[cluster * dimensions + j]! + spread * sampleGaussian(draws);
  }
  return { dimensions, values, marked };
}
