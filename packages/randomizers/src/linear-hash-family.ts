/** Inner-product hash functions over a prime field: a pairwise uniform family of the least size. */

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

/** Values 0 … domain - 1, buckets 0 … range - 1, functions (seeds) 0 … size - 1. */
export class LinearHashFamily {
  readonly domain: number;
  readonly range: number;
  /** Number of functions: range^k with (range^k - 1)/(range - 1) at least the domain. */
  readonly size: number;
  readonly #digits: number;
  /** Coordinates of g(v): vectors whose first non-zero coordinate is 1, hence no two parallel. */
  readonly #points: Uint16Array;

  constructor(domain: number, range: number) {
    this.domain = domain;
    this.range = range;
    let digits = 1;
    let size = range;
    while ((size - 1) / (range - 1) < domain) {
      digits++;
      size *= range;
    }
    this.size = size;
    this.#digits = digits;
    this.#points = normalisedVectors(domain, range, digits);
  }

  hash(seed: number, value: number): number {
    const { range } = this;
    const digits = this.#digits;
    let rest = seed;
    let sum = 0;
    for (let i = value * digits; i < (value + 1) * digits; i++) {
      const next = Math.floor(rest / range);
      sum += (rest - next * range) * this.#points[i]!;
      rest = next;
    }
    return sum % range;
  }

  /**
   * For every value the number of messages whose function sends it to their bucket: one table of messages by function and
   * bucket, then, value by value, one look per function. Independent of the number of messages but for the table.
   */
  supportCounts(seeds: Uint32Array, buckets: Uint16Array, count: number): Float64Array {
    const { range, size, domain } = this;
    const table = new Uint32Array(size * range);
    for (let i = 0; i < count; i++) {
      const cell = seeds[i]! * range + buckets[i]!;
      table[cell] = table[cell]! + 1;
    }
    const counts = new Float64Array(domain);
    const digits = this.#digits;
    const coordinates = new Uint16Array(digits);
    for (let value = 0; value < domain; value++) {
      coordinates.set(this.#points.subarray(value * digits, (value + 1) * digits));
      counts[value] = sumOverSeeds(table, coordinates, range, size);
    }
    return counts;
  }
}

/** Sum of table[s * range + <s, g>] over all s, walking the seeds like an odometer so that no product is recomputed. */
function sumOverSeeds(table: Uint32Array, point: Uint16Array, range: number, size: number): number {
  const reading = new Uint16Array(point.length);
  let bucket = 0;
  let sum = 0;
  for (let seed = 0; ;) {
    sum += table[seed * range + bucket]!;
    if (++seed === size) return sum;
    for (let digit = 0; ; digit++) {
      bucket += point[digit]!;
      if (bucket >= range) bucket -= range;
      reading[digit] = reading[digit]! + 1;
      if (reading[digit]! < range) break;
      // range times a coordinate is zero in the field, so the bucket is already right for a digit back at zero.
      reading[digit] = 0;
    }
  }
}

function normalisedVectors(domain: number, range: number, digits: number): Uint16Array {
  const points = new Uint16Array(domain * digits);
  let made = 0;
  // Leading one at `lead`, zeros before it, anything after it.
  for (let lead = digits - 1; lead >= 0 && made < domain; lead--) {
    const free = digits - 1 - lead;
    for (let code = 0; code < range ** free && made < domain; code++) {
      points[made * digits + lead] = 1;
      let rest = code;
      for (let i = lead + 1; i < digits; i++) {
        points[made * digits + i] = rest % range;
        rest = Math.floor(rest / range);
      }
      made++;
    }
  }
  return points;
}
