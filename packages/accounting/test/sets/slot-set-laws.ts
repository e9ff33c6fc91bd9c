/** Sets among blanket slots with everything listed: what the theorems are held against. */
import type { SlotSetPair } from '../../src/sets/slot-set-pair.ts';

/** Laws of histograms by their keys: counts in base 16, the first item the lowest digit. */
export type Law = Map<number, number>;

export function add(
  law: Law,
  outcomes: readonly (readonly [item: number | null, probability: number])[],
): Law {
  const next: Law = new Map();
  for (const [key, mass] of law) {
    for (const [item, probability] of outcomes) {
      if (probability === 0) continue;
      const at = item === null ? key : key + 16 ** item;
      next.set(at, (next.get(at) ?? 0) + mass * probability);
    }
  }
  return next;
}

const coin = (item: number, rate: number): [number | null, number][] => [
  [item, rate],
  [null, 1 - rate],
];

/** What the analyzer sees of `slots` blanket slots, by the definition: one slot after another. */
export function blanketLaw(slots: number, domain: number, g: number): Law {
  const outcomes: [number | null, number][] = Array.from({ length: domain }, (_, j) => [j, g / domain]);
  outcomes.push([null, 1 - g]);
  let law: Law = new Map([[0, 1]]);
  for (let i = 0; i < slots; i++) law = add(law, outcomes);
  return law;
}

export function withSet(law: Law, items: readonly number[], rate: number): Law {
  return items.reduce((sum, item) => add(sum, coin(item, rate)), law);
}

export function hockeyStick(p: Law, q: Law, epsilon: number): number {
  let sum = 0;
  for (const [key, mass] of p) sum += Math.max(0, mass - Math.exp(epsilon) * (q.get(key) ?? 0));
  return sum;
}

export function bothOrders(p: Law, q: Law, epsilon: number): number {
  return Math.max(hockeyStick(p, q, epsilon), hockeyStick(q, p, epsilon));
}

export const range = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);

/** Items 0 to t - 1 against t to 2 t - 1, and nothing else but blankets. */
export function changedItemsAlone(
  { slots, domain, slotProbability, rate, itemsChanged }: SlotSetPair,
  epsilon: number,
): number {
  const blankets = blanketLaw(slots, domain, slotProbability);
  return bothOrders(
    withSet(blankets, range(0, itemsChanged), rate),
    withSet(blankets, range(itemsChanged, itemsChanged), rate),
    epsilon,
  );
}

/** Elementary symmetric polynomials of the values. */
export function elementary(values: readonly number[]): number[] {
  const e = [1];
  for (const value of values) {
    for (let j = e.length; j >= 1; j--) e[j] = (e[j] ?? 0) + value * e[j - 1]!;
  }
  return e;
}

export const falling = (x: number, k: number): number =>
  range(0, k).reduce((product, i) => product * (x - i), 1);

/**
 * The theorem on sets: the likelihood ratios by elementary symmetric polynomials, under the law of N + t
 * slots.
 */
export function byTheorem(
  { slots, domain, slotProbability: g, rate, itemsChanged: t }: SlotSetPair,
  epsilon: number,
): number {
  const outcomes: [number | null, number][] = range(0, domain).map((j) => [j, g / domain]);
  outcomes.push([domain, 1 - g]);
  let law: Law = new Map([[0, 1]]);
  for (let i = 0; i < slots + t; i++) law = add(law, outcomes);
  const density = (counts: readonly number[], items: readonly number[], empty: number): number => {
    const e = elementary(items.map((item) => counts[item]!));
    let sum = 0;
    for (let j = 0; j <= t; j++) {
      const unsent = t - j;
      if (g === 1 && unsent > 0) continue;
      sum +=
        rate ** j *
        (1 - rate) ** unsent *
        e[j]! *
        (domain / g) ** j *
        (unsent === 0 ? 1 : falling(empty, unsent) / (1 - g) ** unsent);
    }
    return sum / falling(slots + t, t);
  };
  let sum = 0;
  for (const [key, mass] of law) {
    const counts = range(0, domain + 1).map((j) => Math.floor(key / 16 ** j) % 16);
    const [p, q] = [range(0, t), range(t, t)].map((items) => density(counts, items, counts[domain]!));
    sum += mass * Math.max(0, p! - Math.exp(epsilon) * q!);
  }
  return sum;
}

export const pairOf = (
  slots: number,
  domain: number,
  g: number,
  rate: number,
  itemsChanged: number,
): SlotSetPair => ({
  slots,
  domain,
  slotProbability: g,
  rate,
  itemsChanged,
});
