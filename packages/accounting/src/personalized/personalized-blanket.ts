/**
 * The certified accountant for personal budgets (docs/personalized.md). Every group's blanket is thinned to
 * one reference density w; the number M of other messages of law w is an exact Poisson-binomial count; and
 * given M = m the victim hides among m messages of law w, formula F1 with m + 1 users:
 *
 *   delta(epsilon) <= E h(M + 1),   h(k) = (1/k) E (L_1 + ... + L_k)_+ + what w does not cover.
 *
 * h does not increase in k, so that the counts are taken in blocks, each at its smallest. With equal shares
 * for all users M is binomial and the sum over it is formula F1 itself: equal budgets give what
 * `certifiedEpsilon` gives.
 *
 * Each group's users are bounded by their own pair of laws; no user's bound rests on that of another group.
 * From below: exact tests on shuffled counts, shuffled-count-test.ts.
 */
import {
  interval,
  type Interval,
  onDemand,
  ParameterError,
  requireInteger,
  requireProbability,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { widerCells } from '../blanket/fewer-outputs.ts';
import { blanketDivergence } from '../blanket/privacy-blanket.ts';
import { epsilonAtDelta, type EpsilonSearch, type PrivacyProfile } from '../privacy-profile.ts';
import { requireBudgetGroups, type BudgetGroup, type VictimPair } from './budget-group.ts';
import { cloneCountLaw } from './clone-count.ts';
import { countBlocks, type CountBlock } from './count-blocks.ts';
import { largestValueExcess, type ValueExcess } from './gaussian-values.ts';
import { chooseReferences, type Reference } from './reference-density.ts';

/** The share of delta that the victim's mass on uncovered cells may take. */
const UNCOVERED_SHARE = 0.02;
/** That share where the other one leaves more than half of the budget. */
const LARGE_UNCOVERED_SHARE = 0.6;
/** The share of delta that small counts may take, at which nothing is said to hide the victim. */
const SMALL_COUNT_SHARE = 1e-4;
/** Below this many messages that hide the victim in the mean, none is counted on. */
const HARDLY_ANY = 1e-3;
/** Below this many messages that hide the victim, their number is no longer about its mean. */
const FEW_HIDING = 20;
/** Masses of counts below this are left out, whatever delta. */
const SMALLEST_MASS = 1e-80;
/** How close divergences are, those of blocks of counts, and an epsilon. */
const [USUAL_GAP, GAP_OF_BLOCKS, USUAL_TOLERANCE] = [1e-5, 1e-4, 1e-6];
/** After some two seconds' work, how close they are, of how many cells, and how close an epsilon. */
const [MUCH_WORK, WIDER_GAP, FEWER_CELLS, WIDER_TOLERANCE] = [4e7, 1e-3, 300, 1e-4];
/** A delta this near the one asked for, relative to it, ends the search. */
const CLOSE_ENOUGH = 0.998;
/** Of a delta: a divergence up to it is found to meet that delta by every search. */
export const SURELY_MET = CLOSE_ENOUGH * (1 - 1e-6);

/**
 * Upper bound of the epsilon at `delta` of one user of group `victim` (replace-one), everybody else's values
 * being anything: at most the group's budget; infinity where neither says anything. Values up to `floor` are
 * not looked for: the larger of both is returned, and one evaluation tells that the user's is not. Where
 * `work` says that much was done before, for other users, bounds are a thousandth coarser; it is added to.
 * @throws ParameterError for groups that do not fit together, a victim group without users, or delta outside
 * [0, 1]
 */
export function personalizedBlanketEpsilon(
  groups: readonly BudgetGroup[],
  victim: number,
  delta: number,
  { floor = 0, work = { sines: 0 } }: { readonly floor?: number; readonly work?: Work } = {},
): number {
  requireVictim(groups, victim, delta);
  let worst = floor;
  for (const pair of groups[victim]!.pairs) {
    if (worst === Infinity) break;
    worst = Math.max(worst, pairEpsilon(groups, { victim, pair }, delta, worst, work));
  }
  return Math.max(floor, Math.min(worst, groups[victim]!.budget));
}

/**
 * Upper bound of the divergence at `epsilon` of one user of group `victim` from their neighbour, by the
 * references that suit an answer near `delta`: one evaluation, where `personalizedBlanketEpsilon` searches.
 * Where it is at most `SURELY_MET` of delta, that finds an epsilon no larger. For outputs whose worst pair is
 * known alone; others are refused.
 * @throws ParameterError as `personalizedBlanketEpsilon`, and for Gaussian noise
 */
export function personalizedBlanketDelta(
  groups: readonly BudgetGroup[],
  victim: number,
  epsilon: number,
  delta: number,
): number {
  requireVictim(groups, victim, delta);
  const { budget, pairs } = groups[victim]!;
  if (epsilon >= budget) return 0;
  if (pairs.some(({ gaussian }) => gaussian))
    throw new ParameterError(`groups[${victim}].pairs`, 'gaussian', 'of outputs whose worst pair is proved');
  const ofPair = (pair: VictimPair): number =>
    Math.min(
      ...chooseReferences(groups, victim, pair, Math.max(UNCOVERED_SHARE * delta, 1e-300)).map(
        (reference) =>
          hiddenProfiles(hidingMessages(groups, victim, reference, delta), reference.atoms, {
            sines: 0,
          }).profile(epsilon).upper,
      ),
    );
  return Math.max(...pairs.map(ofPair));
}

/**
 * Of one pair, and of the values between where it is not proved to be the worst; `enough` where that is an
 * upper bound.
 */
function pairEpsilon(
  groups: readonly BudgetGroup[],
  { victim, pair }: { readonly victim: number; readonly pair: VictimPair },
  delta: number,
  enough: number,
  work: Work,
): number {
  const epsilonMax = Math.min(700, groups[victim]!.budget);
  const allowance = Math.max(UNCOVERED_SHARE * delta, 1e-300);
  let best = Infinity;
  const lookAt = (reference: Reference): void => {
    const hiding = hidingMessages(groups, victim, reference, delta);
    if (hiding.leftOut > delta) return;
    const { profile, guide } = hiddenProfiles(hiding, reference.atoms, work);
    if (best < Infinity && guide(best).upper >= delta) return;
    if (profile === guide && epsilonMax === groups[victim]!.budget && profile(epsilonMax).upper > delta)
      return;
    const between = valuesBetween(groups, pair, reference, hiding, work);
    const overValues: PrivacyProfile = between ? (epsilon) => interval(0, between(epsilon, delta)) : profile;
    if (enough > 0 && overValues(enough).upper <= delta) {
      best = Math.min(best, enough);
      return;
    }
    const relativeTolerance = work.sines > MUCH_WORK ? WIDER_TOLERANCE : USUAL_TOLERANCE;
    const search = { epsilonMax, relativeTolerance };
    let epsilon = guidedEpsilon({ profile, guide }, delta, search);
    if (between && epsilon < best && overValues(epsilon).upper > delta)
      epsilon = epsilonAtDelta(overValues, delta, search).upper;
    best = Math.min(best, epsilon);
  };
  chooseReferences(groups, victim, pair, allowance).forEach(lookAt);
  // Where that says little, tails that hardly anybody else reaches may be worth most of delta.
  if (best > epsilonMax / 2 && best > enough)
    lookAt(chooseReferences(groups, victim, pair, Math.max(LARGE_UNCOVERED_SHARE * delta, 1e-300))[0]!);
  return best;
}

/** How many messages of the reference's law hide the victim. */
interface HidingMessages {
  /** Users in all. */
  readonly users: number;
  /** Their number in the mean, without the victim's. */
  readonly expected: number;
  /** Every user's probability of one where that is the same for all. */
  readonly share: number | null;
  /** What at least is left out of the law of their number. */
  readonly leftOut: number;
  /** Their number in blocks, where it is not: takes a second of a million users. */
  readonly blocks: () => readonly CountBlock[];
}

interface HiddenProfiles {
  /** The certified delta(epsilon), in its upper end. */
  readonly profile: PrivacyProfile;
  /** Near it, and cheaper. */
  readonly guide: PrivacyProfile;
}

function hidingMessages(
  groups: readonly BudgetGroup[],
  victim: number,
  { shares }: Reference,
  delta: number,
): HidingMessages {
  const others = groups
    .map(({ users }, t) => ({ coins: t === victim ? users - 1 : users, probability: shares[t]! }))
    .filter(({ coins }) => coins > 0);
  const users = others.reduce((sum, { coins }) => sum + coins, 1);
  const expected = others.reduce((sum, { coins, probability }) => sum + coins * probability, 0);
  const alike = { users, expected, leftOut: 0, blocks: NONE };
  if (expected < HARDLY_ANY) return { ...alike, share: null };
  const first = others[0]!.probability;
  if (others.every(({ probability }) => probability === first)) return { ...alike, share: first };
  const allowance = SMALL_COUNT_SHARE * delta;
  const smallest = Math.max(SMALLEST_MASS, (allowance / users) * 1e-3);
  const leftOut = others.reduce((sum, { coins }) => (coins > 1 ? sum + coins * smallest : sum), 0);
  const blocks = onDemand(() => countBlocks(cloneCountLaw(others, smallest), allowance));
  return { users, expected, share: null, leftOut, blocks };
}

const NONE = (): readonly CountBlock[] => [];

function hiddenProfiles(
  { users, expected, share, blocks }: HidingMessages,
  atoms: LikelihoodAtoms,
  work: Work,
): HiddenProfiles {
  if (expected < HARDLY_ANY) {
    const alone: PrivacyProfile = (epsilon) => blanketDivergence(atoms, 1, epsilon, { ends: 'upper', work });
    return { profile: alone, guide: alone };
  }
  const hidden = affordable(atoms, work);
  const thinned = affordable(thinnedAtoms(atoms, share ?? expected / (users - 1)), work);
  const guide: PrivacyProfile = (epsilon) => thinned(users, epsilon, USUAL_GAP);
  if (share !== null) return { profile: guide, guide };
  const profile: PrivacyProfile = (epsilon) => {
    let upper = 0;
    for (const { least, probability } of blocks())
      upper += probability * (least < 0 ? 1 : hidden(least + 1, epsilon, GAP_OF_BLOCKS).upper);
    return interval(0, Math.min(1, upper * (1 + 1e-12)));
  };
  return { profile, guide: expected < FEW_HIDING ? profile : guide };
}

/** The upper end of F1 among so many users, to about a gap: a coarser one where much work was done before. */
function affordable(
  atoms: LikelihoodAtoms,
  work: Work,
): (users: number, epsilon: number, gap: number) => Interval {
  const fewer = onDemand(() => widerCells(atoms, FEWER_CELLS));
  return (users, epsilon, gap) =>
    work.sines > MUCH_WORK
      ? blanketDivergence(fewer(), users, epsilon, { ends: 'upper', work, relativeGap: WIDER_GAP })
      : blanketDivergence(atoms, users, epsilon, { ends: 'upper', work, relativeGap: gap });
}

/**
 * Upper bound of delta(epsilon) over all values of the victim, by search; null where the ends are proved to
 * be the worst: for all but Gaussian noise, and for that against a reference whose noise is as wide
 * (docs/worst-pairs.md).
 */
function valuesBetween(
  groups: readonly BudgetGroup[],
  { gaussian }: VictimPair,
  { source, atomsFrom }: Reference,
  hiding: HidingMessages,
  work: Work,
): ((epsilon: number, goal: number) => number) | null {
  if (!gaussian) return null;
  const { deviation, law } = gaussian;
  const widths = groups[source]!.pairs.map((pair) => pair.gaussian?.deviation ?? 0);
  if (Math.min(...widths) >= deviation) return null;
  const profiles = new Map<number, PrivacyProfile>();
  const excess: ValueExcess = (value, epsilon) => {
    let profile = profiles.get(value);
    if (!profile)
      profiles.set(value, (profile = hiddenProfiles(hiding, atomsFrom(law(value)), work).profile));
    return profile(epsilon).upper;
  };
  return (epsilon, goal) => largestValueExcess(excess, deviation, epsilon, goal);
}

/** The epsilon at delta of the profile, from above, evaluated where the guide points. */
function guidedEpsilon(
  { profile, guide }: HiddenProfiles,
  delta: number,
  search: EpsilonSearch & { readonly epsilonMax: number },
): number {
  if (profile === guide) return epsilonAtDelta(profile, delta, search).upper;
  let goal = delta;
  for (let attempt = 0; attempt < 4; attempt++) {
    const epsilon = epsilonAtDelta(guide, goal, search).upper;
    if (!(epsilon <= search.epsilonMax)) break;
    const { upper } = profile(epsilon);
    if (upper <= delta && (upper >= CLOSE_ENOUGH * delta || epsilon === 0)) return epsilon;
    // In the middle of what is close enough.
    goal = Math.min(1, (goal * ((1 + CLOSE_ENOUGH) / 2) * delta) / upper);
  }
  return epsilonAtDelta(profile, delta, search).upper;
}

/** The slots that show something with probability `share` only: victims' ratios grow by its inverse. */
function thinnedAtoms(atoms: LikelihoodAtoms, share: number): LikelihoodAtoms {
  const { others, silent, cellEnds } = atoms;
  const grown = (ratios: Float64Array): Float64Array => ratios.map((ratio) => ratio / share);
  return {
    ...atoms,
    others: others.map((mass) => mass * share),
    ...(silent !== undefined && { silent: 1 - share + share * silent }),
    ...(cellEnds && {
      cellEnds: {
        ratio0Start: grown(cellEnds.ratio0Start),
        ratio0End: grown(cellEnds.ratio0End),
        ratio1Start: grown(cellEnds.ratio1Start),
        ratio1End: grown(cellEnds.ratio1End),
      },
    }),
  };
}

function requireVictim(groups: readonly BudgetGroup[], victim: number, delta: number): void {
  requireBudgetGroups(groups);
  requireInteger('victim', victim, 0, groups.length - 1);
  if (groups[victim]!.users === 0)
    throw new ParameterError(`groups[${victim}].users`, 0, 'at least 1 for a victim');
  requireProbability('delta', delta);
}
