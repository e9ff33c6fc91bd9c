/**
 * What a user is told: the bracket of a mechanism's privacy after shuffling, from sound bounds only. From above by the
 * blanket of the concrete randomizer (docs/soundness.md, F1 and F2), from below by data sets whose other users all hold
 * one value (F3). How far the ends lie apart is what is not known.
 */
import {
  exactly,
  interval,
  provedInterval,
  requireInteger,
  requireNonNegative,
  requireProbability,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { blanketDivergence, exchanged } from './blanket/privacy-blanket.ts';
import { epsilonAtDelta } from './privacy-profile.ts';

export interface CertifiedOptions {
  /** The local budget, where the randomizer has one: no bound exceeds it. */
  readonly epsilon0?: number;
}

/**
 * Bracket of the divergence at epsilon of the worst pair of neighbouring data sets (replace-one). The upper end is 1
 * where no blanket is given.
 * @throws ParameterError for users < 1 or epsilon < 0
 */
export function certifiedDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  if (epsilon >= epsilon0) return interval(0, 0);
  const upper = profile.blanket.length > 0 ? worstDelta(profile.blanket, users, epsilon, 'upper') : 1;
  const lower = worstDelta(profile.homogeneous, users, epsilon, 'lower');
  return between('delta', lower, upper);
}

/**
 * Bracket of the smallest epsilon at which the mechanism is (epsilon, delta)-DP after shuffling (replace-one). The
 * upper end is infinity where no epsilon up to 700 will do, as where nothing hides the victim, and the local budget
 * where no blanket is given.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 */
export function certifiedEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  if (profile.blanket.length === 0 && delta < 1) {
    const lower = worstEpsilon(profile.homogeneous, users, delta, 'lower', epsilon0);
    return between('epsilon', lower, epsilon0);
  }
  return epsilonBracket(profile.blanket, profile.homogeneous, users, delta, epsilon0);
}

/**
 * Bracket of the epsilon at `delta` of the worst of these atoms, in formula F1: what it bounds, and from which side,
 * the atoms decide. @throws ParameterError as `certifiedEpsilon`
 */
export function blanketEpsilon(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  return epsilonBracket(atomsList, atomsList, users, delta, epsilon0);
}

/** From above by the worst of one list of atoms, from below by the worst of the other. */
function epsilonBracket(
  above: readonly LikelihoodAtoms[],
  below: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  epsilon0: number,
): Interval {
  const upper = Math.min(epsilon0, worstEpsilon(above, users, delta, 'upper', epsilon0));
  const lower = worstEpsilon(below, users, delta, 'lower', epsilon0);
  return between('epsilon', lower, upper);
}

function between(quantity: 'delta' | 'epsilon', lower: number, upper: number): Interval {
  return provedInterval(
    quantity,
    { name: 'equal users, F3', value: lower },
    {
      name: quantity === 'epsilon' ? 'the blanket, F2, or the local budget' : 'the blanket, F2',
      value: upper,
    },
  );
}

type End = 'upper' | 'lower';

function worstDelta(atomsList: readonly LikelihoodAtoms[], users: number, epsilon: number, end: End): number {
  return atomsList.reduce((worst, atoms) => Math.max(worst, endOf(atoms, users, epsilon, end)), 0);
}

function worstEpsilon(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  end: End,
  epsilon0: number,
): number {
  const list = atomsList.flatMap(directions);
  if (delta === 0) return list.reduce((worst, atoms) => Math.max(worst, largestLogRatio(atoms, end)), 0);
  const profiles = list.map((atoms) => onceEach((epsilon) => endOf(atoms, users, epsilon, end)));
  let worst = 0;
  for (const profile of likelyWorstFirst(profiles)) {
    if (worst === Infinity) break;
    // One evaluation tells whether these atoms are worse than those before.
    if (worst > 0 && profile(worst) <= delta) continue;
    const bracket = epsilonAtDelta((epsilon) => exactly(profile(epsilon)), delta, {
      epsilonMax: Math.min(epsilon0, 700),
      relativeTolerance: 1e-9,
      slowTolerance: SLOW_TOLERANCE,
    });
    worst = Math.max(worst, bracket[end]);
  }
  return worst;
}

/** What a search may leave open where the bounds of the divergence jump, and secants find nothing. */
const SLOW_TOLERANCE = 1e-4;

type DeltaEnd = (epsilon: number) => number;

/**
 * In falling order of the divergence at 0, which every search asks for first: a data set that hides the victim well then
 * costs one evaluation and no search of its own.
 */
function likelyWorstFirst(profiles: readonly DeltaEnd[]): readonly DeltaEnd[] {
  if (profiles.length === 1) return profiles;
  return profiles.toSorted((a, b) => b(0) - a(0));
}

function onceEach(profile: DeltaEnd): DeltaEnd {
  const known = new Map<number, number>();
  return (epsilon) => {
    const value = known.get(epsilon) ?? profile(epsilon);
    known.set(epsilon, value);
    return value;
  };
}

/** The two orders of the victim's inputs, apart: often one evaluation tells which of them is worse. */
function directions(atoms: LikelihoodAtoms): LikelihoodAtoms[] {
  if (atoms.symmetric) return [atoms];
  return [atoms, exchanged(atoms)].map((direction) => ({ ...direction, symmetric: true }));
}

/**
 * At delta 0 nothing may happen that is e^epsilon times likelier under one input: others hide the victim only where
 * all of them show the likeliest output, which they may.
 */
function largestLogRatio({ victim0, victim1, others, cellEnds }: LikelihoodAtoms, end: End): number {
  let largest = 1;
  for (let y = 0; y < others.length; y++) {
    // Of a cell that nobody else covers, the ratio inside may be any.
    if (cellEnds && others[y] === 0 && end === 'upper' && victim0[y]! + victim1[y]! > 0) return Infinity;
    const [high0, low0, high1, low1] =
      cellEnds && end === 'upper'
        ? [
            Math.max(cellEnds.ratio0Start[y]!, cellEnds.ratio0End[y]!),
            Math.min(cellEnds.ratio0Start[y]!, cellEnds.ratio0End[y]!),
            Math.max(cellEnds.ratio1Start[y]!, cellEnds.ratio1End[y]!),
            Math.min(cellEnds.ratio1Start[y]!, cellEnds.ratio1End[y]!),
          ]
        : [victim0[y]!, victim0[y]!, victim1[y]!, victim1[y]!];
    if (high0 > 0) largest = Math.max(largest, high0 / low1);
    if (high1 > 0) largest = Math.max(largest, high1 / low0);
  }
  // An unbounded cell may have no ratio at its ends.
  if (Number.isNaN(largest)) return Infinity;
  const outward = end === 'upper' ? 1 : -1;
  // Of the ratio, beside 1 all there is of a small budget, and of its logarithm.
  const log = Math.log(largest) + outward * 8 * 2 ** -53;
  return largest === 1 ? 0 : Math.max(0, log * (1 + outward * 1e-12));
}

function endOf(atoms: LikelihoodAtoms, users: number, epsilon: number, end: End): number {
  return blanketDivergence(atoms, users, epsilon, { ends: end })[end];
}
