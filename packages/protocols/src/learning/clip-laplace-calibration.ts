/**
 * The analyzer's calibration of APES (Liu et al., "Echo of Neighbors", AAAI 2023, Algorithm 1 and Equation
 * 1). Users with budgets eps_i send Clip-Laplace messages around their values; the average of the messages is
 * taken for its expectation if all users held one value g, which is H(g) = average over i of h_i(g), and H is
 * inverted. Exact only if all users do hold one value.
 */
import { Real, lastWhere } from '@shuffle-dp/core';
import { clipLaplace } from '@shuffle-dp/randomizers';
import type { BudgetLevel } from '../personalized/budget-groups.ts';

/**
 * Knots of the table of H. H is flat at the ends of the range, so the table is of asin(H / H(C)), which is
 * close to straight between knots.
 */
const KNOTS = 256;

/**
 * The inverse of H on [-C, C]; averages beyond H(C) give C, as the paper clips. `budgets` in any order; the
 * table costs users x 256 evaluations of the mean function, shared by all dimensions.
 * @example averageCalibration(Float64Array.of(0.5, 1), 1)(0.1) // 0.642056
 */
export function averageCalibration(budgets: Float64Array, clipBound: number): (average: number) => number {
  const levels = [...budgetCounts(budgets)].map(([budget, users]) => ({ budget, users }));
  return calibrationOfLevels(levels, clipBound);
}

/** The same of so many users at each budget. */
export function calibrationOfLevels(
  levels: readonly BudgetLevel[],
  clipBound: number,
): (average: number) => number {
  const all = levels.reduce((sum, { users }) => sum + users, 0);
  const inputRange = { low: -clipBound, high: clipBound };
  const means = new Float64Array(KNOTS + 1);
  for (const { budget: epsilon0, users } of levels) {
    const { mean } = clipLaplace({ epsilon0, inputRange, correction: 'average' });
    for (let i = 1; i <= KNOTS; i++) means[i] = means[i]! + (users / all) * mean((clipBound * i) / KNOTS);
  }
  const largest = means[KNOTS]!;
  const angles = means.map((mean) => Real.asin(mean / largest));
  return (average) => {
    if (Math.abs(average) >= largest) return Math.sign(average) * clipBound;
    const angle = Real.asin(Math.abs(average) / largest);
    const knot = lastWhere(0, KNOTS, (i) => angles[i]! <= angle);
    const part = (angle - angles[knot]!) / (angles[knot + 1]! - angles[knot]!);
    return (Math.sign(average) * clipBound * (knot + part)) / KNOTS;
  };
}

function budgetCounts(budgets: Float64Array): Map<number, number> {
  const counts = new Map<number, number>();
  for (const budget of budgets) counts.set(budget, (counts.get(budget) ?? 0) + 1);
  return counts;
}
