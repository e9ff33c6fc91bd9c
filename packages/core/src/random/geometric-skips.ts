/** Jumps between the successes of a long row of coins: work per success, not per coin. */
import * as Real from '../numeric/elementary/index.ts';
import { requirePositiveProbability } from '../arguments.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Failures before the next success of coins with success probability p in (0, 1]. Exact for p down to 1e-300:
 * the logarithm of 1 - p is taken without forming 1 - p. May exceed 2^53 for tiny p; callers compare it with
 * a length.
 *
 * @example sampleGeometricSkip(0.01, RandomStream.fromSeed('example')) // 11
 */
export function sampleGeometricSkip(p: number, stream: RandomStream): number {
  requirePositiveProbability('p', p);
  return p === 1 ? 0 : Math.floor(Real.log(stream.nextOpen()) / Real.log1p(-p));
}
