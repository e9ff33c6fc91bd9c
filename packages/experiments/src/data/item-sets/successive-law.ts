/**
 * The law of s items drawn one after another without replacement, by weights: the probability of a set is
 * summed over the orders in which its items can come, by its subsets.
 */
import { MOST_SETS, setLaw, type SetLaw } from './set-law.ts';

/** Sets times their subsets: some tenths of a second. */
const MOST_STEPS = 2 ** 24;

/** Whether there are few enough sets to list. */
export function hasSuccessiveLaw(domain: number, s: number): boolean {
  const possible = countSubsets(domain, s);
  return possible <= MOST_SETS && possible * 2 ** s <= MOST_STEPS;
}

/** @param probabilities of the items at the first draw; sum to 1 */
export function successiveLaw(probabilities: Float64Array, s: number): SetLaw {
  const domain = probabilities.length;
  const outside = (items: readonly number[]): number =>
    probabilities.reduce((sum, weight, item) => (items.includes(item) ? sum : sum + weight), 0);
  return setLaw(
    domain,
    s,
    subsets(domain, s).map((items) => {
      const weights = items.map((item) => probabilities[item]!);
      return { items, probability: drawnInAnyOrder(weights, outside(items)) };
    }),
  );
}

/**
 * Probability that items of these weights come before any other.
 *
 * @param others weight of all other items: added up, for a difference to 1 would lose the digits of a steep
 * law
 */
function drawnInAnyOrder(weights: readonly number[], others: number): number {
  const all = 2 ** weights.length - 1;
  /** By the items drawn so far, as bits. */
  const reached = new Float64Array(all + 1);
  reached[0] = 1;
  for (let drawn = 0; drawn < all; drawn++) {
    let left = others;
    for (let i = 0; i < weights.length; i++) if (((drawn >>> i) & 1) === 0) left += weights[i]!;
    for (let i = 0; i < weights.length; i++) {
      if ((drawn >>> i) & 1) continue;
      const next = drawn | (1 << i);
      reached[next] = reached[next]! + (reached[drawn]! * weights[i]!) / left;
    }
  }
  return reached[all]!;
}

/** How many subsets of this size there are. */
function countSubsets(domain: number, size: number): number {
  let count = 1;
  for (let i = 0; i < Math.min(size, domain - size) && count <= MOST_SETS; i++)
    count = (count * (domain - i)) / (i + 1);
  return count;
}

/** All of them, each increasing, in the order of a dictionary. */
function subsets(domain: number, size: number): number[][] {
  const all: number[][] = [];
  const items = Array.from({ length: size }, (_, i) => i);
  for (;;) {
    all.push([...items]);
    let last = size - 1;
    while (last >= 0 && items[last] === domain - size + last) last--;
    if (last < 0) return all;
    items[last]!++;
    for (let i = last + 1; i < size; i++) items[i] = items[i - 1]! + 1;
  }
}
