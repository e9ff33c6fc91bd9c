/** The setting of the paper's tables and claims: whose budgets, and the noise of its program. */
import type { PersonalizedSetting } from '@shuffle-dp/accounting';
import { RandomStream } from '@shuffle-dp/core';
import { parseBudgets, sampleBudgets } from '@shuffle-dp/experiments/personalized';

/** Of Gaussian noise. */
export const LOCAL_DELTA = 1e-10;
/** The width of the values, on whose unit the authors' program depends; their Table 2 needs this one. */
export const RANGE = 0.1;

/** Of the budgets that are drawn. */
export function seedOf(budgets: string, users: number): string {
  return `claims ${budgets} ${users}`;
}

export function settingOf(
  budgets: string,
  users: number,
  mechanism: 'laplace' | 'gaussian',
): PersonalizedSetting {
  const stream = RandomStream.fromSeed(seedOf(budgets, users));
  return {
    budgets: sampleBudgets(parseBudgets(budgets), users, stream),
    mechanism,
    localDelta: mechanism === 'gaussian' ? LOCAL_DELTA : 0,
    clip: RANGE,
  };
}
