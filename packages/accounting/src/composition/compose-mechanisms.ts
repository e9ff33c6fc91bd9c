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
  Real,
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
import type { Work } from '../blanket/contour-integral.ts';
import { blanketDivergence, exchanged } from '../blanket/privacy-blanket.ts';
import { epsilonAtDelta, type PrivacyProfile } from '../privacy-profile.ts';
import { requireWidth, type CompositionOptions } from './compose.ts';
import { groupedOutputs, widerCells } from './fewer-outputs.ts';
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
  const rough = pass(rounds, target, Math.max(width, ROUGH_WIDTH));
  const unknown = 1 - rough.lower / rough.upper;
  // Work grows like the width to the power of -2/3.
  const affordable = ROUGH_WIDTH * Real.power(rough.sines / MOST_FINE_SINES, 1.5);
  const wanted = Math.max(width, UNKNOWN_SHARE * unknown, affordable);
  const fine = wanted < ROUGH_WIDTH ? pass(rounds, target, wanted, rough.worse) : rough;
  return provedInterval(
    'delta' in target ? 'epsilon' : 'delta',
    { name: 'equal users in every round', value: Math.max(rough.lower, fine.lower) },
    { name: 'the blankets of the rounds', value: Math.min(rough.upper, fine.upper) },
  );
}

/** How wide the first pass is: a hundredth of the work of the default. */
const ROUGH_WIDTH = 1e-2;
/** Each end may err by this part of what lies between them in any case: to know it better would tell little. */
const UNKNOWN_SHARE = 3e-3;

/** Both ends, each to a relative width, and the order of the victim's inputs that gives the lower one. */
interface Pass {
  readonly lower: number;
  readonly upper: number;
  readonly worse: Order;
  /** What both cost. */
  readonly sines: number;
}

type Order = 'ahead' | 'behind';

/** @param only the order of the victim's inputs that is looked at from below; by default both */
function pass(rounds: readonly MechanismRounds[], target: Target, width: number, only?: Order): Pass {
  const work: Work = { sines: 0 };
  const composed = (sources: readonly RoundSource[], known?: () => Grid): Interval => {
    const most = work.sines + MOST_SINES;
    return composeSources(sources, target, width, known, () => work.sines < most);
  };
  const { upper } = composed(rounds.map((round) => blanketSource(round, width, work)));
  const worst = rounds.map((round) => {
    const atoms = mostTelling(round);
    return atoms && groupedOutputs(atoms, Math.ceil(mostCells(width) / 2));
  });
  if (!worst.every((atoms) => atoms !== null)) return { lower: 0, upper, worse: 'ahead', sines: work.sines };
  const pairs = rounds.map((round, i) => homogeneousSources(round, worst[i]!, width, work));
  const ahead = pairs.map(([forward]) => forward);
  const behind = pairs.map(([, backward]) => backward);
  const oneOrder = worst.every(({ symmetric }) => symmetric) ? 'ahead' : only;
  if (oneOrder) {
    const { lower } = composed(oneOrder === 'ahead' ? ahead : behind);
    return { lower, upper, worse: oneOrder, sines: work.sines };
  }
  let grid: Grid | null = null;
  const first = composed(ahead, () => (grid = firstGrid(ahead, target, width)));
  const own = (): Grid => likeThat(firstGrid(behind, target, width), grid);
  const second = composed(behind, own);
  return {
    lower: Math.max(first.lower, second.lower),
    upper,
    worse: first.lower >= second.lower ? 'ahead' : 'behind',
    sines: work.sines,
  };
}

/** After so many, a second's work, a bracket is not refined. */
const MOST_SINES = 2e7;
/** What the second pass may cost: its curves are asked for more points, each of more sines. */
const MOST_FINE_SINES = 6e7;

/**
 * Cells of outputs that are continuous: what fewer of them cost is of the second order, less than what is asked. From below half as
 * many do, since a mean costs half as much as two ends.
 */
function mostCells(width: number): number {
  return Math.max(FEWEST_CELLS, Math.ceil(CELLS_AT_1 / Math.sqrt(width)));
}

const FEWEST_CELLS = 96;
const CELLS_AT_1 = 5;

/** Steps that differ by less are taken to be the same, so that both orders look at the same points. */
const ALIKE = 1.3;

function likeThat(own: Grid, other: Grid | null): Grid {
  if (other === null) return own;
  const ratio = own.step / other.step;
  return ratio < ALIKE && ratio > 1 / ALIKE ? { ...own, step: other.step } : own;
}

/** The curve of the worst blanket at each epsilon, from above: convex and symmetric, as a maximum of such curves. */
function blanketSource(round: MechanismRounds, width: number, work: Work): RoundSource {
  if (round.amplification.blanket.length === 0) return sourceWithoutBlanket(round, width, work);
  const cells = round.amplification.blanket.map((atoms) => widerCells(atoms, mostCells(width)));
  const profiles = cells.map((atoms) => divergenceOf(round, atoms, width, 'upper', work));
  const worst = (epsilon: number): Interval => {
    return interval(0, Math.max(...profiles.map((profile) => profile(epsilon).upper)));
  };
  const { users, count, epsilon0 = Infinity } = round;
  const alone = { variationRatio: null, blanket: cells, homogeneous: [] };
  const epsilonAt = (delta: number): Interval => certifiedEpsilon(alone, users, delta, { epsilon0 });
  return profileSource(worst, null, count, epsilonAt, 'upper');
}

/**
 * Where no blanket is known: the least of what the local budget and, by F5, the parameters p, beta and q allow at each epsilon. Points
 * above the curve are enough for chords above it.
 */
function sourceWithoutBlanket(round: MechanismRounds, width: number, work: Work): RoundSource {
  const { users, count, epsilon0 = Infinity, amplification } = round;
  const local = localCurve(epsilon0);
  const { variationRatio: pair } = amplification;
  if (pair === null || pair.q < 1 + pair.beta)
    return profileSource(local, null, count, (delta) => epsilonAtDelta(local, delta), 'upper');
  const cells = divergenceOf(round, correctedCells(pair), width, 'upper', work);
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
    const delta = epsilon >= epsilon0 ? 0 : -Real.expm1(epsilon - epsilon0) / (1 + Real.exp(-epsilon0));
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
  work: Work,
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

/** Wider ones save little, and of heavy tails an integral that is affordable at this one may be given up at them. */
const WIDEST_GAP = 2e-5;

/** Five times as exact as what is asked of the whole. The same points are asked for again and again. */
function divergenceOf(
  { users, epsilon0 = Infinity }: MechanismRounds,
  atoms: LikelihoodAtoms,
  width: number,
  ends: ProvedEnds,
  work: Work,
): PrivacyProfile {
  const options = { relativeGap: Math.min(WIDEST_GAP, 0.2 * width), ends, work };
  const known = new Map<number, Interval>();
  return (epsilon) => {
    const before = known.get(epsilon);
    if (before !== undefined) return before;
    if (epsilon >= epsilon0) return interval(0, 0);
    const bracket = blanketDivergence(atoms, users, epsilon, options);
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
