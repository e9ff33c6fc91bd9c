/**
 * What a user is told: the bracket of a mechanism's privacy after shuffling, from sound bounds only. From
 * above by the blanket of the concrete randomizer (docs/soundness.md, F1 and F2), from below by data sets
 * whose other users all hold one value (F3). How far the ends lie apart is what is not known.
 */
import {
  exactly,
  interval,
  onceEach,
  provedInterval,
  requireInteger,
  requireNonNegative,
  requireProbability,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
  type Target,
} from '@shuffle-dp/core';
import { refinedEpsilon, type End, type TwoGaps } from './search/coarse-to-fine.ts';
import { blanketDivergence, exchanged, LARGEST_EPSILON } from './blanket/privacy-blanket.ts';
import { largestLogRatio } from './search/largest-log-ratio.ts';
import { worstEpsilonNear } from './search/epsilon-near.ts';
import { epsilonAtDelta } from './privacy-profile.ts';
import { requireTarget } from './published/published-bound.ts';

export interface CertifiedOptions {
  /** The local budget, where the randomizer has one: no bound exceeds it. */
  readonly epsilon0?: number;
  /** Of divergences, as in `BlanketOptions`. */
  readonly relativeGap?: number;
  /** Of an epsilon at a delta: about what it is, where that is known. */
  readonly near?: number;
  /** Of an epsilon at a delta, from above: as in `EpsilonSearch`. */
  readonly jumpTolerance?: number;
}

type SearchHints = Pick<CertifiedOptions, 'relativeGap' | 'near' | 'jumpTolerance'>;

/**
 * Bracket of the divergence at epsilon of the worst pair of neighbouring data sets (replace-one). The upper
 * end is 1 where no blanket is given.
 * @throws ParameterError for users < 1 or epsilon < 0
 * @example certifiedDelta(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification(), 1000, 0.2) // { lower: 1.0709e-12, upper: 1.17629e-12 }
 */
export function certifiedDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  { epsilon0 = Infinity, relativeGap }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  if (epsilon >= epsilon0) return interval(0, 0);
  const { blanket, homogeneous } = profile;
  const upper = blanket.length > 0 ? worstDelta(blanket, users, epsilon, 'upper', relativeGap).value : 1;
  const lower = worstDelta(homogeneous, users, epsilon, 'lower', relativeGap).value;
  return between('delta', lower, upper);
}

/**
 * Bracket of the smallest epsilon at which the mechanism is (epsilon, delta)-DP after shuffling
 * (replace-one). The upper end is infinity where no epsilon up to 700 will do, as where nothing hides the
 * victim, and the local budget where no blanket is given.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 * @example certifiedEpsilon(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification(), 1000, 1e-6) // { lower: 0.117729, upper: 0.117824 }
 */
export function certifiedEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  { epsilon0 = Infinity, ...hints }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  if (profile.blanket.length === 0 && delta < 1) {
    const lower = worstEpsilon(profile.homogeneous, users, delta, 'lower', epsilon0, hints).value;
    return between('epsilon', lower, epsilon0);
  }
  return epsilonBracket(profile.blanket, profile.homogeneous, users, delta, epsilon0, hints);
}

/** A lower end, and the data set that attains it. */
export interface WorstDataSet {
  readonly value: number;
  readonly label: string;
}

/**
 * The lower end of `certifiedDelta` or `certifiedEpsilon` with its data set.
 * @param homogeneous at least one
 * @throws ParameterError as those
 * @example worstEqualData(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification().homogeneous, 1000, { delta: 1e-6 }).label // 'all others hold a third value'
 */
export function worstEqualData(
  homogeneous: AmplificationProfile['homogeneous'],
  users: number,
  target: Target,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): WorstDataSet {
  requireInteger('users', users, 1);
  requireTarget(target);
  if ('epsilon' in target && target.epsilon >= epsilon0) return { value: 0, label: homogeneous[0]!.label };
  const { value, index } =
    'delta' in target
      ? worstEpsilon(homogeneous, users, target.delta, 'lower', epsilon0)
      : worstDelta(homogeneous, users, target.epsilon, 'lower');
  return { value, label: homogeneous[index]!.label };
}

/**
 * Bracket of the epsilon at `delta` of the worst of these atoms, in formula F1: what it bounds, and from
 * which side, the atoms decide. @throws ParameterError as `certifiedEpsilon`
 * @example blanketEpsilon(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification().blanket, 1000, 1e-6) // { lower: 0.117824, upper: 0.117824 }
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
  hints: SearchHints = {},
): Interval {
  const upper = Math.min(epsilon0, worstEpsilon(above, users, delta, 'upper', epsilon0, hints).value);
  const lower = worstEpsilon(below, users, delta, 'lower', epsilon0, hints).value;
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

/** The worst of some atoms, and which they are; of none, or where nothing is told, the first. */
interface WorstAtoms {
  readonly value: number;
  readonly index: number;
}

function worstDelta(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  epsilon: number,
  end: End,
  relativeGap?: number,
): WorstAtoms {
  const valueOf = (atoms: LikelihoodAtoms): number =>
    relativeGap === undefined
      ? endOf(atoms, users, epsilon, end)
      : endAt(atoms, users, epsilon, end, relativeGap);
  return worstValue(atomsList.map(valueOf));
}

function worstValue(values: readonly number[]): WorstAtoms {
  const value = Math.max(0, ...values);
  return { value, index: Math.max(0, values.indexOf(value)) };
}

