/**
 * The certified accountant for personal budgets: against the truth, against one budget for all, and its
 * numbers.
 */
import { describe, expect, it } from 'vitest';
import {
  blanketEpsilon,
  certifiedEpsilon,
  personalizedBlanketEpsilon,
  personalizedPrivacy,
  type BudgetGroup,
} from '@shuffle-dp/accounting';
import { grr, laplace } from '../../published/settings.ts';
import { heterogeneousDivergence, type Randomizer } from '../heterogeneous-divergence.ts';
import { clipLaplaceGroup, gaussianGroup, grrGroup, laplaceGroup } from '../laws.ts';

/** Budgets spread evenly over [low, high] in ten groups. */
function spreadGroups(low: number, high: number, users: number): BudgetGroup[] {
  return Array.from({ length: 10 }, (_, i) => clipLaplaceGroup(low + ((high - low) * i) / 9, users / 10));
}

/** Users of one randomizer with these laws, one for each value, whose budget is not told. */
function groupOf(laws: Randomizer, users: number): BudgetGroup {
  const held = laws.map((law) => Float64Array.from(law));
  return {
    budget: Infinity,
    users,
    blanket: { masses: held[0]!.map((_, y) => Math.min(...held.map((law) => law[y]!))) },
    pairs: held.flatMap((second, b) =>
      held.slice(0, b).map((first) => ({
        first: { masses: first },
        second: { masses: second },
        symmetric: false,
      })),
    ),
    held,
  };
}

/** One randomizer per user: the law on each held value, on cells merged into `most` of equal size. */
function randomizersOf(groups: readonly BudgetGroup[], most: number): Randomizer[] {
  return groups.flatMap(({ users, held }) =>
    Array.from({ length: users }, () =>
      held.map((masses) => {
        const merged = Array.from({ length: Math.min(most, masses.length) }, () => 0);
        masses.forEach((mass, y) => {
          merged[Math.floor((y * merged.length) / masses.length)]! += mass;
        });
        return merged;
      }),
    ),
  );
}

/** Values in [0, 1] that users may hold. */
const BETWEEN = [0, 0.25, 0.5, 1];

describe('against the truth, by listing all data sets and outcomes', () => {
  const cases: readonly [string, BudgetGroup[]][] = [
    ['randomized response', [grrGroup(0.5, 2, 3), grrGroup(2, 2, 3)]],
    ['one user of a small budget', [grrGroup(0.2, 1, 3), grrGroup(3, 3, 3)]],
    ['Clip-Laplace noise, merged to four cells', [clipLaplaceGroup(2, 2, 40), clipLaplaceGroup(0.5, 2, 40)]],
    ['Laplace noise, merged to six cells', [laplaceGroup(2, 2, 60, 30), laplaceGroup(1, 2, 60, 30)]],
    [
      'Laplace noise on values between, merged to six cells',
      [laplaceGroup(4, 2, 20, 30, BETWEEN), laplaceGroup(1, 1, 20, 30, BETWEEN)],
    ],
    [
      'Gaussian noise of two widths on values between, merged to six cells',
      [gaussianGroup(0.4, 2, 6, 30, BETWEEN), gaussianGroup(1, 1, 6, 30, BETWEEN)],
    ],
  ];
  for (const [name, groups] of cases) {
    it(`brackets it: ${name}`, () => {
      const isPoint = !groups[0]!.blanket.densities;
      const randomizers = randomizersOf(groups, name.includes('six') ? 6 : 4);
      for (const delta of isPoint ? [0.1, 0.01] : [0.03]) {
        const { groups: results } = personalizedPrivacy(groups, delta, { lower: 'all' });
        let victim = 0;
        for (const { epsilon, users } of results) {
          const truthAtUpper = heterogeneousDivergence(randomizers, victim, epsilon.upper);
          expect(truthAtUpper, `upper end at delta ${delta}`).toBeLessThanOrEqual(delta * (1 + 1e-9));
          if (isPoint && epsilon.lower > 0) {
            const truthAtLower = heterogeneousDivergence(randomizers, victim, epsilon.lower * (1 - 1e-6));
            expect(truthAtLower, `lower end at delta ${delta}`).toBeGreaterThanOrEqual(delta);
          }
          victim += users;
        }
      }
    });
  }

  it.each([
    {
      name: 'outputs as rare as 1e-54',
      laws: [
        [3e-18, 1, 5e-35],
        [2.4e-54, 5.5e-19, 1],
        [0.55, 5.7e-42, 0.45],
      ],
      delta: 0.168,
    },
    {
      name: 'a value that always gives one output',
      laws: [
        [1, 0],
        [0.1, 0.9],
        [0.5, 0.5],
      ],
      delta: 0.25,
    },
  ])('brackets it: $name', ({ laws, delta }) => {
    const { lower, upper } = personalizedPrivacy([groupOf(laws, 2)], delta).worst.epsilon;
    expect(lower).toBeGreaterThan(0);
    expect(heterogeneousDivergence([laws, laws], 0, lower * (1 - 1e-6))).toBeGreaterThan(delta);
    const atUpper = upper < Infinity ? heterogeneousDivergence([laws, laws], 0, upper) : 0;
    expect(atUpper).toBeLessThanOrEqual(delta);
  });

  it('is not far above it for randomized response', () => {
    const groups = [grrGroup(0.5, 2, 3), grrGroup(2, 2, 3)];
    const upper = personalizedBlanketEpsilon(groups, 1, 0.1);
    expect(heterogeneousDivergence(randomizersOf(groups, 3), 2, 0.7 * upper)).toBeGreaterThan(0.1);
  });
});

