/** The epsilon of counts with noise, from their exact divergence. */
import { interval, type Interval } from '@shuffle-dp/core';
import { epsilonAtDelta, type PrivacyProfile } from '../privacy-profile.ts';

/**
 * Bracket of the smallest epsilon at `delta`.
 * @param divergence both ends fall in epsilon
 * @param target an epsilon that the noise was made for: where the divergence jumps there, no search would
 * meet it to the last digit
 * @throws ParameterError unless delta is in [0, 1]
 */
export function noisyCountEpsilon(divergence: PrivacyProfile, delta: number, target?: number): Interval {
  const { lower, upper } = epsilonAtDelta(divergence, delta, { relativeTolerance: 1e-10 });
  if (target === undefined || upper <= target || divergence(target).upper > delta)
    return interval(lower, upper);
  return interval(Math.min(lower, target), target);
}
