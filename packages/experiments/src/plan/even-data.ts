/** Users spread evenly: the data at which every closed form of an error is taken. */
import type { CategoricalData, SetValuedData } from '@shuffle-dp/core';
import type { NumberData } from '@shuffle-dp/protocols';

export function evenCategories(users: number, domain: number): CategoricalData {
  return { kind: 'categories', users, domain, histogram: new Float64Array(domain).fill(users / domain) };
}

/** Closed forms look at the histogram alone. */
export function evenSets(users: number, domain: number, items: number): SetValuedData {
  const histogram = new Float64Array(domain).fill((users * items) / domain);
  return { kind: 'sets', users, domain, items, histogram };
}

/** A prime: steps to which a protocol rounds would else meet many points, and round nothing there. */
const POINTS = 1009;

/**
 * On [0, 1], at the middles of equal parts, as points at both ends would be further apart than uniform ones.
 * Whole users, whom few points have where there are few.
 */
export function evenNumbers(users: number): NumberData {
  const points = Float64Array.from({ length: POINTS }, (_, i) => (i + 0.5) / POINTS);
  const usersBelow = (point: number): number => Math.round((users * point) / POINTS);
  const holders = Float64Array.from(points, (_, i) => usersBelow(i + 1) - usersBelow(i));
  return { kind: 'numbers', users, counts: { points, holders } };
}
