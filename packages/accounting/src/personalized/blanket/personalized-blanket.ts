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
import { interval, onceEach, ParameterError, requireInteger, requireProbability } from '@shuffle-dp/core';
import type { Work } from '../../allowance.ts';
import { epsilonAtDelta, type PrivacyProfile } from '../../privacy-profile.ts';
import { requireBudgetGroups, type BudgetGroup, type VictimPair } from '../budget-group.ts';
import { largestValueExcess, type ValueExcess } from './gaussian-values.ts';
import { guidedEpsilon, type Guidance, type GuidedSearch } from './guided-epsilon.ts';
import {
  hiddenProfiles,
  hidingMessages,
  isMuchWork,
  type HiddenProfiles,
  type HidingMessages,
} from './hidden-profiles.ts';
import { chooseReferences, type Reference } from './reference-density.ts';

/** The share of delta that the victim's mass on uncovered cells may take. */
const UNCOVERED_SHARE = 0.02;
/** That share where the other one leaves more than half of the budget. */
const LARGE_UNCOVERED_SHARE = 0.6;
/** How close an epsilon is, and after much work. */
const [USUAL_TOLERANCE, WIDER_TOLERANCE] = [1e-6, 1e-4];
/** How close one is that a search starts at. */
const GUIDING_TOLERANCE = 1e-4;
/** A delta this near the one asked for, relative to it, ends the search; and after much work. */
const [CLOSE_ENOUGH, NEAR_ENOUGH] = [0.998, 0.99];
/** Of a delta: where a guide is above it, the profile is. */
const CLEARLY_ABOVE = 1.05;
/** Of a delta: a divergence up to it is found to meet that delta by every search. */
export const SURELY_MET = CLOSE_ENOUGH * (1 - 1e-6);

export interface PersonalizedBlanketOptions {
  /** Values up to this are not looked for; default 0. */
  readonly floor?: number;
  /** What was done before for other users, which is added to. */
  readonly work?: Work;
  /** What searches for other users found, which is kept up. */
  readonly guidance?: Guidance;
}

/**
 * Upper bound of the epsilon at `delta` of one user of group `victim` (replace-one), everybody else's values
 * being anything: at most the group's budget; infinity where neither says anything. Values up to `floor` are
 * not looked for: the larger of both is returned, and one evaluation tells that the user's is not. Where
 * `work`, which is added to, says that much was done for other users, bounds are some thousandths coarser.
 * @throws ParameterError for groups that do not fit together, a victim group without users, or delta outside
 * [0, 1]
 */
export function personalizedBlanketEpsilon(
  groups: readonly BudgetGroup[],
  victim: number,
  delta: number,
  { floor = 0, work = { sines: 0 }, guidance = { ratio: 1 } }: PersonalizedBlanketOptions = {},
): number {
  requireVictim(groups, victim, delta);
  let worst = floor;
  for (const pair of groups[victim]!.pairs) {
    if (worst === Infinity) break;
    worst = Math.max(worst, pairEpsilon(groups, { victim, pair }, delta, { enough: worst, work, guidance }));
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

interface PairSearch extends Required<Pick<PersonalizedBlanketOptions, 'work' | 'guidance'>> {
  readonly enough: number;
}

/**
 * Of one pair, and of the values between where it is not proved to be the worst; `enough` where that is an
 * upper bound.
 */
function pairEpsilon(
  groups: readonly BudgetGroup[],
  { victim, pair }: { readonly victim: number; readonly pair: VictimPair },
  delta: number,
  { enough, work, guidance }: PairSearch,
): number {
  const epsilonMax = Math.min(700, groups[victim]!.budget);
  const allowance = Math.max(UNCOVERED_SHARE * delta, 1e-300);
  let best = Infinity;
  const lookAt = (reference: Reference): void => {
    const hiding = hidingMessages(groups, victim, reference, delta);
    if (hiding.leftOut > delta) return;
    const hidden = hiddenProfiles(hiding, reference.atoms, work);
    const { profile, guide } = hidden;
    if (best < Infinity && guide(best).upper >= CLEARLY_ABOVE * delta) return;
    // Where nothing is proved below the user's own budget, a search would find that by many evaluations.
    const last = epsilonMax * (1 - USUAL_TOLERANCE);
    if (guide(last).upper > delta && profile(last).upper > delta) return;
    const between = valuesBetween(groups, pair, reference, hiding, work);
    const overValues: PrivacyProfile = between ? (epsilon) => interval(0, between(epsilon, delta)) : profile;
    if (enough > 0 && overValues(enough).upper <= delta) {
      best = Math.min(best, enough);
      return;
    }
    const [relativeTolerance, closeEnough] = isMuchWork(work)
      ? [WIDER_TOLERANCE, NEAR_ENOUGH]
      : [USUAL_TOLERANCE, CLOSE_ENOUGH];
    const search = { epsilonMax, relativeTolerance, closeEnough, unless: best };
    let epsilon = epsilonOf(hidden, delta, search, guidance);
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
  const profileOf = onceEach((value) => hiddenProfiles(hiding, atomsFrom(law(value)), work).profile);
  const excess: ValueExcess = (value, epsilon) => profileOf(value)(epsilon).upper;
  return (epsilon, goal) => largestValueExcess(excess, deviation, epsilon, goal);
}

/** The epsilon at delta of the profile, from above. */
function epsilonOf(hidden: HiddenProfiles, delta: number, search: GuidedSearch, guidance: Guidance): number {
  const { profile, guide, alike } = hidden;
  if (!alike) return guidedEpsilon(hidden, delta, search, guidance);
  if (profile === guide) return epsilonAtDelta(profile, delta, search).upper;
  const near = epsilonAtDelta(guide, delta, { ...search, relativeTolerance: GUIDING_TOLERANCE }).upper;
  const start = near > 0 && near <= search.epsilonMax ? { near } : {};
  return epsilonAtDelta(profile, delta, { ...search, ...start }).upper;
}

function requireVictim(groups: readonly BudgetGroup[], victim: number, delta: number): void {
  requireBudgetGroups(groups);
  requireInteger('victim', victim, 0, groups.length - 1);
  if (groups[victim]!.users === 0)
    throw new ParameterError(`groups[${victim}].users`, 0, 'at least 1 for a victim');
  requireProbability('delta', delta);
}
