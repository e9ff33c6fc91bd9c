/** What each group of users with a budget of its own gets, and the worst of them. */
import { provedInterval, requireProbability, type Interval } from '@shuffle-dp/core';
import { requireBudgetGroups, type BudgetGroup } from './budget-group.ts';
import { personalizedBlanketEpsilon } from './personalized-blanket.ts';
import { shuffledCountEpsilon } from './shuffled-count-test.ts';

export interface GroupPrivacy {
  readonly budget: number;
  readonly users: number;
  /** Upper: certified for every user of the group. Lower: an exact test on some data set; 0 where none was made. */
  readonly epsilon: Interval;
}

export interface PersonalizedPrivacy {
  readonly groups: readonly GroupPrivacy[];
  /** The group whose upper bound is the largest. */
  readonly worst: GroupPrivacy;
}

/**
 * Every group's own central epsilon at `delta`, and the worst of them, which is what the whole protocol gives. Lower
 * bounds are made for the worst group only, unless `lower` is 'all'.
 * @throws ParameterError as `personalizedBlanketEpsilon`
 */
export function personalizedPrivacy(
  groups: readonly BudgetGroup[],
  delta: number,
  { lower = 'worst' }: { readonly lower?: 'worst' | 'all' } = {},
): PersonalizedPrivacy {
  requireBudgetGroups(groups);
  requireProbability('delta', delta);
  // No divergence exceeds 1.
  const trivial = delta === 1;
  const upper = groups.map(({ users }, g) =>
    users > 0 && !trivial ? personalizedBlanketEpsilon(groups, g, delta) : 0,
  );
  const worst = upper.indexOf(Math.max(...upper.filter((_, g) => groups[g]!.users > 0)));
  const results = groups.map(({ budget, users }, g): GroupPrivacy => {
    const tested = upper[g]! > 0 && (lower === 'all' || g === worst);
    const attack = tested ? shuffledCountEpsilon(groups, g, delta, upper[g]!) : 0;
    const epsilon = provedInterval(
      `epsilon of a user of budget ${budget}`,
      { name: 'a test on the shuffled counts', value: attack },
      { name: 'the reference density', value: upper[g]! },
    );
    return { budget, users, epsilon };
  });
  return { groups: results, worst: results[worst]! };
}
