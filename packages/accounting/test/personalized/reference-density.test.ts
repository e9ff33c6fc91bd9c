/** Which cells a reference covers, and that no pair of values is worse than the ends against it. */
import { describe, expect, it } from 'vitest';
import type { BudgetGroup } from '@shuffle-dp/accounting';
import { blanketDivergence } from '../../src/blanket/privacy-blanket.ts';
import { chooseReferences } from '../../src/personalized/blanket/reference-density.ts';
import { clipLaplaceGroup, gaussianGroup, laplaceGroup } from './laws.ts';

const ALLOWANCE = 1e-4;

function referencesOf(groups: readonly BudgetGroup[], victim: number, allowance = ALLOWANCE) {
  return chooseReferences(groups, victim, groups[victim]!.pairs[0]!, allowance);
}

describe('the covered cells', () => {
  it.each([
    ['Laplace noise', [laplaceGroup(0.5, 500, 60, 50), laplaceGroup(2, 500, 60, 50)]],
    ['Gaussian noise', [gaussianGroup(6, 500, 40, 50), gaussianGroup(2, 500, 40, 50)]],
  ])('are an interval around the middle, without the tails: %s', (_, groups) => {
    for (const victim of [0, 1]) {
      const references = referencesOf(groups, victim);
      expect(references.length).toBeLessThanOrEqual(2);
      for (const { atoms } of references) {
        const covered = [...atoms.others].map((mass) => mass > 0);
        expect(covered[0]).toBe(false);
        expect(covered).toEqual([...covered].reverse());
        expect(covered.lastIndexOf(true) - covered.indexOf(true) + 1).toBe(covered.filter(Boolean).length);
        expect(atoms.symmetric).toBe(true);
        const outside = atoms.victim0.reduce((sum, mass, y) => sum + (covered[y] ? 0 : mass), 0);
        expect(outside).toBeLessThanOrEqual(ALLOWANCE);
      }
    }
  });

  it('are all of a bounded range, whatever may be left out', () => {
    for (const { atoms } of referencesOf([clipLaplaceGroup(0.5, 50), clipLaplaceGroup(4, 50)], 1, 0.2))
      expect(atoms.others.every((mass) => mass > 0)).toBe(true);
  });
});

describe('the ends of the range', () => {
  const values = [0, 0.1, 0.3, 0.5, 0.75, 1];
  it.each([
    ['narrow among wide', 2, [0.5, 2]],
    ['wide among narrow', 0.5, [0.5, 2]],
    ['among equals', 1, [1]],
  ])('are the worst pair of Laplace noise: %s', (_, budget, budgets) => {
    const groupOf = (own: number, held: readonly number[] = [0, 1]) => laplaceGroup(own, 100, 60, 20, held);
    const victim = budgets.indexOf(budget);
    const groups = budgets.map((own) => groupOf(own));
    const laws = groupOf(budget, values).held;
    for (const { atoms } of referencesOf(groups, victim)) {
      // The laws on the cells, as points: F1 of the same reference.
      const excess = (first: Float64Array, second: Float64Array, epsilon: number) =>
        blanketDivergence(
          { label: 'pair', victim0: first, victim1: second, others: atoms.others, symmetric: true },
          6,
          epsilon,
        ).upper;
      for (const epsilon of [0.02, 0.6 * budget]) {
        const ends = excess(laws[0]!, laws.at(-1)!, epsilon) + 1e-12;
        for (const first of laws)
          for (const second of laws) expect(excess(first, second, epsilon) / ends).toBeLessThan(1.0001);
      }
    }
  });
});
