/**
 * Four independent coins of one probability by one look into a table: of 2^12 cells every pattern has so many
 * as its probability fills; the few cells that whole numbers leave over are decided by a further draw, so
 * that the law is exact.
 */
import type { RandomStream } from '@shuffle-dp/core';

export const COINS = 4;
const PATTERNS = 1 << COINS;
/** A probability's cells begin at its index times 2^CELL_BITS. */
export const CELL_BITS = 12;
const CELLS = 1 << CELL_BITS;
export const CELL_MASK = CELLS - 1;
/** Says that a further draw decides. */
export const UNDECIDED = 0xff;

export interface CoinMasks {
  /** CELLS cells a probability: a pattern, whose bits are the coins, or `UNDECIDED`. */
  readonly cells: Uint8Array;
  /** By probability and pattern: the chance of this pattern or a lower one in the cells left over. */
  readonly rest: Float64Array;
}

export function coinMasks(probabilities: Float64Array): CoinMasks {
  const cells = new Uint8Array(probabilities.length * CELLS).fill(UNDECIDED);
  const rest = new Float64Array(probabilities.length * PATTERNS);
  probabilities.forEach((probability, index) => {
    let filled = 0;
    let left = 0;
    for (let pattern = 0; pattern < PATTERNS; pattern++) {
      let share = CELLS;
      for (let coin = 0; coin < COINS; coin++) share *= (pattern >> coin) & 1 ? probability : 1 - probability;
      const whole = Math.floor(share);
      cells.fill(pattern, index * CELLS + filled, index * CELLS + filled + whole);
      filled += whole;
      left += share - whole;
      rest[index * PATTERNS + pattern] = left;
    }
    for (let pattern = 0; pattern < PATTERNS; pattern++) rest[index * PATTERNS + pattern]! /= left;
  });
  return { cells, rest };
}

/** The pattern in a cell left over. */
export function decideCoins({ rest }: CoinMasks, index: number, stream: RandomStream): number {
  const draw = stream.next();
  let pattern = 0;
  while (pattern < PATTERNS - 1 && !(draw < rest[index * PATTERNS + pattern]!)) pattern++;
  return pattern;
}
