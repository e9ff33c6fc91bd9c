/**
 * Rounds of a mechanism as composition needs them: the curve of its blanket from above, of one data set in
 * both orders from below.
 */
import {
  interval,
  Real,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
  onceEach,
  onceEachObject,
} from '@shuffle-dp/core';
import { blanketDivergence, exchanged } from '../blanket/privacy-blanket.ts';
import { certifiedEpsilon } from '../one-round.ts';
import { epsilonAtDelta, type PrivacyProfile } from '../privacy-profile.ts';
import {
  knownBlankets,
  correctedVariationRatioEpsilon,
} from '../variation-ratio/corrected-variation-ratio.ts';
import { groupedOutputs, widerCells } from '../blanket/fewer-outputs.ts';
import { profileSource, type RoundSource } from './round-source.ts';
import type { Chords } from './sharp/chords.ts';
import type { CurveWork, ProvedEnds } from './sampled-curve.ts';

/** `count` rounds of one mechanism among `users`. */
export interface MechanismRounds {
  readonly amplification: AmplificationProfile;
  readonly users: number;
  readonly count: number;
  /** The local budget, where the randomizer has one: no round exceeds it. */
  readonly epsilon0?: number;
  /** Of an accountant of the mechanism's own: upper ends of delta at epsilon, in place of a blanket's. */
  readonly ownCurve?: (epsilon: number) => number;
}

/**
 * Cells of outputs that are continuous: what fewer of them cost is of the second order, less than what is
 * asked. From below half as many do, since a mean costs half as much as two ends.
 */
function mostCells(width: number): number {
  return Math.max(FEWEST_CELLS, Math.ceil(CELLS_AT_1 / Math.sqrt(width)));
}

const FEWEST_CELLS = 96;
const CELLS_AT_1 = 5;

/**
 * The curve of the worst blanket at each epsilon, from above: convex and symmetric, as a maximum of such
 * curves.
 * @param sharper upper ends of the same round that are taken in its place as far as they go
 */
export function blanketSource(
  round: MechanismRounds,
  width: number,
  work: CurveWork,
  sharper: Chords | null = null,
): RoundSource {
  const { ownCurve } = round;
  if (ownCurve)
    return profileSource((epsilon) => interval(0, ownCurve(epsilon)), null, round.count, undefined, {
      proved: 'upper',
    });
  if (round.amplification.blanket.length === 0) return sourceWithoutBlanket(round, width, work);
  const cells = round.amplification.blanket.map((atoms) => widerCells(atoms, mostCells(width)));
  const profiles = cells.map((atoms) => divergenceOf(round, atoms, width, 'upper', work));
  const worst = (epsilon: number): Interval =>
    interval(0, sharper?.(epsilon) ?? Math.max(...profiles.map((profile) => profile(epsilon).upper)));
  const { users, count, epsilon0 = Infinity } = round;
  const alone = { variationRatio: null, blanket: cells, homogeneous: [] };
  const epsilonAt = (delta: number): Interval =>
    certifiedEpsilon(alone, users, delta, { epsilon0, relativeGap: Math.min(CEILING_GAP, 0.2 * width) });
  return profileSource(worst, null, count, epsilonAt, { proved: 'upper', isBroken: sharper !== null, work });
}

/**
 * Where no blanket is known: the least of what the local budget and, by F5, the parameters p, beta and q
 * allow at each epsilon. Points above the curve are enough for chords above it.
 */
function sourceWithoutBlanket(round: MechanismRounds, width: number, work: CurveWork): RoundSource {
  const { users, count, epsilon0 = Infinity, amplification } = round;
  const local = localCurve(epsilon0);
  const { variationRatio: pair } = amplification;
  const [known] = knownBlankets(amplification);
  if (pair === null || known === undefined)
    return profileSource(local, null, count, (delta) => epsilonAtDelta(local, delta), { proved: 'upper' });
  const cells = divergenceOf(round, known, width, 'upper', work);
  const least = (epsilon: number): Interval =>
    interval(0, Math.min(local(epsilon).upper, cells(epsilon).upper));
  const epsilonAt = (delta: number): Interval => {
    const { upper } = correctedVariationRatioEpsilon(pair, users, delta);
    return interval(0, Math.min(epsilon0, upper));
  };
  return profileSource(least, null, count, epsilonAt, { proved: 'upper', work });
}

