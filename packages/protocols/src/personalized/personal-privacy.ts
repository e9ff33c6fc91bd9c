/**
 * What is proved of users with budgets of their own, whose one message each is shuffled with all others: a
 * statement for every budget.
 */
import {
  personalizedPrivacy,
  threatenedPersonalizedPrivacy,
  type GroupPrivacy,
} from '@shuffle-dp/accounting';
import { onDemand, type PrivacyStatement } from '@shuffle-dp/core';
import type { MessageStatements } from '../local-budget.ts';
import { budgetGroups, type BudgetLevel, type PersonalRandomizer } from './budget-groups.ts';

/** Digits of a budget in the name of its group; levels are further apart. */
const DIGITS = 6;

/** The proofs, by the bound whose upper end is told. */
const THEOREMS: Readonly<Record<GroupPrivacy['by'], string>> = {
  'personalized-blanket':
    'blankets of personal budgets thinned to one reference density, docs/personalized.md',
  'personalized-sharp': 'the sharp bound for budgets of the users’ own, docs/personalized.md',
  'local-message': 'one message alone, docs/soundness.md',
};

/**
 * By the accountant of docs/personalized.md. Lower ends are of the worst budget alone, 0 for the others.
 * @throws ParameterError
 */
export function personalStatements(
  levels: readonly BudgetLevel[],
  randomizer: PersonalRandomizer,
  delta: number,
): MessageStatements {
  const held = levels.filter(({ users }) => users > 0);
  const laws = onDemand(() => budgetGroups(held, randomizer, delta));
  const statements = (groups: readonly GroupPrivacy[]): readonly PrivacyStatement[] =>
    groups.map(({ epsilon, by }, t) =>
      Object.freeze({
        epsilon,
        delta,
        accountant: by,
        theorem: THEOREMS[by],
        status: 'certified',
        sound: true,
        adjacency: 'replace-one',
        unit: 'one user, their one message',
        view: 'the shuffled messages of all users, and every budget',
        group: groupOfBudget(held[t]!.budget),
      } as const),
    );
  const proved = onDemand(() => statements(personalizedPrivacy(laws(), delta).groups));
  return {
    privacy: proved,
    certifiedPrivacy: proved,
    threatenedPrivacy: (threats) => statements(threatenedPersonalizedPrivacy(laws(), delta, threats).groups),
  };
}

/** @example groupOfBudget(0.25) // 'budget 0.25' */
export function groupOfBudget(budget: number): string {
  return `budget ${Number(budget.toPrecision(DIGITS))}`;
}

/** What tables say of the budgets. */
export function budgetParameters(levels: readonly BudgetLevel[]): {
  /** The largest budget, in nats. */
  readonly epsilon0: number;
  readonly lowestBudget: number;
  readonly budgetLevels: number;
} {
  const budgets = levels.filter(({ users }) => users > 0).map(({ budget }) => budget);
  return {
    epsilon0: Math.max(...budgets),
    lowestBudget: Math.min(...budgets),
    budgetLevels: budgets.length,
  };
}
