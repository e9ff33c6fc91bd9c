/** Rows of random bits, 32 at a time, and their column sums. */
import type { RandomStream } from '@shuffle-dp/core';

const BLOCK = 4096;
/** Binary digits of a probability that are looked at before a bit counts as decided. */
const DIGITS = 60;

function binaryDigits(probability: number): Uint8Array {
  const digits = new Uint8Array(DIGITS);
  let rest = probability;
  for (let i = 0; i < DIGITS; i++) {
    rest *= 2;
    if (rest >= 1) {
      digits[i] = 1;
      rest -= 1;
    }
  }
  return digits;
}

/**
 * Fills target[0 .. count) with words whose lowest `width` bits are independent ones with the given probability, and
 * whose other bits are zero. All bits of a word are compared with the probability's binary digits at once; a word
 * takes about log2(width) + 1.3 draws.
 */
export function fillRandomBits(
  target: Uint32Array,
  count: number,
  probability: number,
  width: number,
  stream: RandomStream,
): void {
  const digits = binaryDigits(probability);
  for (let start = 0; start < count; start += BLOCK) {
    fillBlock(
      target,
      start,
      Math.min(count, start + BLOCK),
      digits,
      width === 32 ? -1 : (1 << width) - 1,
      stream,
    );
  }
}

function fillBlock(
  target: Uint32Array,
  start: number,
  end: number,
  digits: Uint8Array,
  mask: number,
  stream: RandomStream,
): void {
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = start; i < end; i++) {
    let undecided = mask;
    let word = 0;
    for (let digit = 0; undecided !== 0 && digit < DIGITS; digit++) {
      let x = Math.imul(s1, 5);
      x = Math.imul((x << 7) | (x >>> 25), 9);
      const t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = (s3 << 11) | (s3 >>> 21);
      // A bit whose uniform number has a 0 where the probability has a 1 is below it: a one; the reverse, a zero.
      if (digits[digit] === 1) {
        word |= undecided & ~x;
        undecided &= x;
      } else {
        undecided &= ~x;
      }
    }
    target[i] = word;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}

/** A source of single bits with the given probability, drawn 32 at a time. */
export function randomBits(probability: number, stream: RandomStream): () => boolean {
  const words = new Uint32Array(64);
  let position = words.length * 32;
  return () => {
    if (position === words.length * 32) {
      fillRandomBits(words, words.length, probability, 32, stream);
      position = 0;
    }
    const bit = (words[position >>> 5]! >>> (position & 31)) & 1;
    position++;
    return bit === 1;
  };
}

/**
 * How many of the first `count` words have each of the lowest `width` bits set (positional population count). Bits are
 * added in parallel: eight words go through seven full adders, whose carry of eights ripples through six planes.
 */
export function positionalCounts(words: Uint32Array, count: number, width: number): Float64Array {
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
