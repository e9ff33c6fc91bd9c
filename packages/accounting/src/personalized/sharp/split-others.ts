/**
 * The other users of a victim, split for the sharp bound of personal budgets: a buffer, and the rest by
 * levels of budgets.
 */
import type { BudgetGroup, VictimPair } from '../budget-group.ts';

/** Budgets of the others that are told apart: those between are rounded up. */
const MOST_LEVELS = 8;

/** What of a victim's pair does not depend on epsilon. */
export interface PersonalSetting {
  readonly pair: VictimPair;
  /** In all, the victim included. */
  readonly users: number;
  /** The reference density, of mass 1, positive at all outputs. */
  readonly reference: Float64Array;
  /** g of every group. */
  readonly shares: Float64Array;
  readonly groups: readonly BudgetGroup[];
  /** Other users by group. */
  readonly others: readonly number[];
  /** Budgets of the others that are told apart; default 8. */
  readonly mostLevels?: number;
}

/** Users whose message hides the victim's as that of a budget at least, one level's laws by value. */
type Level = Pick<BudgetGroup, 'users' | 'held'>;

/** The others, split: users of the buffer show a draw of the reference with the probability `share` each. */
export interface SplitOthers {
  readonly share: number;
  /** Users that may be in the buffer: those whose own share is no less, from the largest. */
  readonly capacity: number;
}

/** The users with the largest shares, of whom `wanted` could be in a buffer. */
export function splitOthers({ shares, others }: PersonalSetting, wanted: number): SplitOthers {
  const order = [...shares.keys()].filter((g) => others[g]! > 0).toSorted((a, b) => shares[b]! - shares[a]!);
  let capacity = 0;
  for (const g of order) {
    capacity += others[g]!;
    if (capacity >= wanted) return { share: shares[g]!, capacity };
  }
  return { share: shares[order.at(-1)!]!, capacity };
}

/**
 * The users outside a buffer, by levels: those with the largest shares are in it. Budgets between two levels
 * are rounded up.
 */
export function levelsBeside(
  { shares, others, groups, mostLevels = MOST_LEVELS }: PersonalSetting,
  buffer: number,
): readonly Level[] {
  let taken = buffer;
  const rest = [...shares.keys()]
    .toSorted((a, b) => shares[b]! - shares[a]!)
    .map((g) => {
      const inBuffer = Math.min(taken, others[g]!);
      taken -= inBuffer;
      return { group: groups[g]!, users: others[g]! - inBuffer };
    })
    .filter(({ users }) => users > 0)
    .toSorted((a, b) => a.group.budget - b.group.budget);
  const perLevel =
    rest.length <= mostLevels ? 0 : rest.reduce((sum, { users }) => sum + users, 0) / mostLevels;
  const levels: Level[] = [];
  let users = 0;
  for (const [i, { group, users: more }] of rest.entries()) {
    users += more;
    if (users < perLevel && i < rest.length - 1) continue;
    levels.push({ users, held: group.held });
    users = 0;
  }
  return levels;
}