describe('equal budgets', () => {
  it('give what the accountant of one budget gives, however the users are grouped', () => {
    const grouped = personalizedBlanketEpsilon([grrGroup(2, 6000, 16), grrGroup(2, 4000, 16)], 1, 1e-6);
    const { upper } = certifiedEpsilon(grr(2, 16, 10_000).amplification, 10_000, 1e-6);
    expect(Math.abs(grouped / upper - 1)).toBeLessThan(1e-6);

    const continuous = personalizedBlanketEpsilon([laplaceGroup(1, 6000), laplaceGroup(1, 4000)], 0, 1e-6);
    const reference = certifiedEpsilon(laplace(1, 10_000).amplification, 10_000, 1e-6).upper;
    expect(Math.abs(continuous / reference - 1)).toBeLessThan(1e-5);
  });

  it('give a lower end near the exact divergence of equal values', () => {
    const group = clipLaplaceGroup(1, 5000);
    const { first, second } = group.pairs[0]!;
    const dataSets = group.held.map((others) => ({
      label: 'others hold one value',
      victim0: first.masses,
      victim1: second.masses,
      others,
      symmetric: false,
    }));
    const exact = blanketEpsilon(dataSets, 5000, 1e-6);
    const { lower } = personalizedPrivacy([group], 1e-6).worst.epsilon;
    expect(lower).toBeLessThan(exact.upper);
    expect(lower).toBeGreaterThan(0.99 * exact.lower);
  });

  it('bracket Gaussian noise, whose sum alone already tells', () => {
    const { lower, upper } = personalizedPrivacy([gaussianGroup(1, 10_000, 20)], 1e-6).worst.epsilon;
    // mu = 1/100, delta 1e-6.
    expect(lower).toBeGreaterThan(0.034);
    expect(lower).toBeLessThan(0.046);
    expect(Math.abs(upper / 0.0604 - 1)).toBeLessThan(0.01);
  });

  it('never prove less of Gaussian noise than that of one message alone', () => {
    // Epsilon of normal laws 1 apart at delta 1e-6 and 1e-300, in 60 digits.
    const alone = personalizedPrivacy([gaussianGroup(1, 1, 20)], 1e-6).worst;
    expect(alone.by).toBe('local-message');
    expect(alone.epsilon.upper).toBeGreaterThan(4.886554117462212 * (1 - 1e-12));
    expect(alone.epsilon.upper).toBeLessThan(4.886554117462212 * (1 + 1e-9));
    const few = personalizedPrivacy([gaussianGroup(1, 2, 20), gaussianGroup(2, 1, 20)], 1e-300);
    expect(few.groups[0]!.epsilon.upper / 37.448847912139105).toBeCloseTo(1, 9);
    expect(few.groups[1]!.epsilon.upper).toBeLessThan(few.groups[0]!.epsilon.upper);
  });
});

