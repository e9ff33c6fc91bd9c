/**
 * The distributions of personal budgets that the papers use: Table 2 of "Echo of Neighbors" (AAAI 2023), and
 * the wider and narrower ones of its Figures 7 and 8. A Gaussian's second number is its standard deviation, 1
 * as printed.
 */
import { RandomStream } from '@shuffle-dp/core';
import { parseBudgets, sampleBudgets } from '@shuffle-dp/experiments/personalized';

export interface NamedBudgets {
  readonly name: string;
  readonly text: string;
}

export const BUDGET_DISTRIBUTIONS: readonly NamedBudgets[] = [
  { name: 'Uniform1', text: 'uniform(0.05,0.5)' },
  { name: 'Gauss1', text: 'gaussian(0.1,1,0.05,0.5)' },
  { name: 'MixGauss1', text: 'mixture(0.9*gaussian(0.1,1,0.05,0.5),0.1*gaussian(0.5,1,0.05,0.5))' },
  { name: 'Uniform2', text: 'uniform(0.05,1)' },
  { name: 'Gauss2', text: 'gaussian(0.2,1,0.05,1)' },
  { name: 'MixGauss2', text: 'mixture(0.9*gaussian(0.2,1,0.05,1),0.1*gaussian(1,1,0.05,1))' },
];

/** Figure 8 of the paper. */
export const WIDE_BUDGET_DISTRIBUTIONS: readonly NamedBudgets[] = [
  { name: 'Uniform3', text: 'uniform(0.05,3)' },
  { name: 'Gauss3', text: 'gaussian(0.5,1,0.05,3)' },
  { name: 'MixGauss3', text: 'mixture(0.9*gaussian(0.5,1,0.05,3),0.1*gaussian(3,1,0.05,3))' },
];

/** Table 1 of "Enhanced Privacy Bound for Shuffle Model with Personalized Privacy" (CIKM 2024). */
export const HPS_BUDGET_DISTRIBUTIONS: readonly NamedBudgets[] = [
  { name: 'Uniform1', text: 'uniform(0.05,1)' },
  { name: 'Gauss1', text: 'gaussian(0.8,0.5,0.05,1)' },
  { name: 'Uniform2', text: 'uniform(0.5,2)' },
  { name: 'Gauss2', text: 'gaussian(1.5,0.5,0.5,2)' },
];

/** Of the budgets that tables and claims draw. */
export function seedOf(budgets: string, users: number): string {
  return `claims ${budgets} ${users}`;
}

/** Those of so many users, from a distribution. */
export function drawnBudgets(budgets: string, users: number): Float64Array {
  return sampleBudgets(parseBudgets(budgets), users, RandomStream.fromSeed(seedOf(budgets, users)));
}
