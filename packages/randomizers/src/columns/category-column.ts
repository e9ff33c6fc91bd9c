/**
 * Messages that are one of the numbers 0 to domain - 1, in the narrowest column, and how often each was sent.
 */

export type CategoryColumn = Uint8Array | Uint16Array | Uint32Array;

export type CategoryColumns = { readonly value: CategoryColumn };

/**
 * The narrowest unsigned column that holds 0 to domain - 1.
 *
 * @example categoryColumn(1000, 3) // [0, 0, 0]
 */
export function categoryColumn(domain: number, length: number): CategoryColumn {
  if (domain <= 0x100) return new Uint8Array(length);
  return domain <= 0x10000 ? new Uint16Array(length) : new Uint32Array(length);
}

/** Loops are run over blocks: one long loop is compiled again and again. */
const BLOCK = 8192;
/**
 * Counting by pairs pays from so many messages a category, each of which has two rows of 256 cells to be
 * cleared and added up.
 */
const PAIRS_FROM = 2048;

/**
 * How many of the first `count` values are each of 0 … domain - 1.
 *
 * @example countCategories(Uint8Array.of(0, 2, 2), 3, 4) // [1, 0, 2, 0]
 */
export function countCategories(values: CategoryColumn, count: number, domain: number): Float64Array {
  return values instanceof Uint8Array && count >= PAIRS_FROM * domain && values.byteOffset % 4 === 0
    ? countByPairs(values, count, domain)
    : countOneByOne(values, count, domain);
}

/** Four tables in turn, so that equal neighbours do not wait for each other. */
function countOneByOne(values: CategoryColumn, count: number, domain: number): Float64Array {
  const tables = new Int32Array(4 * domain);
  for (let start = 0; start < count; start += BLOCK)
    countBlock(values, start, Math.min(count, start + BLOCK), domain, tables);
  return Float64Array.from(
    { length: domain },
    (_, v) => tables[v]! + tables[domain + v]! + tables[2 * domain + v]! + tables[3 * domain + v]!,
  );
}

function countBlock(
  values: CategoryColumn,
  start: number,
  end: number,
  domain: number,
  tables: Int32Array,
): void {
  let i = start;
  for (; i + 3 < end; i += 4) {
    const a = values[i]!;
    const b = values[i + 1]! + domain;
    const c = values[i + 2]! + 2 * domain;
    const d = values[i + 3]! + 3 * domain;
    tables[a] = (tables[a]! + 1) | 0;
    tables[b] = (tables[b]! + 1) | 0;
    tables[c] = (tables[c]! + 1) | 0;
    tables[d] = (tables[d]! + 1) | 0;
  }
  for (; i < end; i++) tables[values[i]!]!++;
}

/**
 * Two bytes side by side are one index, so half the steps do. A pair of values counts for both, so that it
 * does not matter which byte of a word comes first.
 */
function countByPairs(values: Uint8Array, count: number, domain: number): Float64Array {
  const words = new Uint32Array(values.buffer, values.byteOffset, count >>> 2);
  const evens = new Int32Array(domain << 8);
  const odds = new Int32Array(domain << 8);
  for (let start = 0; start < words.length; start += BLOCK)
    countPairs(words, start, Math.min(words.length, start + BLOCK), evens, odds);
  const counts = new Float64Array(domain);
  for (let high = 0; high < domain; high++) {
    for (let low = 0; low < domain; low++) {
      const pairs = evens[(high << 8) | low]! + odds[(high << 8) | low]!;
      counts[high]! += pairs;
      counts[low]! += pairs;
    }
  }
  for (let i = 4 * words.length; i < count; i++) counts[values[i]!]!++;
  return counts;
}

function countPairs(
  words: Uint32Array,
  start: number,
  end: number,
  evens: Int32Array,
  odds: Int32Array,
): void {
  for (let i = start; i < end; i++) {
    const word = words[i]! | 0;
    const even = word & 0xffff;
    const odd = word >>> 16;
    evens[even] = (evens[even]! + 1) | 0;
    odds[odd] = (odds[odd]! + 1) | 0;
  }
}
