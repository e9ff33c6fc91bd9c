/**
 * Rows of d bits, one a message, as columns of words: column w<i> holds bits 32 i to 32 i + 31 of every row.
 */
import type { RandomStream } from '@shuffle-dp/core';
import { fillRandomBits } from './random-bits.ts';

/** Column names are w0, w1, … */
export type BitColumns = Readonly<Record<string, Uint32Array>>;

export function bitColumns(bits: number, rows: number): BitColumns {
  return Object.fromEntries(
    Array.from({ length: Math.ceil(bits / 32) }, (_, w) => [`w${w}`, new Uint32Array(rows)]),
  );
}

/** The columns in the order of their bits. */
export function wordsOf(columns: BitColumns, bits: number): Uint32Array[] {
  return Array.from({ length: Math.ceil(bits / 32) }, (_, w) => columns[`w${w}`]!);
}

/** Bits that word w holds of a row. */
function widthOf(w: number, bits: number): number {
  return Math.min(32, bits - 32 * w);
}

/** Fills the first `rows` rows with independent bits of the given probability. */
export function fillRandomRows(
  columns: BitColumns,
  bits: number,
  rows: number,
  probability: number,
  stream: RandomStream,
): void {
  wordsOf(columns, bits).forEach((column, w) =>
    fillRandomBits(column, rows, probability, widthOf(w, bits), stream),
  );
}

/** In how many of the first `rows` rows each bit is set. */
export function countRows(columns: BitColumns, bits: number, rows: number): Float64Array {
  const counts = new Float64Array(bits);
  wordsOf(columns, bits).forEach((column, w) =>
    counts.set(positionalCounts(column, rows, widthOf(w, bits)), 32 * w),
  );
  return counts;
}

/**
 * How many of the first `count` words have each of the lowest `width` bits set (positional population count).
 * Bits are added in parallel: eight words go through seven full adders, whose carry of eights ripples through
 * six planes.
 */
function positionalCounts(words: Uint32Array, count: number, width: number): Float64Array {
  const counts = new Float64Array(width);
  for (let start = 0; start < count; start += COUNTED)
    countBlock(words, start, Math.min(count, start + COUNTED), width, counts);
  return counts;
}

/** Words counted together: a multiple of eight, below 512. */
const COUNTED = 504;

/** Planes of ones, twos, fours, …, 256s hold the sums of up to 511 words. */
function countBlock(
  words: Uint32Array,
  start: number,
  end: number,
  width: number,
  counts: Float64Array,
): void {
  let p0 = 0;
  let p1 = 0;
  let p2 = 0;
  let p3 = 0;
  let p4 = 0;
  let p5 = 0;
  let p6 = 0;
  let p7 = 0;
  let p8 = 0;
  for (let i = start; i < end; i += 8) {
    const whole = i + 8 <= end;
    const w0 = words[i]! | 0;
    const w1 = whole || i + 1 < end ? words[i + 1]! | 0 : 0;
    const w2 = whole || i + 2 < end ? words[i + 2]! | 0 : 0;
    const w3 = whole || i + 3 < end ? words[i + 3]! | 0 : 0;
    const w4 = whole || i + 4 < end ? words[i + 4]! | 0 : 0;
    const w5 = whole || i + 5 < end ? words[i + 5]! | 0 : 0;
    const w6 = whole || i + 6 < end ? words[i + 6]! | 0 : 0;
    const w7 = whole ? words[i + 7]! | 0 : 0;
    let u = p0 ^ w0;
    let a = (p0 & w0) | (u & w1);
    p0 = u ^ w1;
    u = p0 ^ w2;
    let b = (p0 & w2) | (u & w3);
    p0 = u ^ w3;
    u = p1 ^ a;
    const c = (p1 & a) | (u & b);
    p1 = u ^ b;
    u = p0 ^ w4;
    a = (p0 & w4) | (u & w5);
    p0 = u ^ w5;
    u = p0 ^ w6;
    b = (p0 & w6) | (u & w7);
    p0 = u ^ w7;
    u = p1 ^ a;
    const d = (p1 & a) | (u & b);
    p1 = u ^ b;
    u = p2 ^ c;
    let carry = (p2 & c) | (u & d);
    p2 = u ^ d;
    let next = p3 & carry;
    p3 ^= carry;
    carry = p4 & next;
    p4 ^= next;
    next = p5 & carry;
    p5 ^= carry;
    carry = p6 & next;
    p6 ^= next;
    next = p7 & carry;
    p7 ^= carry;
    p8 ^= next;
  }
  for (let bit = 0; bit < width; bit++) {
    counts[bit]! +=
      ((p0 >>> bit) & 1) +
      (((p1 >>> bit) & 1) << 1) +
      (((p2 >>> bit) & 1) << 2) +
      (((p3 >>> bit) & 1) << 3) +
      (((p4 >>> bit) & 1) << 4) +
      (((p5 >>> bit) & 1) << 5) +
      (((p6 >>> bit) & 1) << 6) +
      (((p7 >>> bit) & 1) << 7) +
      (((p8 >>> bit) & 1) << 8);
  }
}
