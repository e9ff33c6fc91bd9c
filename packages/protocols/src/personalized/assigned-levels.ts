/**
 * Which users have which budget: a uniform choice, whatever they hold, so that budgets say nothing of values.
 */
import { ParameterError, requireInteger, dealCounts, type RandomStream } from '@shuffle-dp/core';
import type { BudgetLevel } from './budget-groups.ts';

/** @throws ParameterError unless there are as many users in all */
export function checkBudgets(levels: readonly BudgetLevel[], users: number): readonly BudgetLevel[] {
  levels.forEach((level, t) => requireInteger(`budgets[${t}].users`, level.users, 0));
  const all = levels.reduce((sum, level) => sum + level.users, 0);
  if (all !== users) throw new ParameterError('the users of all budgets', all, `users = ${users}`);
  return levels;
}

/** The values of the users of each level: one random part of them each. */
export function dealtValues<Values extends Float64Array | Uint32Array>(
  values: Values,
  levels: readonly BudgetLevel[],
  stream: RandomStream,
): Values[] {
  const order = values.slice() as Values;
  let start = 0;
  return levels.map(({ users }) => {
    const end = start + users;
    for (let i = start; i < end; i++) {
      const j = i + stream.integerBelow(order.length - i);
      const drawn = order[j]!;
      order[j] = order[i]!;
      order[i] = drawn;
    }
    start = end;
    return order.subarray(end - users, end) as Values;
  });
}

/** The same of counts: how many users of each level hold each value. */
export function dealtCounts(
  counts: Float64Array,
  levels: readonly BudgetLevel[],
  stream: RandomStream,
): Float64Array[] {
  const sizes = levels.map(({ users }) => users);
  return dealCounts(counts, sizes, stream);
}
