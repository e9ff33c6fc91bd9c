/**
 * Users with budgets of their own as groups that the certified accountant takes: users of one budget use one
 * randomizer, all on shared cells of the output space (docs/personalized.md).
 */
import type { BudgetGroup } from '@shuffle-dp/accounting';
import { Real, requireInteger, requirePositive, requireOpenUnit } from '@shuffle-dp/core';
import { exponentialLaw, gaussianLaw, onCells, smallerOf, type ContinuousLaw } from './continuous-law.ts';

/**
 * Users' values lie in [0, 1]; Clip-Laplace keeps messages there; randomized response has this many values.
 */
export type PersonalRandomizer =
  | { readonly kind: 'laplace' | 'clip-laplace' }
  | { readonly kind: 'gaussian'; readonly localDelta: number }
  | { readonly kind: 'grr'; readonly domain: number };

export interface BudgetLevel {
  /** Local budget in nats. */
  readonly budget: number;
  readonly users: number;
}

/** Cells inside the range of values, and in each tail of the largest budget. */
const INSIDE = 400;
const OUTSIDE = 400;
/** Cells for each factor of e by which tails of smaller budgets reach further, and of all of them. */
const CELLS_PER_FACTOR = 60;
const MOST_FURTHER_CELLS = 2000;
/** The tails reach to where this part of delta is left. */
const LEFT_OVER = 1e-3;

/**
 * What a user of a budget applies where budgets are rounded down to at most `levels` values: the lowest of
 * these budgets, and equal steps up to the highest. Budgets of at most as many different values stay as they
 * are. @throws ParameterError
 */
export function levelOf(budgets: Float64Array, levels: number): (budget: number) => number {
  requireInteger('levels', levels, 1, 1000);
  requireInteger('users', budgets.length, 1);
  budgets.forEach((budget, user) => requirePositive(`budgets[${user}]`, budget));
  const distinct = new Set<number>();
  for (const budget of budgets) {
    distinct.add(budget);
    // More are not counted: there may be a million.
    if (distinct.size > levels) break;
  }
  if (distinct.size <= levels) return (budget) => budget;
  const low = budgets.reduce((least, budget) => Math.min(least, budget), Infinity);
  const step = (budgets.reduce((most, budget) => Math.max(most, budget), 0) - low) / levels;
  return (budget) => {
    const level = Math.min(levels - 1, Math.floor((budget - low) / step));
    // A level may be lifted above the budget as it is rounded to a double.
    return low + step * (low + step * level > budget ? level - 1 : level);
  };
}

/** How many users apply each level, from the lowest. @throws ParameterError */
export function budgetLevels(budgets: Float64Array, levels: number): BudgetLevel[] {
  const applied = levelOf(budgets, levels);
  const counts = new Map<number, number>();
  for (const budget of budgets) {
    const level = applied(budget);
    counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].map(([budget, users]) => ({ budget, users })).sort((a, b) => a.budget - b.budget);
}

/**
 * Users of each budget as a group of the certified accountant.
 *
 * @param delta of the statement that is asked for: tells how far tails must be looked at.
 * @throws ParameterError
 */
export function budgetGroups(
  levels: readonly BudgetLevel[],
  randomizer: PersonalRandomizer,
  delta: number,
): BudgetGroup[] {
  levels.forEach(({ budget }, i) => requirePositive(`levels[${i}].budget`, budget));
  const budgets = levels.map(({ budget }) => budget);
  const [smallest, largest] = [Math.min(...budgets), Math.max(...budgets)];
  const decades = Real.log(1 / (LEFT_OVER * Math.max(delta, 1e-300)));
  switch (randomizer.kind) {
    case 'clip-laplace':
      return levels.map(clipLaplaceGroup);
    case 'laplace': {
      const edges = unboundedEdges(decades / largest, decades / smallest);
      return levels.map(({ budget, users }) =>
        twoEnded(budget, users, edges, (at) => exponentialLaw(budget / 2, budget, at)),
      );
    }
    case 'gaussian': {
      const deviation = (budget: number): number => gaussianDeviation(budget, randomizer.localDelta);
      const deviations = Math.sqrt(2 * decades);
      const edges = unboundedEdges(deviation(largest) * deviations, deviation(smallest) * deviations);
      return levels.map(({ budget, users }) => {
        const sigma = deviation(budget);
        const group = twoEnded(Infinity, users, edges, (at) => gaussianLaw(sigma, at));
        const gaussian = {
          deviation: sigma,
          law: (value: number) => onCells(gaussianLaw(sigma, value), edges),
        };
        return { ...group, pairs: group.pairs.map((pair) => ({ ...pair, gaussian })) };
      });
    }
    case 'grr':
      return levels.map((level) => responseGroup(level, randomizer.domain));
  }
}

