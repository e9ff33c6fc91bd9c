/**
 * Local budgets of the users' own in a run: drawn once for all its trials, as `shuffle-dp personalized` draws
 * them with the same seed.
 */
import { budgetLevels, type BudgetLevel } from '@shuffle-dp/protocols';
import { parseBudgets, sampleBudgets } from './budget-distribution.ts';
import { RandomStream } from '@shuffle-dp/core';

/** As a cell says it. */
export interface CellBudgets {
  /** Spaces removed: 'uniform(0.05,1)'. */
  readonly distribution: string;
  /** Budgets are rounded down to this many values, which users apply. */
  readonly levels: number;
}

/** Where a config does not say. */
export const BUDGET_LEVELS = 10;

/** Each is drawn by itself. */
export const MOST_OWN_BUDGETS = 1e6;

/** How many users apply which budget, in nats, from the lowest. */
export function drawnLevels(
  { distribution, levels }: CellBudgets,
  users: number,
  seed: string,
): BudgetLevel[] {
  const stream = RandomStream.fromSeed(seed).fork('budgets');
  return budgetLevels(sampleBudgets(parseBudgets(distribution), users, stream), levels);
}
