/**
 * Named random streams. A stream is named by a path (`seed/cell/trial/purpose`); forking adds a label. A
 * fork's numbers depend on its path alone, never on what was drawn before, so a trial draws the same numbers
 * whichever worker runs it and in whatever order.
 *
 * Bulk generator: xoshiro128** 1.1 (D. Blackman and S. Vigna, "Scrambled linear pseudorandom number
 * generators", ACM TOMS 47(4), 2021): period 2^128 - 1, passes TestU01 BigCrush. For simulation, not for
 * deployment.
 */
import { pathSegment, stateFromPath } from './stream-key.ts';

const TWO_NEG_32 = 2 ** -32;
const TWO_NEG_53 = 2 ** -53;
const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;
/** Products of a 32-bit word with these bounds are exact in doubles. */
const SMALL_BOUND = 2 ** 21;

/**
 * Random numbers that a path names: the same path gives the same numbers, whoever draws them and in whatever
 * order. Streams of different paths are independent for all that tests can tell.
 *
 * @example RandomStream.fromSeed('example').fork('trial').fork(17).path // 'example/trial/17'
 */
export class RandomStream {
  /** The names from the root seed to here, '/' between them. */
  readonly path: string;
  /**
   * The four words of the generator. A kernel that inlines the generator loads them before its block and
   * stores them after it.
   */
  readonly state: Int32Array;

  private constructor(path: string) {
    this.path = path;
    this.state = stateFromPath(path);
  }

  /**
   * The root stream of a text seed, or with labels what as many forks would give, one after the other. A
   * state costs some microseconds, which those in between do not need.
   */
  static fromSeed(seed: string, ...labels: readonly (string | number)[]): RandomStream {
    return new RandomStream([seed, ...labels].map((label) => pathSegment(String(label))).join('/'));
  }

  /** The independent substream with this label; the same one at every call. */
  fork(label: string | number): RandomStream {
    return new RandomStream(`${this.path}/${pathSegment(String(label))}`);
  }

  /** Uniform over the integers 0 to 2^32 - 1. */
  nextUint32(): number {
    const s = this.state;
    const s1 = s[1]!;
    let x = Math.imul(s1, 5);
    x = Math.imul((x << 7) | (x >>> 25), 9);
    const s2 = s[2]! ^ s[0]!;
    const s3 = s[3]! ^ s1;
    s[1] = s1 ^ s2;
    s[0] = s[0]! ^ s3;
    s[2] = s2 ^ (s1 << 9);
    s[3] = (s3 << 11) | (s3 >>> 21);
    return x >>> 0;
  }

  /** Uniform over the multiples of 2^-53 in [0, 1). */
  next(): number {
    const high = this.nextUint32() >>> 5;
    const low = this.nextUint32() >>> 6;
    return (high * 67108864 + low) * TWO_NEG_53;
  }

  /**
   * Uniform over (0, 1], safe under a logarithm: an odd multiple of 2^-54, rounded to a double. Never 0, and
   * 1 with probability 2^-53.
   */
  nextOpen(): number {
    return this.next() + TWO_NEG_53 / 2;
  }

  /** Uniform over 0 to bound - 1, exactly, for integer bounds from 1 to 2^53. */
  integerBelow(bound: number): number {
    return bound <= SMALL_BOUND ? this.smallIntegerBelow(bound) : this.largeIntegerBelow(bound);
  }

  /**
   * Lemire's method ("Fast random integer generation in an interval", ACM TOMACS 29(1), 2019): the high part
   * of a product that is exact in doubles; the few low parts that would favour some values are drawn again.
   */
  private smallIntegerBelow(bound: number): number {
    for (;;) {
      const product = this.nextUint32() * bound;
      const high = Math.floor(product * TWO_NEG_32);
      const low = product - high * TWO_32;
      if (low >= bound || low >= TWO_32 % bound) return high;
    }
  }

  /** The remainder of 53 bits; those are drawn again that are beyond the last whole multiple of the bound. */
  private largeIntegerBelow(bound: number): number {
    for (;;) {
      const draw = (this.nextUint32() >>> 11) * TWO_32 + this.nextUint32();
      if (draw < TWO_53 - bound || draw < TWO_53 - (TWO_53 % bound)) return remainder(draw, bound);
    }
  }

  /** Fills target[start..end) with uniform 32-bit words. */
  fillUint32(target: Uint32Array, start = 0, end: number = target.length): void {
    const s = this.state;
    let s0 = s[0]!;
    let s1 = s[1]!;
    let s2 = s[2]!;
    let s3 = s[3]!;
    for (let i = start; i < end; i++) {
      const x = Math.imul(s1, 5);
      target[i] = Math.imul((x << 7) | (x >>> 25), 9);
      const t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = (s3 << 11) | (s3 >>> 21);
    }
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
  }

  /** Fills target[start..end) with the numbers that as many calls of `next` would give. */
  fill(target: Float64Array, start = 0, end: number = target.length): void {
    const s = this.state;
    let s0 = s[0]!;
    let s1 = s[1]!;
    let s2 = s[2]!;
    let s3 = s[3]!;
    for (let i = start; i < end; i++) {
      let x = Math.imul(s1, 5);
      const high = Math.imul((x << 7) | (x >>> 25), 9) >>> 5;
      let t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = (s3 << 11) | (s3 >>> 21);
      x = Math.imul(s1, 5);
      const low = Math.imul((x << 7) | (x >>> 25), 9) >>> 6;
      t = s1 << 9;
      s2 ^= s0;
      s3 ^= s1;
      s1 ^= s2;
      s0 ^= s3;
      s2 ^= t;
      s3 = (s3 << 11) | (s3 >>> 21);
      target[i] = (high * 67108864 + low) * TWO_NEG_53;
    }
    s[0] = s0;
    s[1] = s1;
    s[2] = s2;
    s[3] = s3;
  }
}

/**
 * `value % bound` for whole numbers below 2^53, which the engine computes bit by bit. The quotient is not
 * rounded up to a whole number k: it lies below by 1 / bound at least, which is more than k 2^-53.
 */
function remainder(value: number, bound: number): number {
  return value - Math.floor(value / bound) * bound;
}
