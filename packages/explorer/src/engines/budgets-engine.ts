/** The engine of the page Own budgets: the same functions as behind the command. */
import {
  isDistribution,
  personalizedStages,
  writtenBudgets,
  BudgetError,
} from '@shuffle-dp/experiments/personalized';
import type { BudgetsContract } from '../budgets/contract.ts';
import { serve } from '../engine/serve.ts';

/** As the command draws them. */
const SEED = 'budgets';
const BARS = 40;

serve<BudgetsContract>({
  *personalized({ budgets: text, users, ...rest }) {
    const budgets = writtenBudgets(text, isDistribution(text) ? users : undefined, SEED);
    if (budgets === null)
      throw new BudgetError(
        `budgets = ${text === '' ? 'nothing' : text}: is no distribution, and no list of numbers`,
      );
    for (const account of personalizedStages({ ...rest, budgets, clip: 1 }))
      yield { account, histogram: histogramOf(budgets, account.low, account.high) };
  },
});

function histogramOf(budgets: Float64Array, low: number, high: number): number[] {
  const bars = Array<number>(BARS).fill(0);
  for (const budget of budgets) {
    const share = high > low ? (budget - low) / (high - low) : 0.5;
    bars[Math.min(BARS - 1, Math.floor(BARS * share))]! += 1;
  }
  return bars;
}
