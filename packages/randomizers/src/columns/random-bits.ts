/** Independent random bits of one probability, 32 at a time. */
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
 * Fills target[0 .. count) with words whose lowest `width` bits are independent ones with the given
 * probability, and whose other bits are zero. All bits of a word are compared with the probability's binary
 * digits at once; a word takes about log2(width) + 1.3 draws.
 *
 * @example fillRandomBits(new Uint32Array(4), 4, 0.25, 8, RandomStream.fromSeed('example'))
 */
export function fillRandomBits(
  target: Uint32Array,
  count: number,
  probability: number,
  width: number,
  stream: RandomStream,
): void {
  const law = { digits: binaryDigits(probability), mask: width === 32 ? -1 : (1 << width) - 1 };
  for (let start = 0; start < count; start += BLOCK)
    fillBlock(target, start, Math.min(count, start + BLOCK), law, stream);
}

interface BitLaw {
  /** Of the probability of a one. */
  readonly digits: Uint8Array;
  /** The bits of a word that are drawn. */
  readonly mask: number;
}

function fillBlock(
  target: Uint32Array,
  start: number,
  end: number,
  { digits, mask }: BitLaw,
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
      // A bit whose uniform number has a 0 where the probability has a 1 is below it: a one; the reverse, a
      // zero.
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
