/** Densities of arcs on a circle that are counted apart from the types that stand for them. */
import { expect } from 'vitest';
import { arcTypes } from '../../src/item-sets/arcs/arc-types.ts';
import { twoLevelLaw } from '../../src/laws/two-level-law.ts';
import { range } from '../laws/enumeration.ts';

/** Items of the victim's two sets, which share so many, and of the set that the label tells of. */
export function setsOf(label: string, items: number, shared: number): number[][] {
  const [both, first, second] = label.match(/\d+/g)!.map(Number) as [number, number, number];
  return [
    range(items),
    range(items).map((i) => (i < shared ? i : items + i)),
    [
      ...range(both),
      ...range(first).map((i) => shared + i),
      ...range(second).map((i) => items + shared + i),
      ...range(items - both - first - second).map((i) => 3 * items + i),
    ],
  ];
}

/** The density at the end of the circle, or at its last point, of arcs that begin at these. */
export function densityAt(
  starts: readonly number[],
  { high, points, arc }: { readonly high: number; readonly points: number; readonly arc: number },
): number {
  // One loop: it is asked by the million.
  const sorted: number[] = [];
  for (const start of starts) {
    if (start >= points - arc) return high;
    let place = sorted.length;
    for (; place > 0 && sorted[place - 1]! > start; place--) sorted[place] = sorted[place - 1]!;
    sorted[place] = start;
  }
  let covered = 0;
  for (const [i, start] of sorted.entries())
    covered += Math.min(arc, (sorted[i + 1] ?? sorted[0]! + points) - start) / points;
  return (1 - covered * high) / (1 - covered);
}

/**
 * Types are laws of a continuous circle, and allow for what densities of so few points are. Every function of
 * the circle is counted: the least by which what types tell is above it.
 */
export function leastAllowance(points: number, arc: number): number {
  const [items, epsilon0, growth] = [2, 0.004, 1 + 1e-5];
  const length = arc / points;
  const separate = twoLevelLaw(items * length, epsilon0);
  const { low, high, rise } = separate;
  const free = (arcs: number): number => 1 - arcs * length;
  const allowed = Math.expm1(epsilon0) / points / free(items);
  const { pairs } = arcTypes(60, { items, length, free, points }, separate);
  /** In units of what a density may be above the lowest: convex, growing in the gain, falling in the own. */
  const tests = range(12).map((i) => {
    const [place, weight] = [(i - 5) / 6, (i % 4) / 3];
    return (gain: number, own: number): number =>
      Math.max(0, (gain - place * rise - weight * (own - low)) / rise);
  });

  expect(pairs.length).toBe(items);
  let least = Infinity;
  for (const [shared, { inputs, revealed }] of pairs.entries()) {
    expect(revealed).toBeCloseTo(allowed, 12);
    for (const { label, victim0, victim1, own, blanket } of inputs) {
      const sets = setsOf(label, items, shared);
      const held = [...new Set(sets.flat())];
      if (held.length > 5) continue;
      const sums = tests.map(() => 0);
      const starts = new Map<number, number>();
      const functions = points ** held.length;
      for (let code = 0; code < functions; code++) {
        held.forEach((item, i) => starts.set(item, Math.floor(code / points ** i) % points));
        const [p, q, r] = sets.map((set) =>
          densityAt(
            set.map((item) => starts.get(item)!),
            { high, points, arc },
          ),
        );
        tests.forEach((f, i) => (sums[i]! += f(p! - growth * q!, r!)));
      }
      tests.forEach((f, i) => {
        const told = range(own.length).reduce((sum, y) => {
          const base = blanket[y]! / low;
          const gain = victim0[y]! - growth * victim1[y]!;
          return sum + base * f(gain / base, ((1 - allowed) * own[y]!) / base);
        }, 0);
        least = Math.min(least, told - sums[i]! / functions);
      });
    }
  }
  return least;
}
