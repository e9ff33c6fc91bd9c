/** Pairs of the victim's inputs that have no types: their blankets bound them (F2). */
import { Real, type LikelihoodAtoms, type TypedInputs } from '@shuffle-dp/core';
import { logMeanAt } from '../blanket/exponential-tilt.ts';
import { edgeLosses, uncoveredExcess } from '../blanket/loss-law.ts';
import { exchanged } from '../blanket/privacy-blanket.ts';
import { certifiedDelta, type CertifiedOptions } from '../one-round.ts';
import { chernoffLog } from './blanket-holds.ts';

/** Upper bound of their divergence; 0 where there are none. */
export function restDelta(
  { rest = [] }: TypedInputs,
  users: number,
  epsilon: number,
  hints?: CertifiedOptions,
): number {
  if (rest.length === 0) return 0;
  return certifiedDelta({ variationRatio: null, blanket: rest, homogeneous: [] }, users, epsilon, hints)
    .upper;
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
  const orders = (atoms: LikelihoodAtoms): LikelihoodAtoms[] =>
    atoms.symmetric ? [atoms] : [atoms, exchanged(atoms)];
  const areFar = theta > 0 && (typed.rest ?? []).flatMap(orders).every(byTilt);
  return areFar || restDelta(typed, users, epsilon, { relativeGap: REST_GAP }) <= delta;
}