describe('Clip-Laplace noise at delta 1e-8', () => {
  const cases = [
    ['Uniform1, 10,000 users', 0.05, 0.5, 10_000, 0.0128, 0.0122],
    ['Uniform2, 1,000 users', 0.05, 1, 1000, 0.0939, 0.0847],
    ['Uniform2, 10,000 users', 0.05, 1, 10_000, 0.0281, 0.0254],
    ['budgets from 0.5 to 2, 10,000 users', 0.5, 2, 10_000, 0.0664, 0.0535],
  ] as const;
  for (const [name, low, high, users, upper, lower] of cases) {
    it(`gives half the published numbers: ${name}`, () => {
      const { worst, groups } = personalizedPrivacy(spreadGroups(low, high, users), 1e-8);
      expect(worst.budget).toBeCloseTo(high, 10);
      expect(Math.abs(worst.epsilon.upper / upper - 1)).toBeLessThan(0.01);
      expect(Math.abs(worst.epsilon.lower / lower - 1)).toBeLessThan(0.01);
      // Every user has an own epsilon, in the order of the budgets.
      groups.slice(1).forEach(({ epsilon }, i) => {
        expect(epsilon.upper).toBeGreaterThan(groups[i]!.epsilon.upper);
      });
    });
  }

  it('protects a user of budget 0.05 twenty times better than the worst', () => {
    expect(personalizedBlanketEpsilon(spreadGroups(0.05, 1, 10_000), 0, 1e-8)).toBeCloseTo(0.0012, 5);
  });
});

describe('the lower end of the whole protocol', () => {
  // Laplace noise: few users of a small budget have the largest upper bound, users of the largest budget the
  // largest epsilon.
  const groupsOf = (times: number): BudgetGroup[] => [
    laplaceGroup(0.5, 35 * times),
    laplaceGroup(2, 965 * times),
  ];

  it('is of the group that is told apart best, whose upper bound need not be the largest', () => {
    const { worst, epsilon, groups } = personalizedPrivacy(groupsOf(1), 1e-5, { lower: 'all' });
    expect(worst.budget).toBe(0.5);
    expect(epsilon.upper).toBe(worst.epsilon.upper);
    expect(epsilon.lower).toBe(groups[1]!.epsilon.lower);
    expect(epsilon.lower).toBeGreaterThan(1.5 * worst.epsilon.lower);
    // Both are attacked without being asked for.
    expect(personalizedPrivacy(groupsOf(1), 1e-5).epsilon).toEqual(epsilon);
    // Nor does it rise as users join.
    expect(personalizedPrivacy(groupsOf(3), 1e-5).epsilon.lower).toBeLessThan(epsilon.lower);
  });
});

describe('the bound', () => {
  it('is the budget where nobody hides the victim, and falls as users join', () => {
    expect(personalizedBlanketEpsilon([clipLaplaceGroup(1, 1)], 0, 1e-9)).toBeCloseTo(1, 6);
    const alone = personalizedBlanketEpsilon([laplaceGroup(0.5, 1), laplaceGroup(2, 999)], 0, 1e-6);
    expect(alone).toBeGreaterThan(0.49);
    let last = Infinity;
    for (const users of [50, 500, 5000]) {
      const epsilon = personalizedBlanketEpsilon(
        [clipLaplaceGroup(1, users), clipLaplaceGroup(0.3, users)],
        0,
        1e-6,
      );
      expect(epsilon).toBeLessThan(last);
      last = epsilon;
    }
  });

  it('is 0 where delta allows anything, and never above the budget however small delta is', () => {
    const groups = [grrGroup(0.5, 300, 4), grrGroup(2, 200, 4), grrGroup(1, 0, 4)];
    expect(personalizedPrivacy(groups, 1).worst.epsilon).toEqual({ lower: 0, upper: 0 });
    for (const delta of [1e-100, 0]) {
      const { worst } = personalizedPrivacy(groups, delta);
      expect(worst.budget).toBe(2);
      expect(worst.epsilon.upper).toBeLessThanOrEqual(2);
      expect(worst.epsilon.lower).toBeGreaterThan(1.5);
    }
  });

  it('is infinite where one of several pairs of laws tells all', () => {
    const group = groupOf(
      [
        [1, 0],
        [0, 1],
        [0.5, 0.5],
      ],
      3,
    );
    expect(personalizedPrivacy([group], 0.1).worst.epsilon.upper).toBe(Infinity);
  });

  it('refuses groups that do not fit together, by name', () => {
    const group = grrGroup(1, 10, 3);
    expect(() => personalizedPrivacy([], 1e-6)).toThrow('groups = 0');
    expect(() => personalizedPrivacy([group, grrGroup(1, 10, 4)], 1e-6)).toThrow('groups[1].held');
    expect(() => personalizedPrivacy([group, { ...group, users: -1 }], 1e-6)).toThrow('groups[1].users = -1');
    expect(() => personalizedPrivacy([{ ...group, held: [Float64Array.of(0.5, 0.2, 0.2)] }], 1e-6)).toThrow(
      'groups[0].held[0] total mass = 0.8999999999999999: must be 1',
    );
    expect(() => personalizedBlanketEpsilon([group, { ...group, users: 0 }], 1, 1e-6)).toThrow(
      'groups[1].users = 0: must be at least 1 for a victim',
    );
  });
});
