/**
 * Laws of whole sets where they can be listed, and users counted by them: a data set that costs what its law
 * does, not its users.
 */
import { aliasTable, sampleMultinomial, type RandomStream, type SetValuedData } from '@shuffle-dp/core';
import { levelCounts } from '@shuffle-dp/protocols';

/** Every set of s items that users may hold, with its probability; the likeliest first. */
export interface SetLaw {
  readonly domain: number;
  readonly items: number;
  /** Row-major, each set increasing. */
  readonly sets: Uint16Array;
  /** Sums to 1. */
  readonly probabilities: Float64Array;
}

/** Beyond so many sets to draw the users costs less, up to a million of them. */
export const MOST_SETS = 1 << 16;

/** @param listed sets with their probabilities, which are normalised here; those of none are left out */
export function setLaw(
  domain: number,
  items: number,
  listed: readonly { readonly items: readonly number[]; readonly probability: number }[],
): SetLaw {
  const possible = listed
    .filter(({ probability }) => probability > 0)
    .sort((a, b) => b.probability - a.probability);
  const total = possible.reduceRight((sum, { probability }) => sum + probability, 0);
  return {
    domain,
    items,
    sets: Uint16Array.from(possible.flatMap(({ items }) => items)),
    probabilities: Float64Array.from(possible, ({ probability }) => probability / total),
  };
}

/**
 * Users counted by what they hold. Their sets are independent of each other and of who has chosen which
 * level, so those of a level, as many as its share says, are one multinomial draw over the law.
 */
export function drawSetCounts(
  law: SetLaw,
  users: number,
  shares: readonly number[],
  stream: RandomStream,
): SetValuedData {
  const { domain, items, sets, probabilities } = law;
  const possible = probabilities.length;
  const all = new Float64Array(possible);
  const histogram = new Float64Array(domain);
  const draws = stream.fork('set counts');
  const usersOfLevel = Float64Array.from(levelCounts(users, shares));
  const holdersOfLevel = Array.from(usersOfLevel, (members) => {
    const holders = new Float64Array(possible);
    sampleMultinomial(members, probabilities, holders, draws);
    holders.forEach((count, i) => (all[i]! += count));
    const ofItem = countItems(domain, items, sets, holders);
    ofItem.forEach((count, item) => (histogram[item]! += count));
    return ofItem;
  });
  return {
    kind: 'sets',
    users,
    domain,
    items,
    histogram,
    counts: { usersOfLevel, holdersOfLevel, sets: { rows: sets, holders: all } },
  };
}

/** Draws of whole sets, one after another: writes those of all users, row-major. */
export function setDrawer({
  items,
  sets,
  probabilities,
}: SetLaw): (all: Uint16Array, stream: RandomStream) => void {
  const table = aliasTable(probabilities);
  return (all, stream) => {
    for (let place = 0; place < all.length;) {
      let from = table.sample(stream) * items;
      for (const end = from + items; from < end; from++) all[place++] = sets[from]!;
    }
  };
}

/** The weights of the sets that have an item, for each item. */
function countItems(domain: number, items: number, sets: Uint16Array, weights: Float64Array): Float64Array {
  const sums = new Float64Array(domain);
  for (let i = 0, place = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    for (const end = place + items; place < end; place++) sums[sets[place]!]! += weight;
  }
  return sums;
}
