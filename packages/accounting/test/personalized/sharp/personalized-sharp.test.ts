/** The sharp bound for budgets of the users' own, against all data sets of a few users, and what it gains. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inputBound } from '../../../src/sharp/input-bound.ts';
import { prepareInput } from '../../../src/sharp/prepared-input.ts';
import { personalizedBlanketEpsilon } from '../../../src/personalized/blanket/personalized-blanket.ts';
import { personalizedPrivacy } from '../../../src/personalized/personalized-privacy.ts';
import {
  averageBound,
  personalizedSharpEpsilon,
} from '../../../src/personalized/sharp/personalized-sharp.ts';
import { splitOthers } from '../../../src/personalized/sharp/split-others.ts';
import type { BudgetGroup } from '../../../src/personalized/budget-group.ts';
import { boundOverTruth, groupOf, MIXED_DATA } from '../mixed-budgets.ts';

describe('the sharp bound against all data sets of users with budgets of their own', () => {
  it('no parameters give less than the worst mixed data set', () => {
    fc.assert(
      fc.property(...MIXED_DATA, (rows, others, epsilon, mostLevels) => {
        expect(boundOverTruth(rows, others, epsilon, mostLevels)).toBeGreaterThanOrEqual(1 - 1e-12);
      }),
      { numRuns: 15, seed: 25 },
    );
  });
});

describe('the average over budgets', () => {
  const groups = [responses(0.5, 20, 2), responses(1, 100, 2), responses(2, 80, 2)];
  const [pair] = groups[2]!.pairs;
  const reference = Float64Array.of(0.5, 0.5);
  const shares = Float64Array.from([0.5, 1, 2], (budget) => 2 / (Math.exp(budget) + 1));
  const setting = { pair: pair!, users: 200, reference, shares, groups, others: [20, 100, 79] };
  const [epsilon, target] = [0.3, 1e-4];
  const parameters = { buffer: 29, kappa: 0.5, theta: 0.03 };
  /** All users outside the buffer with one budget and value. */
  const alike = (own: Float64Array): number => {
    const [victim0, victim1] = [pair!.first.masses, pair!.second.masses];
    // All twenty of the smallest budget are in the buffer, and nine of the next, whose share counts.
    const blanket = reference.map((mass) => mass * shares[1]!);
    const prepared = prepareInput({ label: '', victim0, victim1, own, blanket }, Math.exp(epsilon), 200)!;
    return inputBound(prepared, 200, parameters, target);
  };
  const worstOf = ({ held }: BudgetGroup): number => Math.max(...held.map(alike));

  it('takes the users with the largest shares for the buffer, and of each budget the worst value', () => {
    const split = splitOthers(setting, 29);
    expect(split).toEqual({ share: shares[1], capacity: 120 });
    const expected = (91 * worstOf(groups[1]!) + 79 * worstOf(groups[2]!)) / 170;
    expect(averageBound(setting, epsilon, target, { parameters, share: split.share }, 'fine')).toBeCloseTo(
      expected,
      12,
    );
    expect(Math.min(...groups[2]!.held.map(alike))).toBeLessThan(0.999 * worstOf(groups[2]!));
  });

  it('rounds budgets up where it tells fewer apart', () => {
    const { share } = splitOthers(setting, 29);
    const one = averageBound({ ...setting, mostLevels: 1 }, epsilon, target, { parameters, share }, 'fine');
    expect(one).toBeCloseTo(worstOf(groups[2]!), 12);
  });

  it('is no bound where one of them is cut at what no divergence exceeds', () => {
    const { share } = splitOthers(setting, 29);
    const far = { parameters: { ...parameters, theta: 0.4 }, share };
    expect(worstOf(groups[1]!)).toBeLessThan(0.1);
    expect(averageBound(setting, epsilon, target, far, 'fine')).toBe(1);
  });
});

/** Randomized response. */
function responses(budget: number, users: number, values: number): BudgetGroup {
  const p = Math.exp(budget);
  const rows = Array.from({ length: values }, (_, x) =>
    Array.from({ length: values }, (__, y) => (x === y ? p : 1) / (p + values - 1)),
  );
  const group = groupOf(rows, budget, users);
  const [pair] = group.pairs;
  return { ...group, pairs: [{ ...pair!, symmetric: true }], held: group.held.slice(0, 3) };
}

describe('what it gains', () => {
  it('of one budget a sixth, as near the lower end as the bound of one budget is', () => {
    const { epsilon, worst } = personalizedPrivacy([responses(1, 10_000, 2)], 1e-6);
    const blanket = personalizedBlanketEpsilon([responses(1, 10_000, 2)], 0, 1e-6);
    expect(worst.by).toBe('personalized-sharp');
    expect(epsilon.upper).toBeLessThan(blanket / 1.19);
    expect(epsilon.upper / epsilon.lower).toBeLessThan(1.01);
  });

  it('of several budgets, for each of them', () => {
    const groups = [0.5, 1, 1.5].map((budget) => responses(budget, 1000, 2));
    const { groups: results } = personalizedPrivacy(groups, 1e-6, { lower: 'all' });
    results.forEach(({ epsilon, by }, g) => {
      expect(by).toBe('personalized-sharp');
      expect(epsilon.upper).toBeLessThan(personalizedBlanketEpsilon(groups, g, 1e-6));
      expect(epsilon.upper).toBeGreaterThan(epsilon.lower);
    });
  });

  it('of three values nothing: the blanket is as good', () => {
    const groups = [responses(1, 5000, 3), responses(2, 5000, 3)];
    const blanket = personalizedBlanketEpsilon(groups, 1, 1e-6);
    expect(personalizedSharpEpsilon(groups, 1, 1e-6, blanket)).toBeNull();
  });

  it('is not asked of outputs whose values are not all listed', () => {
    const { nested: _, ...unlisted } = responses(1, 10_000, 2);
    expect(personalizedSharpEpsilon([unlisted], 0, 1e-6, 0.04)).toBeNull();
  });
});
