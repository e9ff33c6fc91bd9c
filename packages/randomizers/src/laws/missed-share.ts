/**
 * How many subsets miss a set, and how many meet it, with all their digits. A product of as many factors as
 * the set has items would lose as many units in the last place, and what it leaves of 1 far more.
 */
import { exactProduct, minus, Real } from '@shuffle-dp/core';

/** Smaller shares are taken by their logarithms: near the end of the doubles products stay what they were. */
const SMALLEST_PRODUCT = 1e-270;

interface Share {
  readonly high: number;
  /** What the roundings of `high` took. */
  readonly low: number;
}

function roundedShare(domain: number, k: number, items: number): Share {
  if (items > domain - k) return { high: 0, low: 0 };
  let high = 1;
  let lost = 0;
  for (let i = 0; i < items; i++) {
    const left = exactProduct(high, domain - k - i);
    high = left.high / (domain - i);
    if (high < SMALLEST_PRODUCT) return { high: Real.exp(logShare(domain, k, items)), low: 0 };
    lost += (minus(left.high, exactProduct(high, domain - i)) + left.low) / left.high;
  }
  return { high, low: high * lost };
}

function logShare(domain: number, k: number, items: number): number {
  let log = 0;
  for (let i = 0; i < items; i++) log += Real.log((domain - k - i) / (domain - i));
  return log;
}

/**
 * The share of all k-subsets of a domain that miss so many given items, within 3 units in the last place from
 * 1e-270 on; smaller ones have fewer digits, down to 0.
 *
 * @example missedShare(8, 2, 3) // 0.357143
 */
export function missedShare(domain: number, k: number, items: number): number {
  const { high, low } = roundedShare(domain, k, items);
  return high + low;
}

/**
 * The share that meets them, within 3 units in the last place.
 *
 * @example metShare(8, 2, 3) // 0.642857
 */
export function metShare(domain: number, k: number, items: number): number {
  return minus(1, roundedShare(domain, k, items));
}

/** The share that meets both of two sets of so many items, of which they share `overlap`. */
export function bothMetShare(domain: number, k: number, items: number, overlap: number): number {
  const apart = missedShare(domain, k, overlap) * apartMetShare(domain - overlap, k, items - overlap, 2);
  return metShare(domain, k, overlap) + apart;
}

/** Terms of a sum that are a smaller part of it, and fall on, add nothing. */
const NEGLIGIBLE = 1e-20;

/**
 * The share that meets each of so many sets of so many items that share none: by how many items of the first
 * are held, as positive terms, or where it is mostly met by what misses it.
 *
 * @example apartMetShare(8, 2, 3, 2) // 0.321429
 */
export function apartMetShare(domain: number, k: number, items: number, sets: number): number {
  if (items === 0 || k < sets || sets * items > domain) return 0;
  if (sets === 1) return k > items ? metShare(domain, k, items) : metShare(domain, items, k);
  const missed = missedShare(domain, k, items);
  if (missed < 0.5) {
    const ofOthers = apartMetShare(domain, k, items, sets - 1);
    return Math.max(0, ofOthers - missed * apartMetShare(domain - items, k, items, sets - 1));
  }
  let sum = 0;
  let held = missed;
  for (let j = 1; j <= Math.min(k, items); j++) {
    held *= ((items - j + 1) / j) * ((k - j + 1) / (domain - items - k + j));
    const term = held * apartMetShare(domain - items, k - j, items, sets - 1);
    sum += term;
    if (term < NEGLIGIBLE * sum) break;
  }
  return sum;
}
