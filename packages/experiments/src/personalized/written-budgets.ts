/** Users' budgets as they are written out: a distribution from which they are drawn, or a list. */
import { RandomStream } from '@shuffle-dp/core';
import { counted } from '../words/counted.ts';
import { BudgetError, LEAST_BUDGET, parseBudgets, sampleBudgets } from './budget-distribution.ts';

/**
 * `text`: a distribution, from which `users` budgets are drawn, or numbers with commas between them.
 * @returns null for any other text, such as the path of a file
 * @throws BudgetError, also where a list has more or fewer budgets than `users`
 */
export function writtenBudgets(text: string, users: number | undefined, seed: string): Float64Array | null {
  if (isDistribution(text)) {
    if (users === undefined) throw new BudgetError('needs --users, the number of budgets to draw');
    return sampleBudgets(parseBudgets(text), users, RandomStream.fromSeed(seed).fork('budgets'));
  }
  return /^[\d.,\seE+-]+$/u.test(text) ? forUsers(listed(text), users) : null;
}

/** Whether the text is a distribution, rather than a list or a file. */
export function isDistribution(text: string): boolean {
  return /^[a-z]+\(/u.test(text.trim());
}

/** @throws BudgetError where there are more or fewer than `users` */
export function forUsers(budgets: Float64Array, users: number | undefined): Float64Array {
  if (users !== undefined && users !== budgets.length)
    throw new BudgetError(`${counted(budgets.length, 'budget')} for --users ${users}`);
  return budgets;
}

function listed(text: string): Float64Array {
  return Float64Array.from(text.split(','), (word) => {
    const budget = word.trim() === '' ? Number.NaN : Number(word);
    if (!(budget > 0 && budget < Infinity)) throw new BudgetError(`'${word.trim()}' is no positive number`);
    if (budget < LEAST_BUDGET)
      throw new BudgetError(`'${word.trim()}' is too small: budgets must be at least ${LEAST_BUDGET}`);
    return budget;
  });
}
