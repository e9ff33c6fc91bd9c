/** Inner-product hash functions over a prime field: a pairwise uniform family of the least size. */
import { ParameterError, Real, sampleUniformMultinomial, type RandomStream } from '@shuffle-dp/core';
import { innerProduct, normalisedVectors } from './field-vectors.ts';
import { linearSupportCounts, tableSupportCounts } from './linear-hash-counts.ts';
import { fillIntegersBelow } from '../columns/uniform-integers.ts';

/** Halves of vectors below this have a table of inner products that stays in the cache. */
const LARGEST_BASE = 2 ** 9;

/**
 * Functions times buckets up to which counts are drawn from their joint law: more take seconds to sum over.
 */
const LARGEST_TABLE = 2 ** 22;
/** Messages drawn and counted in one go where there are too few of them for the table. */
const DRAWN_AT_ONCE = 2 ** 20;

/**
 * Values 0 … domain - 1, buckets 0 … range - 1, functions (seeds) 0 … size - 1. A seed's digits to the base
 * `range` are its vector s, and h_s(v) = <s, g(v)>; the vectors g(v) are written as numbers likewise.
 *
 * @example new LinearHashFamily(8, 3).size // 27
 */
export class LinearHashFamily {
  readonly domain: number;
  readonly range: number;
  /** Number of functions: range^k with (range^k - 1)/(range - 1) at least the domain. */
  readonly size: number;
  readonly #digits: number;
  /** g(v): vectors whose last non-zero digit is 1, hence no two parallel. */
  readonly #points: Uint32Array;
  #halves: Halves | undefined;

  /** @throws ParameterError where functions are too many for a column of 32 bits */
  constructor(domain: number, range: number) {
    let digits = 1;
    let size = range;
    while ((size - 1) / (range - 1) < domain) {
      digits++;
      size *= range;
    }
    if (size > 2 ** 32) throw new ParameterError('hashRange', range, `less for a domain of ${domain}`);
    this.domain = domain;
    this.range = range;
    this.size = size;
    this.#digits = digits;
    this.#points = normalisedVectors(domain, range);
  }

  /** Functions and buckets are few enough for `sampleSupportCounts`. */
  get jointCounts(): boolean {
    return this.size * this.range <= LARGEST_TABLE;
  }

