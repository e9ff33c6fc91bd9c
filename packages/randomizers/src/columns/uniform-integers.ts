/** Uniform integers below one bound, many at a time. */
import type { RandomStream } from '@shuffle-dp/core';

/** Products of a random word with these bounds are exact in doubles. */
const SMALL_BOUND = 2 ** 21;
const BLOCK = 8192;
const TWO_32 = 2 ** 32;
const TWO_NEG_32 = 2 ** -32;

/**
 * Fills target[start .. end) with independent integers, uniform over 0 to bound - 1, as many calls of
 * `integerBelow` give.
 *
 * @example fillIntegersBelow(10, new Uint8Array(4), 0, 4, RandomStream.fromSeed('example'))
 */
export function fillIntegersBelow(
  bound: number,
  target: Uint8Array | Uint16Array | Uint32Array,
  start: number,
  end: number,
  stream: RandomStream,
): void {
  if (bound > SMALL_BOUND) {
    for (let i = start; i < end; i++) target[i] = stream.integerBelow(bound);
    return;
  }
  for (let from = start; from < end; from += BLOCK)
    fillBlock(bound, target, from, Math.min(end, from + BLOCK), stream);
}

/**
 * The high part of a product. Products whose low part would favour some numbers are drawn again (D. Lemire,
 * 2019).
 */
function fillBlock(
  bound: number,
  target: Uint8Array | Uint16Array | Uint32Array,
  start: number,
  end: number,
  stream: RandomStream,
): void {
  const favouring = TWO_32 % bound;
  const s = stream.state;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = start; i < end;) {
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9);
    const t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    const product = (x >>> 0) * bound;
    const high = (product * TWO_NEG_32) >>> 0;
    target[i] = high;
    if (product - high * TWO_32 >= favouring) i++;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}
