/**
 * The law of sets after padding, from that of the sets as they come, over domains so small that all sets can
 * be listed as bits. A uniform choice of s items of a larger set is made by leaving out a uniform item as
 * long as there are too many; uniform missing items are added one by one likewise. So the law moves from each
 * size to the next.
 */
import type { Padding } from '../data-fields.ts';
import type { SetProfile } from './item-sets.ts';
import { paddedDomain } from './padding.ts';
import { setLaw, type SetLaw } from './set-law.ts';

/** Items up to which all sets are listed: 2^20 numbers. */
export const MOST_LISTED_ITEMS = 20;

/**
 * @param raw probability of each set before padding, by its items as bits; none is empty
 * @param s items of every user after padding
 */
export function paddedLaw(raw: Float64Array, domain: number, s: number, padding: Padding): SetLaw {
  const law = raw.slice();
  const { masks, starts } = masksBySize(domain);
  const ofSize = (size: number): Uint32Array => masks.subarray(starts[size], starts[size + 1]);
  if (padding === 'truncate') for (const mask of masks.subarray(0, starts[s])) law[mask] = 0;
  for (let size = domain; size > s; size--) {
    for (const mask of ofSize(size)) move(law, mask, mask, size);
  }
  if (padding === 'fill') {
    const all = 2 ** domain - 1;
    for (let size = 0; size < s; size++) {
      for (const mask of ofSize(size)) move(law, mask, all & ~mask, domain - size);
    }
  }
  // Sets of fewer items are left under 'dummy' alone.
  const possible = masks.subarray(0, starts[s + 1]).filter((mask) => law[mask]! > 0);
  return setLaw(
    paddedDomain(domain, s, padding),
    s,
    Array.from(possible, (mask) => ({ items: filledUp(mask, domain, s), probability: law[mask]! })),
  );
}

/** Sizes and holders of sets that are listed as bits. */
export function profileOfLaw(raw: Float64Array, domain: number): SetProfile {
  const sizes = new Float64Array(domain + 1);
  const holders = Array.from({ length: domain }, () => new Float64Array(domain + 1));
  raw.forEach((probability, mask) => {
    if (probability === 0) return;
    const held = filledUp(mask, domain, 0);
    sizes[held.length]! += probability;
    for (const item of held) holders[item]![held.length]! += probability;
  });
  return { sizes, holders };
}

/**
 * Moves the probability of a set to those that differ from it in one of the items `by`, all `ways` of them
 * alike.
 */
function move(law: Float64Array, mask: number, by: number, ways: number): void {
  const share = law[mask]! / ways;
  if (share === 0) return;
  law[mask] = 0;
  for (let rest = by; rest !== 0; rest &= rest - 1) {
    const other = mask ^ (rest & -rest);
    law[other] = law[other]! + share;
  }
}

/** All sets as bits, the smaller ones first; those of a size begin at `starts[size]`. */
function masksBySize(domain: number): { readonly masks: Uint32Array; readonly starts: Uint32Array } {
  const sizes = new Uint8Array(2 ** domain);
  const starts = new Uint32Array(domain + 2);
  for (let mask = 0; mask < sizes.length; mask++) {
    const size = sizes[mask >>> 1]! + (mask & 1);
    sizes[mask] = size;
    starts[size + 1] = starts[size + 1]! + 1;
  }
  for (let size = 0; size <= domain; size++) starts[size + 1] = starts[size + 1]! + starts[size]!;
  const masks = new Uint32Array(sizes.length);
  const next = starts.slice();
  sizes.forEach((size, mask) => {
    masks[next[size]!] = mask;
    next[size] = next[size]! + 1;
  });
  return { masks, starts };
}

/** The items of a set, and dummies for those that it lacks of s. */
function filledUp(mask: number, domain: number, s: number): number[] {
  const items: number[] = [];
  for (let item = 0; item < domain; item++) if ((mask >>> item) & 1) items.push(item);
  for (let dummy = domain; items.length < s; dummy++) items.push(dummy);
  return items;
}
