/** What each group of users with a budget of its own gets, and the worst of them. */
import { provedInterval, requireProbability, type Interval } from '@shuffle-dp/core';
import { requireBudgetGroups, type BudgetGroup } from './budget-group.ts';
import { personalizedBlanketEpsilon } from './personalized-blanket.ts';
import { shuffledCountEpsilon } from './distinguishers/shuffled-count-test.ts';

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
  /** Of the whole protocol: the largest upper bound, and the largest lower one, which may be another group's. */
  readonly epsilon: Interval;
}

/**
 * Every group's own central epsilon at `delta`, and the worst of them, which is what the whole protocol gives. Lower
 * bounds are made for the worst group and for that of the largest budget only, unless `lower` is 'all': few users of a small budget may
 * have the largest upper bound, and those of the largest budget the largest epsilon.
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
  const attacked = [worst, largestBudget(groups)];
  const results = groups.map(({ budget, users }, g): GroupPrivacy => {
    const tested = upper[g]! > 0 && (lower === 'all' || attacked.includes(g));
    const attack = tested ? shuffledCountEpsilon(groups, g, delta, upper[g]!) : 0;
    const epsilon = provedInterval(
      `epsilon of a user of budget ${budget}`,
      { name: 'a test on the shuffled counts', value: attack },
      { name: 'the reference density', value: upper[g]! },
    );
    return { budget, users, epsilon };
  });
  return { groups: results, worst: results[worst]!, epsilon: wholeEpsilon(results) };
}

/** The last group of users of the largest budget; -1 where there are no users. */
export function largestBudget(groups: readonly BudgetGroup[]): number {
  return groups.reduce(
    (most, { budget, users }, g) => (users > 0 && budget >= (groups[most]?.budget ?? 0) ? g : most),
    -1,
  );
}

/** Ends of the epsilon of the worst user, whichever groups they are of. @throws ContradictionError */
export function wholeEpsilon(groups: readonly GroupPrivacy[]): Interval {
  return provedInterval(
    'epsilon of the worst user',
    {
      name: 'a test on the shuffled counts',
      value: Math.max(...groups.map(({ epsilon }) => epsilon.lower)),
    },
    { name: 'the reference density', value: Math.max(...groups.map(({ epsilon }) => epsilon.upper)) },
  );
}
