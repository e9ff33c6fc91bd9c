/** The setting of the paper's tables and claims: whose budgets, and the noise of its program. */
import type { PersonalizedSetting } from '@shuffle-dp/accounting';
import { drawnBudgets } from '../figures/budget-distributions.ts';

/** Of Gaussian noise. */
export const LOCAL_DELTA = 1e-10;
/** The width of the values, on whose unit the authors' program depends; their Table 2 needs this one. */
export const RANGE = 0.1;

export function settingOf(
  budgets: string,
  users: number,
  mechanism: 'laplace' | 'gaussian',
): PersonalizedSetting {
  return {
    budgets: drawnBudgets(budgets, users),
    mechanism,
    localDelta: mechanism === 'gaussian' ? LOCAL_DELTA : 0,
    clip: RANGE,
  };
}
