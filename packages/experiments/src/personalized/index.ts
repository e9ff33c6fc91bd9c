export { type BudgetDistribution, BudgetError, parseBudgets, sampleBudgets } from './budget-distribution.ts';
export {
  type JudgedBound,
  type PersonalizedAccount,
  type PersonalizedSettingOptions,
  boundNamed,
  personalizedAccount,
  personalizedStages,
} from './personalized-account.ts';
export { isDistribution, writtenBudgets } from './written-budgets.ts';
