/**
 * Every user with exactly s items. Users who hold more keep a uniform choice of s. Users who hold fewer get
 * the missing ones by `fill` (uniform among the items they do not hold: the domain stays, rare items gain),
 * by `dummy` (items appended to the domain: frequencies of real items stay), or are left out (`truncate`).
 */
import { type RandomStream, sampleSubset } from '@shuffle-dp/core';
import type { Padding } from '../data-fields.ts';
import type { SetProfile } from './item-sets.ts';

/** Size of the domain after padding: a set lacks at most s - 1 items, since none is empty. */
export function paddedDomain(domain: number, items: number, padding: Padding): number {
  return padding === 'dummy' ? domain + items - 1 : domain;
}

/**
 * Writes s increasing items to target[offset ...) from the `size` increasing ones in `raw`, which it may
 * overwrite.
 */
export type PadInto = (
  raw: Uint16Array,
  size: number,
  target: Uint16Array,
  offset: number,
  stream: RandomStream,
) => void;

/** @param s items of every user after padding */
export function padder(domain: number, s: number, padding: Padding): PadInto {
  const chosen = new Uint16Array(s);
  return (raw, size, target, offset, stream) => {
    if (size > s) {
      sampleSubset(s, size, chosen, 0, stream);
      for (let i = 0; i < s; i++) target[offset + i] = raw[chosen[i]!]!;
      return;
    }
    for (let i = 0; i < size; i++) target[offset + i] = raw[i]!;
    if (padding === 'dummy') {
      for (let i = size; i < s; i++) target[offset + i] = domain + i - size;
      return;
    }
    for (let filled = size; filled < s;)
      if (insertDistinct(target, offset, offset + filled, stream.integerBelow(domain))) filled++;
  };
}

/** Puts an item into the increasing ones from `first` to `end` - 1, where it is not among them yet. */
export function insertDistinct(items: Uint16Array, first: number, end: number, item: number): boolean {
  let place = end;
  while (place > first && items[place - 1]! > item) place--;
  if (place > first && items[place - 1] === item) return false;
  items.copyWithin(place + 1, place, end);
  items[place] = item;
  return true;
}

/**
 * Shares of users who hold each item of the padded domain: what padding changes, which no number of users
 * makes smaller.
 */
export interface PaddingEffect {
  /** Items before padding. */
  readonly domain: number;
  /** Of all users, those whom `truncate` leaves out included; 0 for added items. */
  readonly before: Float64Array;
  readonly after: Float64Array;
}

/** @param s items of every user after padding */
export function paddingEffect(
  profile: SetProfile,
  domain: number,
  s: number,
  padding: Padding,
): PaddingEffect {
  const users = profile.sizes.reduce((sum, weight) => sum + weight, 0);
  const before = new Float64Array(paddedDomain(domain, s, padding));
  profile.holders.forEach((bySize, item) => {
    before[item] = bySize.reduce((sum, weight) => sum + weight, 0) / users;
  });
  return { domain, before, after: paddedPopulation(profile, domain, s, padding) };
}

/** The probability that a user holds each item after padding, from the raw sets' profile. */
export function paddedPopulation(
  profile: SetProfile,
  domain: number,
  s: number,
  padding: Padding,
): Float64Array {
  const population = new Float64Array(paddedDomain(domain, s, padding));
  const first = padding === 'truncate' ? s : 1;
  let users = 0;
  for (let size = first; size < profile.sizes.length; size++) users += profile.sizes[size]!;
  for (let item = 0; item < domain; item++) {
    let expected = 0;
    for (let size = first; size < profile.sizes.length; size++) {
      const holders = profile.holders[item]![size]!;
      if (size > s) expected += (holders * s) / size;
      else {
        expected += holders;
        if (padding === 'fill' && size < s) {
          expected += ((profile.sizes[size]! - holders) * (s - size)) / (domain - size);
        }
      }
    }
    population[item] = expected / users;
  }
  // The first dummy pads every set that lacks an item, the next those that lack two, and so on.
  for (let dummy = 0; domain + dummy < population.length; dummy++) {
    let lacking = 0;
    for (let size = 1; size < Math.min(s - dummy, profile.sizes.length); size++)
      lacking += profile.sizes[size]!;
    population[domain + dummy] = lacking / users;
  }
  return population;
}
