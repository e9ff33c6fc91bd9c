/** Uniform permutation of a range of messages in place (R. Durstenfeld, Algorithm 235, CACM 7(7), 1964). */
import type { Column, RandomStream } from '@shuffle-dp/core';
import { sameBits, type MovableColumn } from './same-bits.ts';

/** Ranges may be this long: products of a random word with a bound stay exact in doubles. */
export const LONGEST_RANGE = 1 << 21;

/** Draws are made in blocks of this size: one long loop is compiled again and again. */
const BLOCK = 8192;

/** Partners of one block of positions, shared by all columns. */
const partners = new Uint32Array(BLOCK);

/** Permutes messages [start, end) of all columns with one permutation; at most `LONGEST_RANGE` messages. */
export function permuteInPlace(
  columns: readonly Column[],
  start: number,
  end: number,
  stream: RandomStream,
): void {
  if (end - start > LONGEST_RANGE)
    throw new RangeError(`cannot permute ${end - start} messages in one range`);
  const movable = columns.map(sameBits);
  for (let top = end; top - start > 1; top -= BLOCK) {
    const bottom = Math.max(start + 1, top - BLOCK);
    drawPartners(start, bottom, top, stream);
    for (const column of movable) swapAll(column, bottom, top);
  }
}

/**
 * partners[i - bottom] is uniform over [start, i] for i in [bottom, top): the high part of a product, where
 * the few low parts that would favour some positions are drawn again (D. Lemire, ACM TOMACS 29(1), 2019).
 */
function drawPartners(start: number, bottom: number, top: number, stream: RandomStream): void {
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = top - 1; i >= bottom;) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9);
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const bound = i - start + 1;
    const product = (x >>> 0) * bound;
    const draw = (product * TWO_NEG_32) >>> 0;
    const low = product - draw * TWO_32;
    if (low < bound && low < TWO_32 % bound) continue;
    partners[i - bottom] = start + draw;
    i--;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}

const TWO_32 = 2 ** 32;
const TWO_NEG_32 = 2 ** -32;

/** Swaps from the top down. */
function swapAll(column: MovableColumn, bottom: number, top: number): void {
  for (let i = top - 1; i >= bottom; i--) {
    const j = partners[i - bottom]!;
    const held = column[i]!;
    column[i] = column[j]!;
    column[j] = held;
  }
}
