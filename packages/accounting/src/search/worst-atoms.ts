/**
 * The largest divergence, and the largest epsilon, over lists of atoms: of all pairs and all data sets that a
 * bracket rests on, in both orders.
 */
import { exactly, onceEach, type LikelihoodAtoms } from '@shuffle-dp/core';
import { blanketDivergence, exchanged, LARGEST_EPSILON } from '../blanket/privacy-blanket.ts';
import type { Work } from '../allowance.ts';
import { epsilonAtDelta, type EpsilonSearch } from '../privacy-profile.ts';
import { refinedEpsilon, type DivergenceEnd, type End, type TwoGaps } from './coarse-to-fine.ts';
import { worstEpsilonNear, type WorstEnd } from './epsilon-near.ts';
import { largestLogRatio } from './largest-log-ratio.ts';

/** What is known of an epsilon beforehand, and how near to it is enough. */
export interface SearchHints {
  /** The local budget, where the randomizer has one: no bound exceeds it. */
  readonly epsilon0?: number;
  /** Of divergences, as in `BlanketOptions`. */
  readonly relativeGap?: number;
  /** Of an epsilon at a delta: about what it is, where that is known. */
  readonly near?: number;
  /** Of an epsilon at a delta, from above: as in `EpsilonSearch`. */
  readonly jumpTolerance?: number;
}

/** The worst of some atoms, and which they are; of none, or where nothing is told, the first. */
export type WorstAtoms = WorstEnd;

export function worstDelta(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  epsilon: number,
  end: End,
  relativeGap?: number,
): WorstAtoms {
  const work: Work = { sines: 0, most: MOST_WORK };
  return worstValue(atomsList.map((atoms) => endOf(atoms, epsilon, { users, end, relativeGap, work })));
}

function worstValue(values: readonly number[]): WorstAtoms {
  const value = Math.max(0, ...values);
  return { value, index: Math.max(0, values.indexOf(value)) };
}

/** Of the largest epsilon that is looked at. */
const JUST_BELOW = 1 - 1e-6;

