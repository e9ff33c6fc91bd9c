/** By how much a divergence is above a delta, for searches. */
import { Real } from '@shuffle-dp/core';

/**
 * log(divergence / delta), whose sign says whether delta is met: at most 0 where it is.
 *
 * @param least of log divergence: searches need no less
 * @example logExcess(1e-7, 1e-6) // -2.30259
 */
export function logExcess(divergence: number, delta: number, least = -800): number {
  // Both may be 0.
  if (divergence === delta) return 0;
  // Rounding may have left a divergence of 0 below it.
  const log = divergence <= 0 ? least : Math.max(least, Real.log(divergence));
  const excess = log - Real.log(delta);
  // Numbers next to each other have one logarithm: only they say whether delta is met.
  return divergence > delta ? Math.max(Number.EPSILON, excess) : Math.min(0, excess);
}
