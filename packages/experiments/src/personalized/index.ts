export { type BudgetDistribution, BudgetError, parseBudgets, sampleBudgets } from './budget-distribution.ts';
export {
  type JudgedBound,
  type PersonalizedAccount,
  type PersonalizedSettingOptions,
  boundNamed,
  personalizedAccount,
} from './personalized-account.ts';
export { budgetList, isDistribution } from './budget-list.ts';