export function worstEpsilon(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  end: End,
  { epsilon0 = Infinity, relativeGap, near, jumpTolerance }: SearchHints = {},
): WorstAtoms {
  if (delta === 0) return worstValue(atomsList.map((atoms) => largestLogRatio(atoms, end)));
  const work: Work = { sines: 0, most: MOST_WORK };
  const searches = atomsList.flatMap((atoms, index) =>
    directions(atoms).map((direction) => atomSearch(direction, index, { users, end, relativeGap, work })),
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
  let coarseOfWorst: DivergenceEnd = () => 0;
  for (const { fine, coarse, index } of worstOfCoarseFirst(likelyWorstFirst(searches), delta, end, search)) {
    if (worst.value === Infinity) break;
    // One evaluation tells whether these atoms are worse than those before, and often a coarse one.
    const roughly = worst.value > 0 ? coarse(worst.value) : Infinity;
    if (worst.value > 0 && isSettled(end, roughly, delta)) {
      if (end === 'upper') continue;
    } else if (worst.value > 0) {
      // One that is no worse by coarse looks gives no greater lower end, or hardly.
      if (
        end === 'lower' &&
        roughly > FAR_LESS * delta &&
        roughly <= ALIKE_LOOKS * coarseOfWorst(worst.value)
      )
        continue;
      if (fine(worst.value) <= delta) continue;
    }
    // A delta that is hardly ever reached, or never: no search where it is exceeded as far as anything is
    // evaluated.
    const mayMiss = end === 'lower' ? delta > LARGE_DELTA : delta < SMALL_DELTA;
    const look = end === 'lower' ? coarse : fine;
    // At the local budget itself a likeliest output has no loss but rounding, which may exceed a small delta.
    const misses = mayMiss && [1, JUST_BELOW].every((share) => look(share * search.epsilonMax) > delta);
    if (misses) {
      worst = { value: end === 'lower' ? search.epsilonMax : Infinity, index };
      break;
    }
    const value =
      fine === coarse
        ? epsilonAtDelta((epsilon) => exactly(fine(epsilon)), delta, search)[end]
        : refinedEpsilon({ fine, coarse }, delta, end, {
            ...search,
            relativeTolerance: Math.max(DEAR_TOLERANCE, search.relativeTolerance),
            slowTolerance: REFINED_TOLERANCE,
          });
    if (value > worst.value) [worst, coarseOfWorst] = [{ value, index }, coarse];
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

/** What every evaluation of a search has in common. */
interface Evaluations {
  readonly users: number;
  readonly end: End;
  readonly relativeGap?: number | undefined;
  readonly mostGains?: number;
  readonly work: Work;
}

/**
 * What the integrals of one search may cost, some seconds: beyond it only what is known without them is told,
 * which is as sound.
 */
const MOST_WORK = 5e7;

function atomSearch(atoms: LikelihoodAtoms, index: number, evaluations: Evaluations): AtomSearch {
  const at = (how: Evaluations): DivergenceEnd => onceEach((epsilon) => endAt(atoms, epsilon, how));
  const search = { index, atoms: atoms.others.length };
  const { relativeGap } = evaluations;
  if (search.atoms < MANY_ATOMS) {
    const fine = at(evaluations);
    return { ...search, fine, coarse: fine };
  }
  const gap = relativeGap ?? DEAR_GAP;
  const isFew = evaluations.users < FEW_USERS;
  const ofFew = evaluations.end === 'lower' ? MOST_GAINS : MOST_OF_FEW;
  const coarse = at({
    ...evaluations,
    relativeGap: Math.max(COARSE_GAP, gap),
    mostGains: isFew ? ofFew : FEWER_GAINS,
  });
  const isClose = evaluations.end === 'upper' && gap < COARSE_GAP;
  const most = isClose ? {} : { mostGains: isFew ? ofFew : MOST_GAINS };
  return { ...search, fine: at({ ...evaluations, ...most, relativeGap: gap }), coarse };
}

/** Evaluations of so many atoms take a tenth of a second and more. */
const MANY_ATOMS = 128;
/** A coarse look, and at so many of the gains. */
const [COARSE_GAP, FEWER_GAINS] = [1e-3, 160];
/** Among so few users rare gains decide, which few values would overstate: looks from above have more. */
const [FEW_USERS, MOST_OF_FEW] = [3000, 2048];
/**
 * Any other look leaves a hundred-thousandth of epsilon. Of so many of the gains from below, or where a wide
 * gap is asked for; else of all, as rare ones are not to grow.
 */
const [DEAR_GAP, MOST_GAINS] = [1e-4, 512];
/** Where a coarse look has less of the target it may tell nothing; and what mirror images differ by. */
const [FAR_LESS, ALIKE_LOOKS] = [0.5, 1 + 1e-6];
const [LARGE_DELTA, SMALL_DELTA] = [0.1, 1e-15];

/**
 * What a search may leave open where the bounds of the divergence jump, and secants find nothing; and where
 * most evaluations are cheap.
 */
const [SLOW_TOLERANCE, REFINED_TOLERANCE] = [1e-4, 1e-6];
/** Where each evaluation takes some hundredths of a second, relative to epsilon. */
const DEAR_TOLERANCE = 1e-5;

/**
 * In falling order of the divergence at 0, and where that is all but the same by the number of atoms: a data
 * set that hides the victim well, or one of many atoms, then costs one evaluation and no search of its own.
 */
function likelyWorstFirst(searches: readonly AtomSearch[]): readonly AtomSearch[] {
  if (searches.length === 1) return searches;
  const rank = ({ coarse }: AtomSearch): number => Math.round(coarse(0) * ALIKE);
  return searches.toSorted((a, b) => rank(b) - rank(a) || a.atoms - b.atoms || b.coarse(0) - a.coarse(0));
}

/**
 * From below, the one first that is the worst by coarse looks about where the first one meets `delta`: near 0
 * data sets differ little, and a search that another one follows is dear.
 */
function worstOfCoarseFirst(
  searches: readonly AtomSearch[],
  delta: number,
  end: End,
  search: EpsilonSearch,
): readonly AtomSearch[] {
  const [first, second] = searches;
  if (end === 'upper' || second === undefined || first!.fine === first!.coarse) return searches;
  const about = { ...search, relativeTolerance: ABOUT };
  const at = epsilonAtDelta((epsilon) => exactly(first!.coarse(epsilon)), delta, about).lower;
  if (!(at > 0)) return searches;
  return searches.toSorted((a, b) => b.coarse(at) - a.coarse(at));
}

/** Of an epsilon at which data sets are compared. */
const ABOUT = 0.05;

/** Divergences that round to the same part of 1 say little about which data set is worse elsewhere. */
const ALIKE = 100;

/** The two orders of the victim's inputs, apart: often one evaluation tells which of them is worse. */
function directions(atoms: LikelihoodAtoms): LikelihoodAtoms[] {
  if (atoms.symmetric) return [atoms];
  return [atoms, exchanged(atoms)].map((direction) => ({ ...direction, symmetric: true }));
}

/** Of many atoms the better of a fine and a coarse look: of heavy tails the coarse one may say more. */
function endOf(atoms: LikelihoodAtoms, epsilon: number, evaluations: Evaluations): number {
  const { users, end, relativeGap } = evaluations;
  const fine = endAt(atoms, epsilon, evaluations);
  if (relativeGap !== undefined || atoms.others.length < MANY_ATOMS || users < FEW_USERS) return fine;
  const coarse = endAt(atoms, epsilon, { ...evaluations, relativeGap: COARSE_GAP });
  return end === 'upper' ? Math.min(fine, coarse) : Math.max(fine, coarse);
}

function endAt(
  atoms: LikelihoodAtoms,
  epsilon: number,
  { users, end, relativeGap, mostGains, work }: Evaluations,
): number {
  return blanketDivergence(atoms, users, epsilon, {
    ends: end,
    work,
    ...(mostGains !== undefined && { mostGains }),
    ...(relativeGap !== undefined && { relativeGap }),
  })[end];
}
