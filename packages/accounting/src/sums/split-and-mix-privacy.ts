/**
 * Sums of shuffled shares with distributed noise: what the sum tells, and what the shares tell beside it
 * (docs/split-and-mix.md).
 */
import { interval, Real, requireProbability, type Interval } from '@shuffle-dp/core';
import { discreteLaplaceDivergence } from './discrete-laplace.ts';

export interface SharedSum {
  /** Epsilon in nats of the noise that the honest users add up to, without a delta. */
  readonly design: number;
  /** Steps by which a user moves the sum at most. */
  readonly steps: number;
  /** Statistical distance of the honest users' shares from uniform ones of the same sum. */
  readonly distance: number;
  /** Probability that the sum with its noise leaves the range that the modulus can tell apart. */
  readonly wrapped: number;
}

/** Of the noise's divergence, relative. */
const ROUNDING = 1e-12;

/**
 * Bracket of delta at epsilon: from above the noise's and (1 + e^epsilon) times the distance, from below what
 * the sum tells.
 */
export function sharedSumDelta({ design, steps, distance, wrapped }: SharedSum, epsilon: number): Interval {
  const noise = discreteLaplaceDivergence(design, steps, epsilon);
  const both = 1 + Real.exp(epsilon);
  return interval(
    Math.max(0, noise * (1 - ROUNDING) - both * wrapped),
    Math.min(1, noise * (1 + ROUNDING) + both * distance * (1 + ROUNDING)),
  );
}

/**
 * Bracket of the smallest epsilon at `delta`; its upper end is the design at most, or infinity where the
 * shares alone tell more than delta.
 * @throws ParameterError unless delta is in [0, 1]
 */
export function sharedSumEpsilon(sum: SharedSum, delta: number): Interval {
  requireProbability('delta', delta);
  const least = (side: 'lower' | 'upper'): number => {
    // The factor e^epsilon makes the upper end rise again beyond the design, so that nothing there is looked
    // at.
    let [low, high] = [0, sum.design];
    for (let step = 0; step < 60 && high - low > 1e-12 * high; step++) {
      const middle = (low + high) / 2;
      if (sharedSumDelta(sum, middle)[side] <= delta) high = middle;
      else low = middle;
    }
    return side === 'lower' ? low : high;
  };
  const upper = sharedSumDelta(sum, sum.design).upper <= delta ? least('upper') : Infinity;
  return interval(least('lower'), upper);
}
