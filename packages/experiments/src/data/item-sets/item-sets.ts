/** Users' sets of items as they come, before padding: of any size from one, distinct and increasing. */
import { type RandomStream, sampleSubset } from '@shuffle-dp/core';

/** A source of raw sets, one user at a time. */
export interface RawSets {
  readonly domain: number;
  /** Items of the largest set. */
  readonly largest: number;
  /** Users there are; null for a generator, which has as many as asked for. */
  readonly available: number | null;
  /**
   * How often sets have each size and hold each item, from which the padded population follows; null where
   * unknown.
   */
  readonly profile: SetProfile | null;
  /**
   * Probability of each set, by its items as bits, of generators whose sets can be listed; takes some
   * milliseconds.
   */
  readonly law?: () => Float64Array;
  /**
   * Starts a data set of `users` users; the function it returns writes the next user's set and returns its
   * size.
   */
  open(users: number, stream: RandomStream): (target: Uint16Array) => number;
}

/** Weights (counts or probabilities) of set sizes, and of holding an item at each size. */
export interface SetProfile {
  /** By size, from 0. */
  readonly sizes: Float64Array;
  /** By item, then by size: weight of the sets of that size that hold the item. */
  readonly holders: readonly Float64Array[];
}

/** Sets kept one after another. */
export interface SetCollection {
  readonly domain: number;
  readonly items: Uint16Array;
  /** The items of set u stand at offsets[u] to offsets[u + 1]. */
  readonly offsets: Uint32Array;
}

/** The users of a collection: all of them in order, or a uniform subset. */
export function collectedSets(collection: SetCollection): RawSets {
  const { domain, items, offsets } = collection;
  const available = offsets.length - 1;
  const profile = profileOf(collection);
  return {
    domain,
    largest: profile.sizes.length - 1,
    available,
    profile,
    open(users, stream) {
      const chosen = users < available ? new Uint32Array(users) : null;
      if (chosen) sampleSubset(users, available, chosen, 0, stream);
      let next = 0;
      return (target) => {
        const u = chosen ? chosen[next]! : next;
        next++;
        const start = offsets[u]!;
        const size = offsets[u + 1]! - start;
        for (let i = 0; i < size; i++) target[i] = items[start + i]!;
        return size;
      };
    },
  };
}

/** Only the sets with at least `size` items. */
export function setsOfAtLeast({ domain, items, offsets }: SetCollection, size: number): SetCollection {
  const keptItems = new Uint16Array(items.length);
  const keptOffsets = [0];
  let end = 0;
  for (let u = 0; u + 1 < offsets.length; u++) {
    const set = items.subarray(offsets[u]!, offsets[u + 1]!);
    if (set.length < size) continue;
    keptItems.set(set, end);
    end += set.length;
    keptOffsets.push(end);
  }
  return { domain, items: keptItems.slice(0, end), offsets: Uint32Array.from(keptOffsets) };
}

export function profileOf({ domain, items, offsets }: SetCollection): SetProfile {
  let largest = 0;
  for (let u = 0; u + 1 < offsets.length; u++) largest = Math.max(largest, offsets[u + 1]! - offsets[u]!);
  const sizes = new Float64Array(largest + 1);
  const holders = Array.from({ length: domain }, () => new Float64Array(largest + 1));
  for (let u = 0; u + 1 < offsets.length; u++) {
    const size = offsets[u + 1]! - offsets[u]!;
    sizes[size]!++;
    for (let i = offsets[u]!; i < offsets[u + 1]!; i++) holders[items[i]!]![size]!++;
  }
  return { sizes, holders };
}
