/**
 * What a user is told about many rounds: the bracket of the privacy of shuffled mechanisms under adaptive composition,
 * replace-one in all rounds at once. From above by the blankets (docs/soundness.md, F1 and F2): the curve of the worst blanket
 * bounds each round whatever the earlier ones showed. From below by one pair of data sets per round whose other users
 * all hold one value (F3): the product of these pairs is a pair of histories that can occur.
 */
import {
  interval,
  provedInterval,
  ParameterError,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireProbability,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
  type Target,
} from '@shuffle-dp/core';
import { certifiedEpsilon } from '../one-round.ts';
import { sharpestDelta, sharpestEpsilon } from '../sharp/sharpest.ts';
import {
  correctedCells,
  correctedVariationRatioEpsilon,
} from '../variation-ratio/corrected-variation-ratio.ts';
import { blanketDivergence, exchanged } from '../blanket/privacy-blanket.ts';
import { epsilonAtDelta, type PrivacyProfile } from '../privacy-profile.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import { composeSources, firstGrid, type Grid } from './refined-bracket.ts';
import { profileSource, type RoundSource } from './round-source.ts';
import type { ProvedEnds } from './sampled-curve.ts';

/** `count` rounds of one mechanism among `users`. */
export interface MechanismRounds {
  readonly amplification: AmplificationProfile;
  readonly users: number;
  readonly count: number;
  /** The local budget, where the randomizer has one: no round exceeds it. */
  readonly epsilon0?: number;
}

/**
 * Bracket of delta at `epsilon` of the composition. `relativeWidth` is asked of each end's own numerical error; what
 * lies between the ends beyond it is not known.
 * @throws ParameterError for no rounds, users or counts below 1, or epsilon < 0
 */
export function certifiedComposedDelta(
  rounds: readonly MechanismRounds[],
  epsilon: number,
  options: CompositionOptions = {},
): Interval {
  requireNonNegative('epsilon', epsilon);
  const [only] = rounds;
  if (only && rounds.length === 1 && only.count === 1) {
    return sharpestDelta(only.amplification, only.users, epsilon, only);
  }
  return bothEnds(rounds, { epsilon }, options);
}

/**
 * Bracket of the smallest epsilon at which the composition is (epsilon, delta)-DP, likewise.
 * @throws ParameterError for no rounds, users or counts below 1, or delta outside [0, 1]
 */
export function certifiedComposedEpsilon(
  rounds: readonly MechanismRounds[],
  delta: number,
  options: CompositionOptions = {},
): Interval {
  requireProbability('delta', delta);
  const [only] = rounds;
  if (only && rounds.length === 1 && only.count === 1) {
    return sharpestEpsilon(only.amplification, only.users, delta, only);
  }
  return bothEnds(rounds, { delta }, options);
}

function bothEnds(rounds: readonly MechanismRounds[], target: Target, options: CompositionOptions): Interval {
  const width = requireWidth(options);
  if (rounds.length === 0) throw new ParameterError('rounds', '[]', 'a list of at least one round');
  if ('delta' in target && target.delta >= 1) return interval(0, 0);
  rounds.forEach(({ amplification, users, epsilon0 }) => {
    requireInteger('users', users, 1);
    if (amplification.blanket.length === 0 && !(epsilon0! < Infinity)) {
      throw new ParameterError(
        'blanket',
        '[]',
        'a list of at least one entry: no local budget bounds the mechanism',
      );
    }
    if (epsilon0 !== undefined && epsilon0 !== Infinity) requirePositive('epsilon0', epsilon0);
  });
  const { upper } = composeSources(
    rounds.map((round) => blanketSource(round, width)),
    target,
    width,
  );
  const worst = rounds.map(mostTelling);
  let lower = 0;
  if (worst.every((atoms) => atoms !== null)) {
    const pairs = rounds.map((round, i) => homogeneousSources(round, worst[i]!, width));
    const ahead = pairs.map(([forward]) => forward);
    const behind = pairs.map(([, backward]) => backward);
    let grid: Grid | null = null;
    lower = composeSources(ahead, target, width, () => (grid = firstGrid(ahead, target, width))).lower;
    if (worst.some(({ symmetric }) => !symmetric)) {
      const own = (): Grid => likeThat(firstGrid(behind, target, width), grid);
      lower = Math.max(lower, composeSources(behind, target, width, own).lower);
    }
  }
  return provedInterval(
    'delta' in target ? 'epsilon' : 'delta',
    { name: 'equal users in every round', value: lower },
    { name: 'the blankets of the rounds', value: upper },
  );
}

/** Steps that differ by less are taken to be the same, so that both orders look at the same points. */
const ALIKE = 1.3;

function likeThat(own: Grid, other: Grid | null): Grid {
  if (other === null) return own;
  const ratio = own.step / other.step;
  return ratio < ALIKE && ratio > 1 / ALIKE ? { ...own, step: other.step } : own;
}

