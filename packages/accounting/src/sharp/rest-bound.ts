/** Pairs of the victim's inputs that have no types: their blankets bound them (F2). */
import { Real, type AmplificationProfile, type LikelihoodAtoms, type TypedInputs } from '@shuffle-dp/core';
import { logMeanAt } from '../blanket/exponential-tilt.ts';
import { edgeLosses, uncoveredExcess } from '../blanket/loss-law.ts';
import { bothOrders } from '../blanket/privacy-blanket.ts';
import { certifiedDelta, certifiedEpsilon, type CertifiedOptions } from '../one-round.ts';
import { chernoffLog } from './blanket-holds.ts';

/** Upper bound of their divergence; 0 where there are none. */
export function restDelta(
  { rest = [] }: TypedInputs,
  users: number,
  epsilon: number,
  hints?: CertifiedOptions,
): number {
  return rest.length === 0 ? 0 : certifiedDelta(blanketsOnly(rest), users, epsilon, hints).upper;
}

/** Upper bound of the smallest epsilon that they allow at a delta. @param rest at least one */
export function restEpsilon(rest: readonly LikelihoodAtoms[], users: number, delta: number): number {
  return certifiedEpsilon(blanketsOnly(rest), users, delta).upper;
}

function blanketsOnly(blanket: readonly LikelihoodAtoms[]): AmplificationProfile {
  return { variationRatio: null, blanket, homogeneous: [] };
}

/** Of divergences that are mostly far below the target. */
export const REST_GAP = 1e-3;

/**
 * Whether that is at most `delta`, mostly by Chernoff's bound, which costs little: of values that lie close
 * divergences are far below.
 * @param theta a tilt that may do, where one is known: that of a pair with types
 */
export function restHolds(
  typed: TypedInputs,
  users: number,
  epsilon: number,
  delta: number,
  theta = 0,
): boolean {
  const expEpsilon = Real.exp(epsilon);
  const byTilt = (atoms: LikelihoodAtoms): boolean => {
    const left = delta - uncoveredExcess(atoms, expEpsilon).upper;
    if (!(left > 0)) return false;
    const moments = { theta, ...logMeanAt(edgeLosses(atoms, expEpsilon), theta) };
    return chernoffLog(users, moments) <= Real.log(left);
  };
  const areFar = theta > 0 && (typed.rest ?? []).flatMap(bothOrders).every(byTilt);
  return areFar || restDelta(typed, users, epsilon, { relativeGap: REST_GAP }) <= delta;
}
