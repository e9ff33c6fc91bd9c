/**
 * Clone probabilities by hypothesis testing: Liu, Liu, Xiong, Gu and Chen (CIKM 2024), Section 3.2. The
 * victim holds one of the two ends of the range; p_1 is the error of the likelihood-ratio test between its
 * two laws, and p_i the probability that user i, whose value is an end, sends what looks more like the victim
 * than like user i, on the side of one victim value. Outputs in the two tails of mass delta/2 are left out.
 *
 * An error probability is the mass of an overlap, not a pointwise floor: user i's law does not contain the
 * mixture p_i R_0 + p_i R_1 that the bound needs (docs/personalized.md).
 *
 * Where we differ: points of equal density count as confused, without which p_i would be 0 at equal budgets.
 */
import { normalQuantile, normalTail, Real } from '@shuffle-dp/core';

export interface CloneProbabilities {
  /** Error of the test between the victim's two laws. */
  readonly victim: number;
  /** For a user of the given budget, at most that of the victim; at most 1/2. */
  other(budget: number): number;
}

/** Laplace noise of scale 1/budget on [0, 1]; `budget` is the victim's. */
export function laplaceCloneProbabilities(budget: number): CloneProbabilities {
  return {
    victim: Real.exp(-budget / 2) / 2,
    other: (own) => laplaceOverlap(own, budget),
  };
}

function laplaceOverlap(own: number, victim: number): number {
  if (own >= victim) return Real.exp(-own / 2) / 2;
  const tail = (z: number): number => Real.exp(-own * z) / 2;
  const logRatio = Real.log(victim / own);
  // The victim at the same value is denser within this distance.
  const near = logRatio / (victim - own);
  const atSame = 1 - tail(near) - tail(Math.min(near, 0.5));
  // The victim at the other end is denser between these points.
  const from = Math.max(0.5, (victim - logRatio) / (victim + own));
  const to = (logRatio + victim) / (victim - own);
  return Math.min(atSame, tail(from) - tail(to));
}

/** Gaussian noise on values 0 and `range`; the deviation of each budget is `deviation(budget)`. */
export function gaussianCloneProbabilities(
  budget: number,
  deviation: (budget: number) => number,
  range: number,
  localDelta: number,
): CloneProbabilities {
  const sigma = deviation(budget);
  const failure = localDelta / 2;
  // Beyond these deviations a tail is below `failure`: there are two for each of a million users.
  const outer = failure > 0 ? -normalQuantile(failure) * (1 + 1e-9) : Infinity;
  const outsideOf = (z: number): number => (z > outer ? failure : Math.max(normalTail(z), failure));
  return {
    victim: Math.max(0, normalTail(range / (2 * sigma)) - failure),
    other: (own) => gaussianOverlap(deviation(own), sigma, range, outsideOf),
  };
}

function gaussianOverlap(
  own: number,
  victim: number,
  range: number,
  outsideOf: (z: number) => number,
): number {
  // Mass of [from, to] under user i's law, without the outer tail.
  const between = (from: number, to: number): number =>
    Math.max(0, normalTail(from / own) - outsideOf(to / own));
  if (own <= victim) return between(range / 2, Infinity);
  const logRatio = Real.log(own / victim);
  const curvature = 1 / (victim * victim) - 1 / (own * own);
  const near = Math.sqrt((2 * logRatio) / curvature);
  const atSame = between(-near, Math.min(near, range / 2));
  // curvature z^2 - 2 slope z + slope range - 2 logRatio <= 0 where the victim at the other end is denser.
  const slope = range / (victim * victim);
  const discriminant = slope * slope - curvature * (slope * range - 2 * logRatio);
  if (!(discriminant > 0)) return 0;
  const root = Math.sqrt(discriminant);
  const from = Math.max(range / 2, (slope - root) / curvature);
  const to = (slope + root) / curvature;
  return Math.min(atSame, to > from ? between(from, to) : 0);
}
