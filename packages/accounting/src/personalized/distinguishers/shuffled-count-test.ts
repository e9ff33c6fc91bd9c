/**
 * Certified lower bounds for personal budgets: what a test that sees only shuffled counts gains on a given
 * data set. Any function of the shuffled messages is post-processing, so its exact divergence bounds the true
 * one from below, whatever the function. Two are tried: the likelihood ratio, and the number of messages that
 * are most likely the victim's, which finds the victim whose noise is wider than everyone else's.
 */
import { exactly } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../../privacy-profile.ts';
import type { BudgetGroup } from '../budget-group.ts';
import { messageGains, type Contest } from './contest.ts';
import { likelihoodRatioProfile } from './likelihood-ratio-test.ts';
import { thresholdProfiles } from './threshold-test.ts';

/** The largest part of the local budget at which a test is made. */
const BELOW_BUDGET = 0.95;

/** What a test must know of a group. */
export type TestedGroup = Pick<BudgetGroup, 'budget' | 'users' | 'pairs' | 'held'>;

/**
 * Lower bound of the epsilon at `delta` of a user of group `victim`, over the groups' held values and pairs:
 * the mechanism is not (epsilon, delta)-DP for any smaller epsilon. `near` says where to look: an upper bound
 * will do.
 */
export function shuffledCountEpsilon(
  groups: readonly TestedGroup[],
  victim: number,
  delta: number,
  near: number,
): number {
  let best = 0;
  const { pairs, held, budget } = groups[victim]!;
  // At the budget itself no message gains anything, and no test could be told from another.
  const start = Math.min(near, BELOW_BUDGET * budget);
  for (const { first, second, symmetric } of pairs) {
    for (let k = 0; k < held.length; k++) {
      const others = groups.map((group, t) => ({
        users: t === victim ? group.users - 1 : group.users,
        masses: group.held[k]!,
      }));
      const forward = { first: first.masses, second: second.masses, others };
      best = Math.max(best, contestEpsilon(forward, delta, start));
      // The mirror image of this data set may not be among those held.
      const isMirrored = symmetric && held.length > 1;
      if (isMirrored) continue;
      best = Math.max(
        best,
        contestEpsilon({ ...forward, first: second.masses, second: first.masses }, delta, start),
      );
    }
  }
  return best;
}

function contestEpsilon(contest: Contest, delta: number, near: number): number {
  let best = 0;
  let epsilon = Math.min(near, 50);
  // The scores and the tilt are made for one epsilon; a second round makes them for the one found.
  for (let round = 0; round < 2; round++) {
    const gains = messageGains(contest, epsilon);
    const profiles = [likelihoodRatioProfile(contest, gains, epsilon)];
    if (round === 0) profiles.push(...thresholdProfiles(contest, gains));
    for (const profile of profiles) {
      if (!(profile(best) > delta)) continue;
      best = Math.max(
        best,
        epsilonAtDelta((e) => exactly(profile(e)), delta, { relativeTolerance: 1e-6 }).lower,
      );
    }
    epsilon = best > 0 ? best : epsilon / 2;
  }
  return best;
}