/** The curve of the worst blanket at each epsilon, from above: convex and symmetric, as a maximum of such curves. */
function blanketSource(round: MechanismRounds, width: number): RoundSource {
  if (round.amplification.blanket.length === 0) return sourceWithoutBlanket(round, width);
  const profiles = round.amplification.blanket.map((atoms) => divergenceOf(round, atoms, width, 'upper'));
  const worst = (epsilon: number): Interval => {
    return interval(0, Math.max(...profiles.map((profile) => profile(epsilon).upper)));
  };
  const { users, count, epsilon0 = Infinity, amplification } = round;
  const alone = { ...amplification, homogeneous: [] };
  const epsilonAt = (delta: number): Interval => certifiedEpsilon(alone, users, delta, { epsilon0 });
  return profileSource(worst, null, count, epsilonAt, 'upper');
}

/**
 * Where no blanket is known: the least of what the local budget and, by F5, the parameters p, beta and q allow at each epsilon. Points
 * above the curve are enough for chords above it.
 */
function sourceWithoutBlanket(round: MechanismRounds, width: number): RoundSource {
  const { users, count, epsilon0 = Infinity, amplification } = round;
  const local = localCurve(epsilon0);
  const { variationRatio: pair } = amplification;
  if (pair === null || pair.q < 1 + pair.beta)
    return profileSource(local, null, count, (delta) => epsilonAtDelta(local, delta), 'upper');
  const cells = divergenceOf(round, correctedCells(pair), width, 'upper');
  const least = (epsilon: number): Interval =>
    interval(0, Math.min(local(epsilon).upper, cells(epsilon).upper));
  const epsilonAt = (delta: number): Interval => {
    const { upper } = correctedVariationRatioEpsilon(pair, users, delta);
    return interval(0, Math.min(epsilon0, upper));
  };
  return profileSource(least, null, count, epsilonAt, 'upper');
}

/**
 * The curve of binary randomized response, which dominates every round that one user's local budget bounds (P. Kairouz, S. Oh,
 * P. Viswanath, ICML 2015): what is left where no blanket is known.
 */
function localCurve(epsilon0: number): PrivacyProfile {
  return (epsilon) => {
    const delta = epsilon >= epsilon0 ? 0 : -Math.expm1(epsilon - epsilon0) / (1 + Math.exp(-epsilon0));
    return interval(delta * (1 - 2 ** -48), Math.min(1, delta * (1 + 2 ** -48)));
  };
}

/** The ceiling of a search: what is beyond is not looked at. */
const CEILING_SEARCH = { relativeTolerance: 1e-6, slowTolerance: 1e-3 };

/** One pair as it is, in both orders: the larger of its two curves would not be the curve of a pair that occurs. */
function homogeneousSources(
  round: MechanismRounds,
  atoms: LikelihoodAtoms,
  width: number,
): readonly [RoundSource, RoundSource] {
  const { users, count, epsilon0 = Infinity } = round;
  const oneWay = (direction: LikelihoodAtoms): PrivacyProfile =>
    divergenceOf(round, { ...direction, symmetric: true }, width, 'both');
  const sourceOf = (
    direction: LikelihoodAtoms,
    profile: PrivacyProfile,
    reverse: PrivacyProfile,
  ): RoundSource => {
    const pair = { variationRatio: null, blanket: [], homogeneous: [{ ...direction, symmetric: true }] };
    return profileSource(profile, atoms.symmetric ? null : reverse, count, (delta) =>
      delta === 0
        ? certifiedEpsilon(pair, users, 0, { epsilon0 })
        : epsilonAtDelta(profile, delta, CEILING_SEARCH),
    );
  };
  const reversed = exchanged(atoms);
  const forward = oneWay(atoms);
  const backward = oneWay(reversed);
  return [sourceOf(atoms, forward, backward), sourceOf(reversed, backward, forward)];
}

/** Five times as exact as what is asked of the whole. The same points are asked for again and again. */
function divergenceOf(
  { users, epsilon0 = Infinity }: MechanismRounds,
  atoms: LikelihoodAtoms,
  width: number,
  ends: ProvedEnds,
): PrivacyProfile {
  const options = { relativeGap: 0.2 * width, ends };
  const known = new Map<number, Interval>();
  return (epsilon) => {
    const bracket =
      known.get(epsilon) ??
      (epsilon >= epsilon0 ? interval(0, 0) : blanketDivergence(atoms, users, epsilon, options));
    known.set(epsilon, bracket);
    return bracket;
  };
}

/** The entry with the largest total variation: any choice gives a lower bound, and this one decides over many rounds. */
function mostTelling({ amplification, users }: MechanismRounds): LikelihoodAtoms | null {
  let worst: LikelihoodAtoms | null = null;
  let most = -1;
  for (const atoms of amplification.homogeneous) {
    const { lower } = blanketDivergence(atoms, users, 0, { ends: 'lower' });
    if (lower > most) [worst, most] = [atoms, lower];
  }
  return worst;
}
