/** Subsets of a few categories, drawn by one look into the list of all of them. */
import { binomialCoefficient, type RandomStream } from '@shuffle-dp/core';

/** Lists are at most this long, and stay in the cache. */
const LONGEST_LIST = 2 ** 16;
const BLOCK = 4096;
const TWO_31 = 2 ** 31;
const TWO_32 = 2 ** 32;
const TWO_NEG_32 = 2 ** -32;

/**
 * The subsets of the other categories, as masks of their bits closed up; first those for rows without the own
 * value.
 */
export interface SubsetList {
  readonly masks: Uint32Array;
  /** Number of subsets of k others, for rows without the own value; those of k - 1 come after them. */
  readonly without: number;
}

/**
 * All subsets that k-subset selection adds to the own value or to nothing; undefined where they are too many.
 */
export function listSubsets(domain: number, k: number): SubsetList | undefined {
  if (domain > 32) return undefined;
  const without = binomialCoefficient(domain - 1, k);
  if (without + binomialCoefficient(domain - 1, k - 1) > LONGEST_LIST) return undefined;
  return { masks: Uint32Array.from([...masksOf(domain - 1, k), ...masksOf(domain - 1, k - 1)]), without };
}

function masksOf(elements: number, size: number): number[] {
  if (size === 0) return [0];
  if (size > elements) return [];
  const last = 2 ** (elements - 1);
  return [...masksOf(elements - 1, size), ...masksOf(elements - 1, size - 1).map((mask) => mask + last)];
}

/**
 * Writes one row for each value: with probability `own` one of those that hold the value, else one that does
 * not.
 */
export function drawListedSubsets(
  list: SubsetList,
  values: Uint32Array,
  own: number,
  rows: Uint32Array,
  stream: RandomStream,
): void {
  const words = new Uint32Array(2 * Math.min(BLOCK, values.length));
  for (let start = 0; start < values.length; start += BLOCK) {
    const block = values.subarray(start, start + BLOCK);
    stream.fillUint32(words, 0, 2 * block.length);
    drawBlock({ ...list, own, words }, block, rows, start, stream);
  }
}

interface BlockDraws extends SubsetList {
  /** Probability of a row with the own value. */
  readonly own: number;
  /** Two random words for each row. */
  readonly words: Uint32Array;
}

function drawBlock(
  { masks, without, own, words }: BlockDraws,
  values: Uint32Array,
  rows: Uint32Array,
  start: number,
  stream: RandomStream,
): void {
  // 2^31, the threshold of probability 1, becomes -2^31: the difference below wraps and still has the right
  // sign.
  const threshold = Math.floor(own * TWO_31) | 0;
  const more = masks.length - 2 * without;
  for (let i = 0; i < values.length; i++) {
    const difference = ((words[2 * i]! >>> 1) - threshold) | 0;
    let holds = difference >>> 31;
    // On the boundary word the rest of the probability decides.
    if (difference === 0 && stream.next() < own * TWO_31 - threshold) holds = 1;
    const choices = without + (more & -holds);
    const product = words[2 * i + 1]! * choices;
    let choice = (product * TWO_NEG_32) >>> 0;
    const low = product - choice * TWO_32;
    if (low < choices && low < TWO_32 % choices) choice = stream.integerBelow(choices);
    const mask = masks[choice + (without & -holds)]!;
    // Room is made for the own value's bit.
    const below = (1 << values[i]!) - 1;
    rows[start + i] = (mask & below) | ((mask & ~below) << 1) | (holds << values[i]!);
  }
}
