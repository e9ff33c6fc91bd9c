/** Inner-product hash functions over a prime field: a pairwise uniform family of the least size. */
import { ParameterError } from '@shuffle-dp/core';
import { innerProduct, normalisedVectors } from './field-vectors.ts';
import { linearSupportCounts } from './linear-hash-counts.ts';

export function isPrime(n: number): boolean {
  if (!Number.isInteger(n) || n < 2) return false;
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return true;
}

/** The prime nearest to x, the smaller of two. */
export function nearestPrime(x: number): number {
  const start = Math.max(2, Math.round(x));
  for (let distance = 0; ; distance++) {
    const candidates = [start - distance, start + distance].filter(isPrime);
    if (candidates.length > 0) return candidates.sort((a, b) => Math.abs(a - x) - Math.abs(b - x))[0]!;
  }
}

/** The table of inner products has at most so many cells, and stays in the cache. */
const LARGEST_TABLE = 2 ** 16;

/**
 * Values 0 … domain - 1, buckets 0 … range - 1, functions (seeds) 0 … size - 1. A seed's digits to the base `range` are
 * its vector s, and h_s(v) = <s, g(v)>; the vectors g(v) are written as numbers likewise.
 */
export class LinearHashFamily {
  readonly domain: number;
  readonly range: number;
  /** Number of functions: range^k with (range^k - 1)/(range - 1) at least the domain. */
  readonly size: number;
  readonly #digits: number;
  /** g(v): vectors whose last non-zero digit is 1, hence no two parallel. */
  readonly #points: Uint32Array;
  #partition: DigitGroups | undefined;

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

  hash(seed: number, value: number): number {
    return innerProduct(seed, this.#points[value]!, this.range);
  }

  /** target[i] = hash of values[i] under seeds[i], for all values. */
  hashAll(seeds: Uint32Array, values: Uint32Array, target: Uint32Array): void {
    if (this.range * this.range > LARGEST_TABLE) {
      for (let i = 0; i < values.length; i++) target[i] = this.hash(seeds[i]!, values[i]!);
      return;
    }
    this.#partition ??= groupDigits(this.#points, this.range, this.#digits);
    hashByGroups(seeds, values, target, this.#partition);
  }

  /** For every value the number of messages whose function sends it to their bucket. */
  supportCounts(seeds: Uint32Array, buckets: Uint16Array, count: number): Float64Array {
    const { range, size } = this;
    return linearSupportCounts(
      { range, size, digits: this.#digits, points: this.#points },
      { seeds, buckets, count },
    );
  }
}

/** Vectors cut into groups of digits, so few that the inner products of all pairs of groups fit a table. */
interface DigitGroups {
  readonly groups: number;
  /** Values of one group: a power of the range. */
  readonly base: number;
  /** Row-major: the groups of g(v) stand at v * groups. */
  readonly points: Uint16Array;
  /** products[a * base + b] = <a, b>. */
  readonly products: Uint8Array;
  /** What a sum of `groups` such products leaves when divided by the range. */
  readonly remainders: Uint8Array;
}

function groupDigits(vectors: Uint32Array, range: number, digits: number): DigitGroups {
  let perGroup = 1;
  while (2 * perGroup < digits && range ** (2 * perGroup + 2) <= LARGEST_TABLE) perGroup++;
  const groups = Math.ceil(digits / perGroup);
  const base = range ** perGroup;
  const points = new Uint16Array(vectors.length * groups);
  vectors.forEach((vector, v) => {
    let rest = vector;
    for (let g = 0; g < groups; g++) {
      points[v * groups + g] = rest % base;
      rest = Math.floor(rest / base);
    }
  });
  const products = Uint8Array.from({ length: base * base }, (_, cell) =>
    innerProduct(Math.floor(cell / base), cell % base, range),
  );
  const remainders = Uint8Array.from({ length: groups * (range - 1) + 1 }, (_, sum) => sum % range);
  return { groups, base, points, products, remainders };
}

function hashByGroups(
  seeds: Uint32Array,
  values: Uint32Array,
  target: Uint32Array,
  { groups, base, points, products, remainders }: DigitGroups,
): void {
  const inverse = 1 / base;
  for (let i = 0; i < values.length; i++) {
    let rest = seeds[i]!;
    let sum = 0;
    const first = values[i]! * groups;
    for (let place = first; place < first + groups; place++) {
      // Half a seed is added so that rounding never crosses a whole quotient.
      const next = ((rest + 0.5) * inverse) >>> 0;
      sum += products[(rest - next * base) * base + points[place]!]!;
      rest = next;
    }
    target[i] = remainders[sum]!;
  }
}
