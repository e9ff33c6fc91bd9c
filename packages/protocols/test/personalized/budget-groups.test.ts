import { describe, expect, it } from 'vitest';
import { certifiedEpsilon, personalizedPrivacy, type BudgetGroup } from '@shuffle-dp/accounting';
import {
  clipLaplace,
  gaussianMechanism,
  generalizedRandomizedResponse,
  laplaceMechanism,
} from '@shuffle-dp/randomizers';
import {
  budgetGroups,
  budgetLevels,
  gaussianDeviation,
  levelOf,
  type PersonalRandomizer,
} from '../../src/personalized/budget-groups.ts';

describe('levels of budgets', () => {
  it('round down, keep every user, and leave few different budgets as they are', () => {
    const budgets = Float64Array.from({ length: 1000 }, (_, i) => 0.5 + i / 1000);
    const levels = budgetLevels(budgets, 10);
    expect(levels).toHaveLength(10);
    expect(levels.reduce((sum, { users }) => sum + users, 0)).toBe(1000);
    expect(levels[0]!.budget).toBe(0.5);
    const total = (list: Iterable<number>): number => [...list].reduce((sum, value) => sum + value, 0);
    const applied = total(levels.map(({ budget, users }) => budget * users));
    expect(applied).toBeLessThanOrEqual(total(budgets));
    expect(applied).toBeGreaterThan(total(budgets) - 1000 * 0.1);
    // Of 1,001 budgets in steps of a thousandth some are a last digit below the level that they begin.
    const thousandths = Float64Array.from({ length: 1001 }, (_, i) => (200 + i) / 1000);
    const applied100 = levelOf(thousandths, 100);
    expect(thousandths.filter((budget) => applied100(budget) > budget)).toHaveLength(0);
    expect(budgetLevels(Float64Array.of(2, 1, 2), 2)).toEqual([
      { budget: 1, users: 1 },
      { budget: 2, users: 2 },
    ]);
    expect(() => budgetLevels(Float64Array.of(1, 0), 2)).toThrow('budgets[1] = 0');
  });
});

describe('groups of one budget', () => {
  const [users, delta] = [5000, 1e-6];
  const upper = (randomizer: PersonalRandomizer, budget: number): number =>
    personalizedPrivacy(budgetGroups([{ budget, users }], randomizer, delta), delta).worst.epsilon.upper;

  it.each([
    [{ kind: 'clip-laplace' } as const, 1, clipLaplace({ epsilon0: 1 }).amplification()],
    [{ kind: 'laplace' } as const, 1, laplaceMechanism({ epsilon0: 1 }).amplification()],
    [
      { kind: 'grr', domain: 8 } as const,
      1,
      generalizedRandomizedResponse({ epsilon0: 1, domain: 8 }).amplification(),
    ],
    [
      { kind: 'gaussian', localDelta: 1e-5 } as const,
      2,
      gaussianMechanism({ sigma: gaussianDeviation(2, 1e-5) }).amplification(),
    ],
  ])('%j has what the accountant of one budget gives', (randomizer, budget, amplification) => {
    const epsilon0 = randomizer.kind === 'gaussian' ? Infinity : budget;
    const one = certifiedEpsilon(amplification, users, delta, { epsilon0 }).upper;
    expect(upper(randomizer, budget) / one).toBeGreaterThan(0.999);
    expect(upper(randomizer, budget) / one).toBeLessThan(1.03);
  });
});

describe('groups of several budgets', () => {
  it('give the worst user what is measured for uniform budgets, and the strictest far less', () => {
    const users = 10_000;
    const budgets = Float64Array.from({ length: users }, (_, i) => 0.05 + (0.95 * i) / (users - 1));
    const groups = budgetGroups(budgetLevels(budgets, 20), { kind: 'clip-laplace' }, 1e-8);
    const { worst, groups: each } = personalizedPrivacy(groups, 1e-8);
    // Rounded down to 20 levels, of which the last is 0.9525; docs/personalized.md has 0.0280 for levels up
    // to 1.
    expect(worst.epsilon.upper).toBeGreaterThan(0.025);
    expect(worst.epsilon.upper).toBeLessThan(0.028);
    expect(worst.epsilon.lower).toBeGreaterThan(0.9 * worst.epsilon.upper);
    expect(each[0]!.epsilon.upper).toBeCloseTo(0.0012, 4);
  });
});

describe('one user of a tiny budget', () => {
  it.each([
    [{ kind: 'laplace' } as const, 1e-7],
    [{ kind: 'gaussian', localDelta: 1e-10 } as const, 1e-3],
    [{ kind: 'gaussian', localDelta: 1e-10 } as const, 1e-100],
  ])('takes no amplification from the others: %j, %d', (randomizer, tiny) => {
    const delta = 1e-6;
    const others = { budget: 1, users: 999 };
    const epsilonOf = (levels: { budget: number; users: number }[]): number =>
      personalizedPrivacy(budgetGroups(levels, randomizer, delta), delta).groups.at(-1)!.epsilon.upper;
    // Whoever knows the one user's message has the shuffled messages of the others.
    const alone = epsilonOf([others]);
    expect(epsilonOf([{ budget: tiny, users: 1 }, others])).toBeLessThan(1.005 * alone);
  });
});

/** Randomized response with a cell for each answer. */
function answersApart(budget: number, users: number, domain: number): BudgetGroup {
  const lie = 1 / (Math.exp(budget) + domain - 1);
  const law = (value: number): Float64Array =>
    Float64Array.from({ length: domain }, (_, y) => (y === value ? Math.exp(budget) * lie : lie));
  return {
    budget,
    users,
    blanket: { masses: new Float64Array(domain).fill(lie) },
    pairs: [{ first: { masses: law(0) }, second: { masses: law(1) }, symmetric: true }],
    held: [law(0), law(1), law(2)],
    nested: true,
  };
}

describe('answers of randomized response that no law tells apart', () => {
  it.each([
    [3, 40, 1e-3],
    [4, 40, 1e-3],
    [50, 3000, 1e-6],
  ])('are one cell, of %i values among %i users, and nothing is lost', (domain, users, delta) => {
    const levels = [
      { budget: 0.5, users: users / 2 },
      { budget: 2, users: users / 4 },
      { budget: 3, users: users / 4 },
    ];
    const together = personalizedPrivacy(budgetGroups(levels, { kind: 'grr', domain }, delta), delta);
    const apart = personalizedPrivacy(
      levels.map((level) => answersApart(level.budget, level.users, domain)),
      delta,
    );
    apart.groups.forEach(({ epsilon, by }, g) => {
      const group = together.groups[g]!;
      expect(group.by).toBe(by);
      // Where searches end they may differ by their tolerance.
      expect(group.epsilon.upper / epsilon.upper).toBeCloseTo(1, 4);
      expect(group.epsilon.lower).toBeCloseTo(epsilon.lower, 6);
    });
  });
});

it.each([
  [5000, 1],
  [4, 800],
])('randomized response of %i values has laws at a budget of %d', (domain, budget) => {
  const levels = [{ budget: 1, users: 50 }, ...(budget === 1 ? [] : [{ budget, users: 50 }])];
  const groups = budgetGroups(levels, { kind: 'grr', domain }, 1e-6);
  for (const { held } of groups)
    for (const masses of held) expect(masses.reduce((sum, mass) => sum + mass, 0)).toBeCloseTo(1, 12);
  const { groups: each } = personalizedPrivacy(groups, 1e-6);
  each.forEach(({ epsilon }, g) => expect(epsilon.upper).toBeLessThanOrEqual(levels[g]!.budget));
});
