/** The least epsilon of an upper bound on the divergence. */
import { interval } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';

/** Searches for epsilon end here; no target of interest is larger. */
export const LARGEST_EPSILON = 100;

/**
 * The least epsilon with divergence(epsilon) <= delta, to `relativeTolerance` and never below it; infinity if
 * there is none up to
 * 100. The group rule's factor makes a divergence rise again at large epsilon, so the search starts from one
 * that is known to do: the target first.
 *
 * @example smallestEpsilon((epsilon) => gaussianDivergence(0.1, epsilon), 1e-6, 1) // 0.396857
 */
export function smallestEpsilon(
  divergence: (epsilon: number) => number,
  delta: number,
  target: number,
  relativeTolerance = 1e-10,
): number {
  let reached = target;
  while (!(divergence(reached) <= delta)) {
    reached *= 1.25;
    if (reached > LARGEST_EPSILON) return Infinity;
  }
  const profile = (epsilon: number) => interval(0, Math.min(1, divergence(epsilon)));
  return Math.min(reached, epsilonAtDelta(profile, delta, { epsilonMax: reached, relativeTolerance }).upper);
}
