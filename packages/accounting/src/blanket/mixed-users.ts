/**
 * Formula F1 among a random number of users, from above: the sum over their numbers of probability * F1. One
 * integral serves all numbers (contour-integral.ts).
 */
import { Real, ROUNDOFF, type LikelihoodAtoms } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { mixedContourIntegral, type WeighedCounts } from './contour-integral.ts';
import { expectedPositiveSum } from './expected-positive-sum.ts';
import { saddlePoint, type TiltedLaw } from './exponential-tilt.ts';
import { edgeLosses, uncoveredExcess, type LossLaw } from './loss-law.ts';
import { exchanged, LARGEST_EPSILON, scaledUp } from './privacy-blanket.ts';
import { withoutRareGains } from './heavy-tails/rare-gains.ts';

/** A number of users in all, and its probability. */
export interface UsersShare {
  readonly users: number;
  readonly probability: number;
}

export interface MixedOptions {
  /** About how far the end lies above, relative to it. */
  readonly relativeGap: number;
  /** What it costs is added to this. */
  readonly work?: Work;
}

/**
 * Upper end, null where one integral does not serve all.
 *
 * @param all positive probabilities of at least one number of users, rising
 * @param epsilon in nats, at least 0
 */
export function mixedUsersDivergence(
  atoms: LikelihoodAtoms,
  all: readonly UsersShare[],
  epsilon: number,
  how: MixedOptions,
): number | null {
  if (epsilon > LARGEST_EPSILON) return null;
  const forward = oneDirection(atoms, all, epsilon, how);
  if (forward === null || atoms.symmetric) return forward;
  const backward = oneDirection(exchanged(atoms), all, epsilon, how);
  return backward === null ? null : Math.max(forward, backward);
}

function oneDirection(
  atoms: LikelihoodAtoms,
  all: readonly UsersShare[],
  epsilon: number,
  { relativeGap, work }: MixedOptions,
): number | null {
  const whole = all.reduce((sum, { probability }) => sum + probability, 0) * (1 + all.length * ROUNDOFF);
  const mean = all.reduce((sum, { users, probability }) => sum + probability * users, 0) / whole;
  const expEpsilon = Real.exp(epsilon);
  const law = edgeLosses(atoms, expEpsilon);
  const { law: usual, added } = withoutRareGains(law, Math.round(mean), 0.1 * relativeGap, 'dilation');
  const weighed = {
    counts: Float64Array.from(all, ({ users }) => users),
    logWeights: Float64Array.from(all, ({ users, probability }) => Real.log(probability / users)),
  };
  const saddle = leadingSaddle(usual, weighed, Math.round(mean));
  const integral = saddle && mixedContourIntegral(usual, weighed, saddle, relativeGap, work);
  if (integral === null || 'reach' in integral) return null;
  const { logScale, upper } = integral;
  const rounding = 1 + 8 * ROUNDOFF * (1 + Math.abs(logScale));
  const hidden = scaledUp(upper, Real.exp(logScale / 2), rounding) + added * whole;
  // Users who are added only hide more.
  const alone = expectedPositiveSum(law, 1, relativeGap, 'dilation').bracket.upper;
  return Math.min(hidden, alone * whole) + uncoveredExcess(atoms, expEpsilon).upper * whole;
}

/** The saddle point of the count of which most is left, which is below the mean: fewer users hide less. */
function leadingSaddle(law: LossLaw, { counts, logWeights }: WeighedCounts, mean: number): TiltedLaw | null {
  const first = saddlePoint(law, mean);
  if (first === null) return null;
  const logs = logWeights.map((log, j) => log + counts[j]! * first.logMean);
  return saddlePoint(law, counts[logs.indexOf(Math.max(...logs))]!);
}
