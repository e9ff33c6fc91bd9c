/** What each group of users with a budget of its own gets, and the worst of them. */
import { provedInterval, requireProbability, type Interval } from '@shuffle-dp/core';
import { Allowance } from '../allowance.ts';
import { localMessageEpsilon } from '../local-message.ts';
import { requireBudgetGroups, type BudgetGroup } from './budget-group.ts';
import { personalizedBlanketEpsilon } from './blanket/personalized-blanket.ts';
import { personalizedSharpEpsilon, type SplitMemory } from './sharp/personalized-sharp.ts';
import { shuffledCountEpsilon } from './distinguishers/shuffled-count-test.ts';

export interface GroupPrivacy {
  readonly budget: number;
  readonly users: number;
  /**
   * Upper: certified for every user of the group. Lower: an exact test on some data set; 0 where none was
   * made.
   */
  readonly epsilon: Interval;
  /** Whose upper end it is. */
  readonly by: PersonalBoundName;
}

/** The proved bounds of a user's epsilon where budgets are their own, of which the least counts. */
export type PersonalBoundName = 'personalized-blanket' | 'personalized-sharp' | 'local-message';

/** An upper end, and by which bound. */
export interface PersonalUpper {
  readonly value: number;
  readonly by: PersonalBoundName;
}

export interface PersonalizedPrivacy {
  readonly groups: readonly GroupPrivacy[];
  /** The group whose upper bound is the largest. */
  readonly worst: GroupPrivacy;
  /**
   * Of the whole protocol: the largest upper bound, and the largest lower one, which may be another group's.
   */
  readonly epsilon: Interval;
}

/**
 * Every group's own central epsilon at `delta`, and the worst of them, which is what the whole protocol
 * gives. Lower bounds are made for the worst group and for that of the largest budget only, unless `lower` is
 * 'all': few users of a small budget may have the largest upper bound, and those of the largest budget the
 * largest epsilon.
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
  const uppers = trivial ? groups.map(() => NONE) : leastUppers(groups, () => ({ groups, delta }));
  return attackedGroups(groups, uppers, (g, near, isLikelyWorst) =>
    near > 0 && (lower === 'all' || isLikelyWorst) ? shuffledCountEpsilon(groups, g, delta, near) : 0,
  );
}

/**
 * The groups with their upper ends, and lower ones by tests.
 * @param attack lower end of a group; `isLikelyWorst`: its upper end, or its budget, is the largest
 * @throws ContradictionError
 */
export function attackedGroups(
  groups: readonly BudgetGroup[],
  uppers: readonly PersonalUpper[],
  attack: (group: number, upper: number, isLikelyWorst: boolean) => number,
): PersonalizedPrivacy {
  const upper = uppers.map(({ value }) => value);
  const worst = upper.indexOf(Math.max(...upper));
  const likely = [worst, largestBudget(groups)];
  const results = groups.map(({ budget, users }, g): GroupPrivacy => {
    const { by, value } = uppers[g]!;
    const epsilon = provedInterval(
      `epsilon of a user of budget ${budget}`,
      { name: 'a test on the shuffled counts', value: attack(g, value, likely.includes(g)) },
      { name: by, value },
    );
    return { budget, users, epsilon, by };
  });
  // The ends are those of the worst user, and may be of different groups.
  const epsilon = provedInterval(
    'epsilon of the worst user',
    {
      name: 'a test on the shuffled counts',
      value: Math.max(...results.map((group) => group.epsilon.lower)),
    },
    { name: 'the bounds of all groups', value: Math.max(...upper) },
  );
  return { groups: results, worst: results[worst]!, epsilon };
}

const NONE: PersonalUpper = { value: 0, by: 'personalized-blanket' };

/**
 * What the blankets of all groups may take: some four seconds, of which most need one. After that no integral
 * begins.
 */
const MOST_SINES = 5e7;

/** Of more groups each by the blanket alone: the sharp bound takes a tenth of a second and more for each. */
const MOST_SHARP_GROUPS = 24;

/** Users who hide one of a group, and the delta that is left for what they do not. */
export interface Facing {
  readonly groups: readonly BudgetGroup[];
  readonly delta: number;
}

/**
 * The least proved upper end of the epsilon of every group's users; 0 where it has none.
 * @param facing what a user of a group faces: groups in the same order
 */
export function leastUppers(
  groups: readonly BudgetGroup[],
  facing: (group: number) => Facing,
): readonly PersonalUpper[] {
  const search = { work: new Allowance(MOST_SINES), guidance: { ratio: 1 } };
  const blankets: PersonalUpper[] = groups.map(() => NONE);
  // The largest budgets, of which one is most likely the worst, come first, before much work is done: where
  // none is finite, the last groups.
  for (const g of [...groups.keys()].toSorted((a, b) => groups[b]!.budget - groups[a]!.budget || b - a)) {
    if (groups[g]!.users === 0) continue;
    const { groups: present, delta } = facing(g);
    const value = personalizedBlanketEpsilon(present, g, delta, search);
    const alone = aloneEpsilon(groups[g]!, delta);
    blankets[g] =
      alone < value ? { value: alone, by: 'local-message' } : { value, by: 'personalized-blanket' };
  }
  if (groups.filter(({ users }) => users > 0).length > MOST_SHARP_GROUPS) return blankets;
  const uppers = [...blankets];
  const memory: SplitMemory = {};
  // From the largest on: parameters that suit it are chosen with care, and serve the others.
  const order = [...groups.keys()].toSorted((a, b) => blankets[b]!.value - blankets[a]!.value);
  for (const g of order) {
    const { value } = blankets[g]!;
    if (groups[g]!.users === 0) continue;
    const { groups: present, delta } = facing(g);
    const sharp = personalizedSharpEpsilon(present, g, delta, value, memory);
    if (sharp !== null && sharp < value) uppers[g] = { value: sharp, by: 'personalized-sharp' };
  }
  return uppers;
}

/** What a message of Gaussian noise alone gives away; the bounds know a budget that is finite. */
function aloneEpsilon({ pairs }: BudgetGroup, delta: number): number {
  const { gaussian } = pairs[0]!;
  if (!gaussian) return Infinity;
  return localMessageEpsilon(1 / gaussian.deviation, delta);
}

/** The last group of users of the largest budget; -1 where there are no users. */
function largestBudget(groups: readonly BudgetGroup[]): number {
  return groups.reduce(
    (most, { budget, users }, g) => (users > 0 && budget >= (groups[most]?.budget ?? 0) ? g : most),
    -1,
  );
}
