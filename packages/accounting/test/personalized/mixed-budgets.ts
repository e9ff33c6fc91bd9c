/** Users of whom some keep less of their law than others, and the sharp bound over their worst data set. */
import * as fc from 'fast-check';
import { averageBound } from '../../src/personalized/sharp/personalized-sharp.ts';
import { splitOthers } from '../../src/personalized/sharp/split-others.ts';
import type { BudgetGroup } from '../../src/personalized/budget-group.ts';
import { heterogeneousDivergence, type Randomizer } from './heterogeneous-divergence.ts';

/** Laws of which those of smaller shares are mixed with the average of all. */
function mixed(rows: Randomizer, share: number): Randomizer {
  const average = rows[0]!.map((_, y) => rows.reduce((sum, row) => sum + row[y]!, 0) / rows.length);
  return rows.map((row) => row.map((mass, y) => share * mass + (1 - share) * average[y]!));
}

export function groupOf(rows: Randomizer, budget: number, users: number): BudgetGroup {
  const laws = rows.map((row) => Float64Array.from(row));
  const blanket = Float64Array.from(laws[0]!, (_, y) => Math.min(...laws.map((law) => law[y]!)));
  const pairs = laws.flatMap((first, a) =>
    laws.flatMap((second, b) =>
      a < b ? [{ first: { masses: first }, second: { masses: second }, symmetric: false }] : [],
    ),
  );
  return { budget, users, blanket: { masses: blanket }, pairs, held: laws, nested: true };
}

/** Rows of two or three values with two or three outputs. */
export const laws = fc
  .tuple(fc.integer({ min: 2, max: 3 }), fc.integer({ min: 2, max: 3 }))
  .chain(([values, outputs]) =>
    fc.array(
      fc.array(fc.double({ min: 0, max: 1.5, noNaN: true }), { minLength: outputs, maxLength: outputs }),
      { minLength: values, maxLength: values },
    ),
  )
  .map((exponents) =>
    exponents.map((row) => {
      const masses = row.map(Math.exp);
      const total = masses.reduce((sum, mass) => sum + mass, 0);
      return masses.map((mass) => mass / total);
    }),
  );

/** How much of its law each of the others keeps. */
export const shares = (most: number) =>
  fc.array(fc.constantFrom(0.2, 0.6, 1), { minLength: 3, maxLength: most });

/** Arguments of `boundOverTruth`. */
export const MIXED_DATA = [
  laws,
  shares(4),
  fc.double({ min: 0, max: 0.5, noNaN: true }),
  fc.constantFrom(1, 2, 8),
] as const;

/**
 * The least bound over some parameters, for the worst pair of values, over the largest divergence of all data
 * sets.
 */
export function boundOverTruth(
  rows: Randomizer,
  others: readonly number[],
  epsilon: number,
  mostLevels: number,
): number {
  const kept = [...new Set(others)].toSorted((a, b) => a - b);
  const counts = kept.map((share) => others.filter((other) => other === share).length);
  const groups = kept.map((share, g) => groupOf(mixed(rows, share), share, counts[g]!));
  const reference = averageOf(rows);
  const truth = heterogeneousDivergence([rows, ...others.map((share) => mixed(rows, share))], 0, epsilon);
  if (truth < 1e-9) return Infinity;
  const shares = Float64Array.from(groups, ({ blanket }) =>
    Math.min(...blanket.masses.map((mass, y) => mass / reference[y]!)),
  );
  const users = others.length + 1;
  const bounds = groupOf(rows, 1, 1).pairs.map((pair) => {
    const setting = { pair, users, reference, shares, groups, others: counts, mostLevels };
    const differ = pair.first.masses.reduce(
      (sum, mass, y) => sum + (mass - pair.second.masses[y]!) ** 2 / mass,
      0,
    );
    let least = 1;
    for (let buffer = others.length % 2; buffer <= Math.min(4, others.length - 2); buffer += 2)
      for (const kappa of [0, 0.7])
        for (const tilt of [1.3, 2.4]) {
          const parameters = { buffer, kappa, theta: tilt / Math.sqrt(differ * users) };
          const { share } = splitOthers(setting, buffer);
          least = Math.min(least, averageBound(setting, epsilon, truth, { parameters, share }, 'quick'));
        }
    return least;
  });
  return Math.max(...bounds) / truth;
}

function averageOf(rows: Randomizer): Float64Array {
  return Float64Array.from(rows[0]!, (_, y) => rows.reduce((sum, row) => sum + row[y]!, 0) / rows.length);
}
