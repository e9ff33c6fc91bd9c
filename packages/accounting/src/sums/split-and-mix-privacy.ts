/**
 * Sums of shuffled shares with distributed noise: what the sum tells, and what the shares tell beside it
 * (docs/split-and-mix.md).
 */
import { interval, Real, requireProbability, type Interval } from '@shuffle-dp/core';
import { shiftedCountDivergence } from '../counts/count-divergence.ts';
import { noisyCountEpsilon } from '../counts/count-epsilon.ts';
import { polyaDifferenceNoise } from '../counts/polya-difference.ts';
import type { PrivacyProfile } from '../privacy-profile.ts';
import { discreteLaplaceDivergence } from './discrete-laplace.ts';

export interface SharedSum {
  /** Epsilon in nats of the noise that the honest users add up to, without a delta. */
  readonly design: number;
  /** Steps by which a user moves the sum at most. */
  readonly steps: number;
  /** Statistical distance of the honest users' shares from uniform ones of the same sum. */
  readonly distance: number;
  /** How much of that noise is left, in (0, 1]; default all. */
  readonly share?: number;
  /** Probability that the sum with its noise leaves the range that the modulus can tell apart. */
  readonly wrapped: number;
}

/** Steps over the design of noise whose masses are added up: some millions of them. */
const WIDEST = 1000;
/** Of the noise's divergence, relative. */
const ROUNDING = 1e-12;

/**
 * Bracket of delta at epsilon: from above the noise's and (1 + e^epsilon) times the distance, from below what
 * the sum tells.
 */
export function sharedSumDelta(sum: SharedSum, epsilon: number): Interval {
  const { distance, wrapped } = sum;
  const { lower, upper } = noiseOf(sum)(epsilon);
  const both = 1 + Real.exp(epsilon);
  return interval(Math.max(0, lower - both * wrapped), Math.min(1, upper + both * distance * (1 + ROUNDING)));
}

/**
 * What the sum tells of a user who moves it by all steps. Of less noise than planned, whose masses fall on
 * either side of 0, those who move it by fewer are protected as well (docs/split-and-mix.md).
 */
function noiseOf({ design, steps, share = 1 }: SharedSum): PrivacyProfile {
  if (share === 1)
    return (epsilon) => {
      const noise = discreteLaplaceDivergence(design, steps, epsilon);
      return interval(noise * (1 - ROUNDING), noise * (1 + ROUNDING));
    };
  const law = polyaDifferenceNoise(share, Real.exp(-design / steps));
  return (epsilon) => shiftedCountDivergence(law, steps, epsilon);
}

/**
 * Bracket of the smallest epsilon at `delta`; with all the noise its upper end is the design at most.
 * Infinity where the shares alone tell more than delta, and of less noise where its law is too wide to be
 * added up.
 * @throws ParameterError unless delta is in [0, 1]
 */
export function sharedSumEpsilon(sum: SharedSum, delta: number): Interval {
  requireProbability('delta', delta);
  if (sum.share !== undefined && sum.share < 1) return withLessNoise(sum, delta);
  const { design } = sum;
  const least = (side: 'lower' | 'upper'): number => {
    // The factor e^epsilon makes the upper end rise again beyond the design, so that nothing there is looked
    // at.
    let [low, high] = [0, design];
    for (let step = 0; step < 60 && high - low > 1e-12 * high; step++) {
      const middle = (low + high) / 2;
      if (sharedSumDelta(sum, middle)[side] <= delta) high = middle;
      else low = middle;
    }
    return side === 'lower' ? low : high;
  };
  const upper = sharedSumDelta(sum, design).upper <= delta ? least('upper') : Infinity;
  return interval(least('lower'), upper);
}

/** What e^epsilon multiplies is taken at an epsilon at which half of delta is left: no larger one is told. */
function withLessNoise(sum: SharedSum, delta: number): Interval {
  if (sum.steps > WIDEST * sum.design) return interval(0, Infinity);
  const noise = noiseOf(sum);
  const most = noisyCountEpsilon(noise, delta / 2).upper;
  const both = 1 + Real.exp(most);
  const left = delta - both * sum.distance * (1 + ROUNDING);
  const { lower } = noisyCountEpsilon(noise, Math.min(1, delta + both * sum.wrapped));
  return interval(lower, left < delta / 2 ? Infinity : noisyCountEpsilon(noise, left).upper);
}
