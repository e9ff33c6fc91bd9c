/** Draws from a fixed distribution in constant time: Walker's alias method with Vose's construction. */
import { ParameterError } from '../errors.ts';
import type { RandomStream } from './random-stream.ts';

export interface AliasTable {
  /** Index of a weight, with probability in proportion to it. */
  sample(stream: RandomStream): number;
  /** Fills `target` with the indices that as many calls of `sample` would give, in a third of their time. */
  fill(target: Uint32Array, stream: RandomStream): void;
}

const TWO_NEG_32 = 2 ** -32;
const TWO_26 = 2 ** 26;
const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;
/** Indices below are drawn from one word. */
const SMALL_SIZE = 2 ** 21;

/** Thresholds times 2^53, rounded up to whole numbers: high 2^26 + low. */
interface Thresholds {
  readonly high: Int32Array;
  readonly low: Int32Array;
}

function wholeThresholds(thresholds: Float64Array): Thresholds {
  const whole = thresholds.map((threshold) => Math.ceil(threshold * TWO_53));
  return {
    high: Int32Array.from(whole, (value) => Math.floor(value / TWO_26)),
    low: Int32Array.from(whole, (value) => value % TWO_26),
  };
}

/**
 * A law on 0, 1, ... by weights, of which a draw costs the same whatever their number.
 *
 * @param weights non-negative, not all zero; normalised here.
 * @throws ParameterError
 * @example aliasTable([1, 2, 7]).sample(RandomStream.fromSeed('example')) // 2
 */
export function aliasTable(weights: ArrayLike<number>): AliasTable {
  const size = weights.length;
  let total = 0;
  for (let i = 0; i < size; i++) {
    if (!(weights[i]! >= 0 && weights[i]! < Infinity))
      throw new ParameterError(`weights[${i}]`, weights[i], 'zero or a positive number');
    total += weights[i]!;
  }
  if (!(total > 0)) throw new ParameterError('the sum of weights', total, 'positive');
  const threshold = new Float64Array(size);
  const alias = new Uint32Array(size);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < size; i++) {
    threshold[i] = (weights[i]! * size) / total;
    (threshold[i]! < 1 ? small : large).push(i);
  }
  while (small.length > 0 && large.length > 0) {
    const poor = small.pop()!;
    const rich = large.at(-1)!;
    alias[poor] = rich;
    threshold[rich] = threshold[rich]! + threshold[poor]! - 1;
    if (threshold[rich]! < 1) small.push(large.pop()!);
  }
  for (const left of [...small, ...large]) threshold[left] = 1;
  const sample = (stream: RandomStream): number => {
    const column = stream.integerBelow(size);
    return stream.next() < threshold[column]! ? column : alias[column]!;
  };
  let whole: Thresholds | undefined;
  // Of a column its alias and itself.
  const outcomes = new Uint32Array(2 * size);
  for (let column = 0; column < size; column++) {
    outcomes[2 * column] = alias[column]!;
    outcomes[2 * column + 1] = column;
  }
  return {
    sample,
    fill: (target, stream) => {
      if (size <= SMALL_SIZE) fillFrom((whole ??= wholeThresholds(threshold)), outcomes, target, stream);
      else for (let i = 0; i < target.length; i++) target[i] = sample(stream);
    },
  };
}

/**
 * The generator stands in the loop, and no branch waits for a draw: that of a column's alias is a coin. A
 * coin is decided in words of 32 bits: `next` is (high 2^26 + low) 2^-53, which is below a threshold where
 * the whole number is below 2^53 times it, rounded up. The low part decides once in 2^27.
 */
function fillFrom(
  { high: highs, low: lows }: Thresholds,
  outcomes: Uint32Array,
  target: Uint32Array,
  { state: s }: RandomStream,
): void {
  const size = highs.length;
  const unfair = TWO_32 % size;
  let s0 = s[0]!;
  let s1 = s[1]!;
  let s2 = s[2]!;
  let s3 = s[3]!;
  for (let i = 0; i < target.length;) {
    let x = Math.imul(s1, 5);
    const word = Math.imul((x << 7) | (x >>> 25), 9);
    let t = s1 << 9;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = (s3 << 11) | (s3 >>> 21);
    // The high half of the product, whose low half comes next.
    const column =
      size <= 0x10000
        ? (Math.imul(word >>> 16, size) + (Math.imul(word & 0xffff, size) >>> 16)) >>> 16
        : Math.floor((word >>> 0) * size * TWO_NEG_32);
    if (unfair > 0 && Math.imul(word, size) >>> 0 < unfair) continue;
    x = Math.imul(s1, 5);
    const high = Math.imul((x << 7) | (x >>> 25), 9) >>> 5;
    t = s1 << 9;
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
    const limit = highs[column]!;
    // 1 below the threshold, else 0.
    const below = high === limit ? (low - lows[column]!) >>> 31 : (high - limit) >>> 31;
    target[i++] = outcomes[2 * column + below]!;
  }
  s[0] = s0;
  s[1] = s1;
  s[2] = s2;
  s[3] = s3;
}
