/** xoshiro128** 1.1 and uniform integers from their definitions, on arbitrary-precision integers. */
const MASK = 0xffffffffn;
const WORDS = 1n << 32n;

/**
 * The generator xoshiro128** in big integers, word by word: what the quick one of `RandomStream` is held to.
 */
export class ReferenceGenerator {
  readonly #state: bigint[];

  /** Goes on from the four words of a stream's state, which it copies. */
  constructor(state: ArrayLike<number>) {
    this.#state = Array.from(state, (word) => BigInt(word >>> 0));
  }

  /** The next word, from 0 to 2^32 - 1. */
  word(): number {
    const s = this.#state;
    const result = (rotated((s[1]! * 5n) & MASK, 7n) * 9n) & MASK;
    const t = (s[1]! << 9n) & MASK;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= t;
    s[3] = rotated(s[3]!, 11n);
    return Number(result);
  }

  /**
   * Uniform over 0 to bound - 1: the high half of word * bound, unless the low half is below 2^32 mod bound.
   */
  below(bound: number): number {
    for (;;) {
      const product = BigInt(this.word()) * BigInt(bound);
      if (product % WORDS >= WORDS % BigInt(bound)) return Number(product / WORDS);
    }
  }
}

function rotated(word: bigint, by: bigint): bigint {
  return ((word << by) | (word >> (32n - by))) & MASK;
}