/**
 * The classical deviation for values in [0, 1]: sqrt(2 log(1.25 / localDelta)) / budget. @throws
 * ParameterError
 */
export function gaussianDeviation(budget: number, localDelta: number): number {
  requireOpenUnit('localDelta', localDelta);
  return Math.sqrt(2 * Real.log(1.25 / localDelta)) / requirePositive('budget', budget);
}

/** By symmetry on [-1, 1]; the range of the values does not matter. */
function clipLaplaceGroup({ budget, users }: BudgetLevel): BudgetGroup {
  const edges = evenly(-1, 1, INSIDE);
  const rate = budget / 2;
  const factor = rate / -Real.expm1(-budget);
  const low = exponentialLaw(factor, rate, -1);
  const high = exponentialLaw(factor, rate, 1);
  const middle = exponentialLaw(rate / (2 * -Real.expm1(-rate)), rate, 0);
  const [first, second, held] = [low, high, middle].map((law) => onCells(law, edges));
  return {
    budget,
    users,
    blanket: onCells(smallerOf(low, high, 0), edges),
    pairs: [{ first: first!, second: second!, symmetric: true }],
    held: [first!.masses, second!.masses, held!.masses],
  };
}

/**
 * Noise without bounds: the smaller of the laws of the two ends is the blanket. The ends are the worst pair
 * of Laplace noise; of Gaussian noise the accountant is told the values between (docs/worst-pairs.md).
 */
function twoEnded(
  budget: number,
  users: number,
  edges: readonly number[],
  law: (at: number) => ContinuousLaw,
): BudgetGroup {
  const first = onCells(law(0), edges);
  const second = onCells(law(1), edges);
  return {
    budget,
    users,
    blanket: onCells(smallerOf(law(0), law(1), 0.5), edges),
    pairs: [{ first, second, symmetric: true }],
    held: [first.masses, second.masses],
  };
}

/**
 * Values beyond the third differ in name only, and no law that is asked for tells their answers apart: those
 * are one cell.
 */
const TOLD_APART = 3;

function responseGroup({ budget, users }: BudgetLevel, domain: number): BudgetGroup {
  requireInteger('domain', domain, 2);
  // Divided by e^budget, to stay finite at large budgets.
  const inverse = Real.exp(-budget);
  const truth = 1 / (1 + (domain - 1) * inverse);
  const lie = inverse * truth;
  const values = Math.min(domain, TOLD_APART);
  const answers = Array.from({ length: values }, () => 1);
  if (domain > values) answers.push(domain - values);
  const law = (value: number): Float64Array =>
    Float64Array.from(answers, (ofCell, y) => (y === value ? truth : ofCell * lie));
  return {
    budget,
    users,
    blanket: { masses: Float64Array.from(answers, (ofCell) => ofCell * lie) },
    pairs: [{ first: { masses: law(0) }, second: { masses: law(1) }, symmetric: true }],
    held: Array.from({ length: values }, (_, value) => law(value)),
    // A smaller budget mixes the laws of a larger one with the uniform law, which is the average of those.
    nested: true,
  };
}

/**
 * Even inside [0, 1], wider and wider outside up to `near`, where the tails of the largest budget end, then
 * by a constant factor up to `far`, where those of the smallest do, and one cell to infinity. A single user
 * of a tiny budget so takes no cell from the others.
 */
function unboundedEdges(near: number, far: number): number[] {
  const right = Array.from({ length: OUTSIDE }, (_, i) => near * Real.power((i + 1) / OUTSIDE, 1.5));
  const factors = Real.log(far / near);
  const further = Math.ceil(Math.min(MOST_FURTHER_CELLS, CELLS_PER_FACTOR * factors));
  for (let i = 1; i <= further; i++) right.push(near * Real.exp((factors * i) / further));
  const left = right.map((x) => -x).reverse();
  return [-Infinity, ...left, ...evenly(0, 1, INSIDE), ...right.map((x) => 1 + x), Infinity];
}

function evenly(from: number, to: number, cells: number): number[] {
  return Array.from({ length: cells + 1 }, (_, i) => from + ((to - from) * i) / cells);
}
