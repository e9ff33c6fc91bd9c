/**
 * Laws of whole sets where they can be listed, and users counted by them: a data set that costs what its law
 * does, not its users.
 */
import {
  aliasTable,
  sampleMultinomial,
  type AliasTable,
  type RandomStream,
  type SetValuedData,
} from '@shuffle-dp/core';
import { levelCounts } from '@shuffle-dp/protocols';

/** Every set of s items that users may hold, with its probability; the likeliest first. */
export interface SetLaw {
  readonly domain: number;
  readonly items: number;
  /** Row-major, each set increasing. */
  readonly sets: Uint16Array;
  /** Sums to 1. */
  readonly probabilities: Float64Array;
  /** Of whole sets, by their probabilities. */
  readonly table: AliasTable;
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
  const probabilities = Float64Array.from(possible, ({ probability }) => probability / total);
  return {
    domain,
    items,
    sets: Uint16Array.from(possible.flatMap(({ items }) => items)),
    probabilities,
    table: aliasTable(probabilities),
  };
}

/** Up to so many users for each possible set the set of a user costs less than a binomial for each set. */
const DRAWN_SINGLY_UP_TO = 16;
/** Users drawn in one go. */
const BLOCK = 4096;

/**
 * Users counted by what they hold. Their sets are independent of each other and of who has chosen which
 * level, so those of a level, as many as its share says, are one multinomial draw over the law: by binomials
 * set by set, or of few users one by one.
 */
export function drawSetCounts(
  law: SetLaw,
  users: number,
  shares: readonly number[],
  stream: RandomStream,
): SetValuedData {
  const { domain, items, sets, probabilities } = law;
  const possible = probabilities.length;
  const block = new Uint32Array(BLOCK);
  const all = new Float64Array(possible);
  const draws = stream.fork('set counts');
  const usersOfLevel = Float64Array.from(levelCounts(users, shares));
  const holdersOfLevel = Array.from(usersOfLevel, (members) => {
    const holders = new Float64Array(possible);
    if (members > DRAWN_SINGLY_UP_TO * possible) sampleMultinomial(members, probabilities, holders, draws);
    else
      for (let left = members; left > 0; left -= BLOCK)
        countDraws(law.table, left < BLOCK ? block.subarray(0, left) : block, holders, draws);
    addTo(all, holders);
    return countItems(law, holders);
  });
  return {
    kind: 'sets',
    users,
    domain,
    items,
    histogram: sumOfLevels(holdersOfLevel, domain),
    counts: { usersOfLevel, holdersOfLevel, sets: { rows: sets, holders: all } },
  };
}

/** Adds as many draws as the block has places. */
function countDraws(table: AliasTable, block: Uint32Array, counts: Float64Array, stream: RandomStream): void {
  table.fill(block, stream);
  for (let i = 0; i < block.length; i++) counts[block[i]!]!++;
}

/** Draws of whole sets, one after another: writes those of all users, row-major. */
export function drawSets({ items, sets, table }: SetLaw, all: Uint16Array, stream: RandomStream): void {
  for (let place = 0; place < all.length;) {
    let from = table.sample(stream) * items;
    for (const end = from + items; from < end; from++) all[place++] = sets[from]!;
  }
}

/** The weights of the sets that have an item, for each item. */
function countItems({ domain, items, sets }: SetLaw, weights: Float64Array): Float64Array {
  const sums = new Float64Array(domain);
  for (let i = 0; i < weights.length; i++) {
    const weight = weights[i]!;
    // Most sets of few users have none.
    if (weight === 0) continue;
    for (let place = i * items, end = place + items; place < end; place++) sums[sets[place]!]! += weight;
  }
  return sums;
}

function addTo(sums: Float64Array, counts: Float64Array): void {
  for (let i = 0; i < counts.length; i++) sums[i]! += counts[i]!;
}

/** Holders of each item, whatever their level. */
export function sumOfLevels(levels: readonly Float64Array[], domain: number): Float64Array {
  const sum = new Float64Array(domain);
  for (const holders of levels) addTo(sum, holders);
  return sum;
}