function worstEpsilon(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  end: End,
  epsilon0: number,
  { relativeGap, near, jumpTolerance }: SearchHints = {},
): WorstAtoms {
  if (delta === 0) return worstValue(atomsList.map((atoms) => largestLogRatio(atoms, end)));
  const searches = atomsList.flatMap((atoms, index) =>
    directions(atoms).map((direction) => atomSearch(direction, index, users, end, relativeGap)),
  );
  const search = {
    // Beyond, nothing is evaluated from below.
    epsilonMax: Math.min(epsilon0, end === 'lower' ? LARGEST_EPSILON : 700),
    relativeTolerance: Math.max(1e-9, (relativeGap ?? 0) / 100),
    slowTolerance: SLOW_TOLERANCE,
    ...(near !== undefined && { near }),
    ...(jumpTolerance !== undefined && end === 'upper' && { jumpTolerance }),
  };
  if (near !== undefined && relativeGap !== undefined) {
    const bounds = searches.map(({ fine }) => fine);
    const { epsilonMax } = search;
    const found = worstEpsilonNear(bounds, delta, end, { near, epsilonMax, ...openAt(relativeGap) });
    if (found !== null) return { ...found, index: searches[found.index]!.index };
  }
  let worst: WorstAtoms = { value: 0, index: 0 };
  for (const { fine, coarse, index } of likelyWorstFirst(searches)) {
    if (worst.value === Infinity) break;
    // One evaluation tells whether these atoms are worse than those before, and often a coarse one.
    if (worst.value > 0 && isSettled(end, coarse(worst.value), delta)) {
      if (end === 'upper') continue;
    } else if (worst.value > 0 && fine(worst.value) <= delta) continue;
    // A delta that is hardly ever reached, or never: no search where it is exceeded as far as anything is
    // evaluated.
    const mayMiss = end === 'lower' ? delta > LARGE_DELTA : delta < SMALL_DELTA;
    if (mayMiss && (end === 'lower' ? coarse : fine)(search.epsilonMax) > delta) {
      worst = { value: end === 'lower' ? search.epsilonMax : Infinity, index };
      break;
    }
    const value =
      fine === coarse
        ? epsilonAtDelta((epsilon) => exactly(fine(epsilon)), delta, search)[end]
        : refinedEpsilon({ fine, coarse }, delta, end, { ...search, slowTolerance: REFINED_TOLERANCE });
    if (value > worst.value) worst = { value, index };
  }
  return worst;
}

/**
 * What a search may leave open of an epsilon where divergences are that open themselves, and below a delta
 * that was aimed at.
 */
function openAt(relativeGap: number): { readonly tolerance: number; readonly slack: number } {
  return { tolerance: relativeGap / 20, slack: 10 * relativeGap };
}

/**
 * Whether a coarse bound tells all: from above that a divergence is small enough, from below that it is not.
 */
function isSettled(end: End, coarse: number, delta: number): boolean {
  return end === 'upper' ? coarse <= delta : coarse > delta;
}

interface AtomSearch extends TwoGaps {
  /** Which atoms of the list. */
  readonly index: number;
  /** How many they are. */
  readonly atoms: number;
}

function atomSearch(
  atoms: LikelihoodAtoms,
  index: number,
  users: number,
  end: End,
  relativeGap?: number,
): AtomSearch {
  const fine = onceEach((epsilon) => endAt(atoms, users, epsilon, end, relativeGap));
  const search = { index, atoms: atoms.others.length, fine };
  if (search.atoms < MANY_ATOMS || (relativeGap ?? 0) >= COARSE_GAP) return { ...search, coarse: fine };
  return { ...search, coarse: onceEach((epsilon) => endAt(atoms, users, epsilon, end, COARSE_GAP)) };
}

/** Evaluations of so many atoms take a tenth of a second and more. */
const MANY_ATOMS = 128;
const COARSE_GAP = 1e-3;
const [LARGE_DELTA, SMALL_DELTA] = [0.1, 1e-15];

/**
 * What a search may leave open where the bounds of the divergence jump, and secants find nothing; and where
 * most evaluations are cheap.
 */
const [SLOW_TOLERANCE, REFINED_TOLERANCE] = [1e-4, 1e-6];

/**
 * In falling order of the divergence at 0, and where that is all but the same by the number of atoms: a data
 * set that hides the victim well, or one of many atoms, then costs one evaluation and no search of its own.
 */
function likelyWorstFirst(searches: readonly AtomSearch[]): readonly AtomSearch[] {
  if (searches.length === 1) return searches;
  const rank = ({ coarse }: AtomSearch): number => Math.round(coarse(0) * ALIKE);
  return searches.toSorted((a, b) => rank(b) - rank(a) || a.atoms - b.atoms || b.coarse(0) - a.coarse(0));
}

/** Divergences that round to the same part of 1 say little about which data set is worse elsewhere. */
const ALIKE = 100;

/** The two orders of the victim's inputs, apart: often one evaluation tells which of them is worse. */
function directions(atoms: LikelihoodAtoms): LikelihoodAtoms[] {
  if (atoms.symmetric) return [atoms];
  return [atoms, exchanged(atoms)].map((direction) => ({ ...direction, symmetric: true }));
}

function endOf(atoms: LikelihoodAtoms, users: number, epsilon: number, end: End): number {
  const fine = endAt(atoms, users, epsilon, end);
  if (atoms.others.length < MANY_ATOMS) return fine;
  const coarse = endAt(atoms, users, epsilon, end, COARSE_GAP);
  return end === 'upper' ? Math.min(fine, coarse) : Math.max(fine, coarse);
}

function endAt(
  atoms: LikelihoodAtoms,
  users: number,
  epsilon: number,
  end: End,
  relativeGap?: number,
): number {
  return blanketDivergence(atoms, users, epsilon, {
    ends: end,
    ...(relativeGap !== undefined && { relativeGap }),
  })[end];
}