  hash(seed: number, value: number): number {
    return innerProduct(seed, this.#points[value]!, this.range);
  }

  /** Draws a uniform function for each value: its seed, and the value's bucket. */
  hashWithRandomSeeds(
    values: Uint32Array,
    seeds: Uint32Array,
    buckets: Uint32Array,
    stream: RandomStream,
  ): void {
    const base = Real.power(this.range, Math.ceil(this.#digits / 2));
    if (base <= LARGEST_BASE && this.range <= 0x100) {
      this.#halves ??= splitInHalves(this.#points, base, this.size / base, this.range);
      hashByHalves(values, seeds, buckets, this.#halves, stream);
      return;
    }
    fillIntegersBelow(this.size, seeds, 0, values.length, stream);
    for (let i = 0; i < values.length; i++) buckets[i] = this.hash(seeds[i]!, values[i]!);
  }

  /** For every value the number of messages whose function sends it to their bucket. */
  supportCounts(seeds: Uint32Array, buckets: Uint16Array, count: number): Float64Array {
    return linearSupportCounts(this.#family(), { seeds, buckets, count });
  }

  /**
   * Draws the same counts, from their joint law, for messages with random functions: `truthful[v]` in the
   * bucket of value v, and `uniform` in any bucket. Values are pairwise independent and no more: the zero
   * vector alone sends all of them to one bucket, which sums over values notice. The cost does not grow with
   * the messages where they are more than the cells of a table by function and bucket. For families with
   * `jointCounts`.
   */
  sampleSupportCounts(truthful: Float64Array, uniform: number, stream: RandomStream): Float64Array {
    const { domain, range, size } = this;
    let messages = uniform;
    for (const users of truthful) messages += users;
    return messages > size * (domain + range)
      ? this.#countsOfMany(truthful, uniform, stream)
      : this.#countsOfFew(truthful, messages, stream);
  }

  #countsOfMany(truthful: Float64Array, uniform: number, stream: RandomStream): Float64Array {
    const { range, size } = this;
    const table = new Float64Array(size * range);
    sampleUniformMultinomial(uniform, table, stream);
    const ofFunction = new Float64Array(size);
    truthful.forEach((users, value) => {
      ofFunction.fill(0);
      sampleUniformMultinomial(users, ofFunction, stream);
      for (let seed = 0; seed < size; seed++) {
        if (ofFunction[seed]! > 0) table[seed * range + this.hash(seed, value)]! += ofFunction[seed]!;
      }
    });
    return tableSupportCounts(this.#family(), table);
  }

  #countsOfFew(truthful: Float64Array, messages: number, stream: RandomStream): Float64Array {
    const counts = new Float64Array(this.domain);
    const most = Math.min(messages, DRAWN_AT_ONCE);
    const [values, seeds, hashed] = [new Uint32Array(most), new Uint32Array(most), new Uint32Array(most)];
    const buckets = new Uint16Array(most);
    let value = 0;
    let left = truthful[0]!;
    for (let done = 0; done < messages; done += most) {
      const block = Math.min(most, messages - done);
      let known = 0;
      for (; known < block && value < this.domain; known++) {
        while (left === 0 && ++value < this.domain) left = truthful[value]!;
        if (value === this.domain) break;
        values[known] = value;
        left--;
      }
      this.hashWithRandomSeeds(values.subarray(0, known), seeds, hashed, stream);
      buckets.set(hashed.subarray(0, known));
      fillIntegersBelow(this.size, seeds, known, block, stream);
      fillIntegersBelow(this.range, buckets, known, block, stream);
      this.supportCounts(seeds, buckets, block).forEach((count, v) => (counts[v]! += count));
    }
    return counts;
  }

  #family() {
    const { range, size } = this;
    return { range, size, digits: this.#digits, points: this.#points };
  }
}

/** Vectors cut into two halves, so short that the inner products of all pairs of halves fit a table. */
interface Halves {
  /** The lower half is below this power of the range, */
  readonly base: number;
  /** and the upper half below this one. */
  readonly upperBase: number;
  readonly range: number;
  /** g(v), the upper half above the lower 16 bits. */
  readonly points: Uint32Array;
  /** products[a * base + b] = <a, b>. */
  readonly products: Uint8Array;
}

function splitInHalves(vectors: Uint32Array, base: number, upperBase: number, range: number): Halves {
  const points = vectors.map((vector) => (Math.floor(vector / base) << 16) | (vector % base));
  const products = Uint8Array.from({ length: base * base }, (_, cell) =>
    innerProduct(Math.floor(cell / base), cell % base, range),
  );
  return { base, upperBase, range, points, products };
}

/**
 * Each half of a random word draws one half of a seed: the high part of a product, biased words drawn again.
 */
function hashByHalves(
  values: Uint32Array,
  seeds: Uint32Array,
  buckets: Uint32Array,
  { base, upperBase, range, points, products }: Halves,
  stream: RandomStream,
): void {
  const favouring = 0x10000 % base;
  const upperFavouring = 0x10000 % upperBase;
  const words = new Uint32Array(values.length);
  for (let i = 0; i < values.length;) {
    // As many words as seeds are left to draw: each gives one at most, so that no word is drawn in vain.
    const drawn = words.subarray(0, values.length - i);
    stream.fillUint32(drawn);
    for (let k = 0; k < drawn.length; k++) {
      const x = drawn[k]!;
      const product = Math.imul(x & 0xffff, base);
      const upperProduct = Math.imul(x >>> 16, upperBase);
      if ((((product & 0xffff) - favouring) | ((upperProduct & 0xffff) - upperFavouring)) < 0) continue;
      const lower = product >>> 16;
      const upper = upperProduct >>> 16;
      const point = points[values[i]!]! | 0;
      const excess =
        (products[Math.imul(lower, base) + (point & 0xffff)]! +
          products[Math.imul(upper, base) + (point >>> 16)]! -
          range) |
        0;
      seeds[i] = (Math.imul(upper, base) + lower) | 0;
      buckets[i] = excess + (range & (excess >> 31));
      i++;
    }
  }
}
