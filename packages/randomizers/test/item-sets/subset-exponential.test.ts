/** The atoms of the subset exponential mechanism, against counts of subsets in whole numbers. */
import { RandomStream } from '@shuffle-dp/core';
import { describe, expect, test } from 'vitest';
import { missedShare } from '../../src/laws/missed-share.ts';
import { sumOfVariances } from '../../src/item-sets/set-frequency-oracle.ts';
import { bestSubsetSize } from '../../src/item-sets/best-subset-size.ts';
import { subsetExponential } from '../../src/item-sets/subset-exponential.ts';

function choose(n: number, k: number): bigint {
  if (k < 0 || k > n) return 0n;
  let ways = 1n;
  for (let i = 0; i < k; i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
  return ways;
}

function ratio(numerator: bigint, denominator: bigint): number {
  return Number((numerator << 1000n) / denominator) / 2 ** 1000;
}

describe.each([
  { domain: 531, items: 4, subsetSize: 1 },
  { domain: 531, items: 4, subsetSize: 2 },
  { domain: 4096, items: 2, subsetSize: 5 },
  { domain: 20, items: 12, subsetSize: 3 },
  { domain: 300, items: 100, subsetSize: 40 },
])('$items of $domain items, subsets of $subsetSize', ({ domain, items, subsetSize: k }) => {
  test.each([1, 30, 296.77])('epsilon0 %d', (epsilon0) => {
    const { blanket, variationRatio } = subsetExponential({
      domain,
      items,
      epsilon0,
      subsetSize: k,
    }).amplification();
    const overlap = Math.max(0, 2 * items - domain);
    const missing = choose(domain - items, k);
    const meeting = choose(domain, k) - missing;
    const onlyFirst = missing - choose(domain - 2 * items + overlap, k);
    // Over p Omega = meeting + e^-epsilon0 missing, in units of 2^-600.
    const rest = BigInt(Math.exp(-epsilon0) * 2 ** 600);
    const share = ratio(onlyFirst << 600n, (meeting << 600n) + missing * rest);
    const rounding = 16 * 2 ** -53;
    expect(Math.abs(blanket[0]!.victim0[0]! / share - 1)).toBeLessThan(rounding);
    expect(variationRatio!.beta).toBeCloseTo(share * -Math.expm1(-epsilon0), 13);
    const both = meeting - onlyFirst;
    const total = blanket[0]!.victim0.reduce((sum, mass) => sum + mass, 0);
    expect(total).toBeCloseTo(1, 14);
    if (both === 0n) expect(blanket[0]!.victim0[2]! / blanket[0]!.victim1[2]!).toBe(1);
  });
});

test('a share far below the smallest double is nothing, and the total variation is not', () => {
  expect(missedShare(65_536, 7277, 21_140)).toBe(0);
  expect(missedShare(65_536, 65_530, 6)).toBeGreaterThan(0);
  const { blanket, homogeneous, variationRatio } = subsetExponential({
    epsilon0: 300,
    domain: 65_536,
    items: 21_140,
    subsetSize: 7277,
  }).amplification();
  expect(variationRatio!.beta).toBe(Number.MIN_VALUE);
  expect(blanket[0]!.victim0[0]).toBe(Number.MIN_VALUE);
  for (const { victim0, victim1 } of homogeneous) expect(victim0).toEqual(victim1);
});

test('a share of few subsets keeps its digits', () => {
  const exact = ratio(choose(1200, 300), choose(2000, 300));
  expect(Math.abs(missedShare(2000, 300, 800) / exact - 1)).toBeLessThan(4 * 2 ** -53);
});

describe('the best size', () => {
  /** By shares of each size, multiplied up one by one, as the mechanism states its own. */
  function bestOfAll(domain: number, s: number, epsilon0: number): number {
    const p = Math.exp(epsilon0);
    const share = (k: number, inside: number): number => {
      let product = 1;
      for (let i = 0; i < inside; i++) product *= (k - i) / (domain - i);
      for (let i = 0; i < s && product !== 0; i++) product *= (domain - k - i) / (domain - inside - i);
      return Math.max(0, product);
    };
    let [best, least] = [1, Infinity];
    for (let k = 1; k <= domain - s; k++) {
      const missing = share(k, 0);
      const normaliser = p * (1 - missing) + missing;
      const holdAndMiss = share(k, 1);
      const own = (p * (k / domain)) / normaliser;
      const other = (p * (k / domain - holdAndMiss) + holdAndMiss) / normaliser;
      const error = sumOfVariances(domain, s, { own, other });
      if (error < least) [best, least] = [k, error];
    }
    return best;
  }

  test('is that of the list of all, from few items to many and whatever the budget', () => {
    const stream = RandomStream.fromSeed('sizes');
    for (let setting = 0; setting < 150; setting++) {
      const domain = 2 + Math.floor(1500 * stream.next());
      const items = Math.max(1, Math.min(domain - 1, Math.round(domain ** stream.next())));
      const epsilon0 = 10 ** (-9 + 11.47 * stream.next());
      const best = bestOfAll(domain, items, epsilon0);
      expect({ domain, items, epsilon0, best: bestSubsetSize(domain, items, epsilon0) }).toEqual({
        domain,
        items,
        epsilon0,
        best,
      });
    }
  });

  test.each([
    [65536, 3, 1],
    [65536, 700, 30],
    [20_000, 9000, 264.857],
    [9000, 8999, 1e-9],
    [6000, 2500, 1e-9],
  ])('of %d items, %d held, at budget %d', (domain, items, epsilon0) => {
    expect(bestSubsetSize(domain, items, epsilon0)).toBe(bestOfAll(domain, items, epsilon0));
  });
});