/**
 * The curve of binary randomized response, which dominates every round that one user's local budget bounds
 * (P. Kairouz, S. Oh, P. Viswanath, ICML 2015): what is left where no blanket is known.
 */
function localCurve(epsilon0: number): PrivacyProfile {
  return (epsilon) => {
    const delta = epsilon >= epsilon0 ? 0 : -Real.expm1(epsilon - epsilon0) / (1 + Real.exp(-epsilon0));
    return interval(delta * (1 - 2 ** -48), Math.min(1, delta * (1 + 2 ** -48)));
  };
}

/** Of the divergences of the simplest bound, which is a ceiling. */
const CEILING_GAP = 1e-3;
/** The ceiling of a search: what is beyond is not looked at. */
const CEILING_SEARCH = { relativeTolerance: 1e-6, slowTolerance: 1e-3 };

/**
 * One pair as it is, in both orders: the larger of its two curves would not be the curve of a pair that
 * occurs.
 */
export function homogeneousSources(
  round: MechanismRounds,
  atoms: LikelihoodAtoms,
  width: number,
  work: CurveWork,
): readonly [RoundSource, RoundSource] {
  const { users, count, epsilon0 = Infinity } = round;
  const oneWay = (direction: LikelihoodAtoms): PrivacyProfile =>
    divergenceOf(round, { ...direction, symmetric: true }, width, 'both', work);
  const sourceOf = (
    direction: LikelihoodAtoms,
    profile: PrivacyProfile,
    reverse: PrivacyProfile,
  ): RoundSource => {
    const pair = { variationRatio: null, blanket: [], homogeneous: [{ ...direction, symmetric: true }] };
    const epsilonAt = (delta: number): Interval =>
      delta === 0
        ? certifiedEpsilon(pair, users, 0, { epsilon0 })
        : epsilonAtDelta(profile, delta, CEILING_SEARCH);
    return profileSource(profile, atoms.symmetric ? null : reverse, count, epsilonAt, { work });
  };
  const reversed = exchanged(atoms);
  const forward = oneWay(atoms);
  const backward = oneWay(reversed);
  return [sourceOf(atoms, forward, backward), sourceOf(reversed, backward, forward)];
}

/**
 * Wider ones save little, and of heavy tails an integral that is affordable at this one may be given up at
 * them.
 */
const WIDEST_GAP = 2e-4;
/** Laws of more gains are thinned to so many from above: what that adds is far less than the gap. */
const MOST_GAINS = 2048;

/** Five times as exact as what is asked of the whole. The same points are asked for again and again. */
function divergenceOf(
  { users, epsilon0 = Infinity }: MechanismRounds,
  atoms: LikelihoodAtoms,
  width: number,
  ends: ProvedEnds,
  work: CurveWork,
): PrivacyProfile {
  const fewer = ends === 'upper' && { mostGains: MOST_GAINS };
  const options = { relativeGap: Math.min(WIDEST_GAP, 0.2 * width), ends, work, ...fewer };
  return onceEach((epsilon) => {
    if (epsilon >= epsilon0) return interval(0, 0);
    work.points++;
    return blanketDivergence(atoms, users, epsilon, options);
  });
}

/** The outputs of the data set that tells most, in fewer groups; null where none is known. */
export function tellingOutputs(round: MechanismRounds, width: number): LikelihoodAtoms | null {
  const atoms = mostTelling(round);
  return atoms && groupedOutputs(atoms, Math.ceil(mostCells(width) / 2));
}

/**
 * The entry with the largest total variation: any choice gives a lower bound, and this one decides over many
 * rounds. Each pass asks for it, and it takes as long as some points of a curve.
 */
const mostTelling = onceEachObject(({ amplification, users }: MechanismRounds): LikelihoodAtoms | null => {
  let worst: LikelihoodAtoms | null = null;
  let most = -1;
  for (const atoms of amplification.homogeneous) {
    const { lower } = blanketDivergence(atoms, users, 0, { ends: 'lower' });
    if (lower > most) [worst, most] = [atoms, lower];
  }
  return worst;
});
