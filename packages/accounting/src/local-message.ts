/**
 * What one message gives away by itself: shuffled messages are made from it without its value, so that it
 * bounds them (docs/soundness.md, "One message alone").
 */
import { exactly } from '@shuffle-dp/core';
import { epsilonAtDelta } from './privacy-profile.ts';

/** No local budget is searched for beyond. */
const LARGEST_LOCAL = 1e4;

/**
 * Upper bound of the epsilon at `delta` of a message whose divergence at an epsilon is at most
 * `localDelta(epsilon)`; infinity where none up to 10,000 will do.
 * @throws ParameterError unless delta is in [0, 1]
 * @example localMessageEpsilon((epsilon) => gaussianDivergenceUpper(1, epsilon), 1e-6) // 4.88655
 */
export function localMessageEpsilon(localDelta: (epsilon: number) => number, delta: number): number {
  return epsilonAtDelta((epsilon) => exactly(localDelta(epsilon)), delta, { epsilonMax: LARGEST_LOCAL })
    .upper;
}
