/** The atoms of the subset exponential mechanism, against counts of subsets in whole numbers. */
import { describe, expect, test } from 'vitest';
import { missedShare } from '../../src/laws/missed-share.ts';
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
