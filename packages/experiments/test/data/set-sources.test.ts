// Statistical tests: 2 sided z tests with fixed seeds, Bonferroni over all of the file's comparisons at a
// total false-alarm rate below 1e-4.
import { RandomStream, type HeldSets } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import type { DataConfig } from '../../src/data/data-sets.ts';
import { openDataSource } from '../../src/data/data-sets.ts';
import { msnbcLikeSets } from '../../src/data/msnbc/msnbc-like.ts';

const LARGEST_Z = 5.5;

function checkSets(data: HeldSets): void {
  const { users, domain, items, rows } = data;
  expect(rows.length).toBe(users * items);
  const counted = new Float64Array(domain);
  for (let u = 0; u < users; u++) {
    for (let i = 0; i < items; i++) {
      const item = rows[u * items + i]!;
      if (i > 0 && item <= rows[u * items + i - 1]!) throw new Error(`user ${u} is not increasing`);
      counted[item]!++;
    }
  }
  expect(data.histogram).toEqual(counted);
}

/** The largest distance of an item's share from the population, in standard errors. */
function largestZ({ users, population, histogram }: HeldSets): number {
  let largest = 0;
  population!.forEach((p, item) => {
    const away = Math.abs(histogram[item]! / users - p);
    const error = Math.sqrt((p * (1 - p)) / users);
    largest = Math.max(largest, away === 0 ? 0 : away / error);
  });
  return largest;
}

describe('the MSNBC-style generator', () => {
  it('has the marginals and sizes of its mixture', () => {
    // Of all 989,818 real users, by category; the mixture was fitted to them.
    const real = [0.318, 0.1776, 0.1236, 0.1231, 0.2229];
    const source = msnbcLikeSets();
    const holders = source.profile!.holders.map((sizes) => sizes.reduce((a, b) => a + b, 0));
    expect(source.profile!.sizes.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    const mean = holders.reduce((a, b) => a + b, 0);
    expect(mean).toBeCloseTo(1.7168, 3);
    expect(holders[0]).toBeCloseTo(real[0]!, 1);
    expect(source.profile!.sizes[1]).toBeCloseTo(0.608, 2);
  });

  it.each([
    ['fill', 17],
    ['dummy', 20],
    ['truncate', 17],
  ] as const)('padded by %s has the population it states', (padding, domain) => {
    const source = openDataSource({ kind: 'msnbc-like', items: 4, padding }, null);
    expect(source.domain).toBe(domain);
    const data = source.draw(60_000, [1], RandomStream.fromSeed(`padding ${padding}`));
    checkSets(data);
    expect(data.population!.reduce((a, b) => a + b, 0)).toBeCloseTo(4, 10);
    expect(largestZ(data)).toBeLessThan(LARGEST_Z);
    expect(data.levelOf).toBeUndefined();
  });

  it('with one item keeps a random one of each user', () => {
    const data = openDataSource({ kind: 'msnbc-like', items: 1, padding: 'fill' }, null).draw(
      40_000,
      [1],
      RandomStream.fromSeed('one'),
    );
    checkSets(data);
    expect(largestZ(data)).toBeLessThan(LARGEST_Z);
  });

  it('with all items fills every set', () => {
    const data = openDataSource({ kind: 'msnbc-like', items: 17, padding: 'fill' }, null).draw(
      50,
      [1],
      RandomStream.fromSeed('all'),
    );
    checkSets(data);
    expect([...data.histogram]).toEqual(Array.from({ length: 17 }, () => 50));
  });
});

describe('synthetic sets', () => {
  it.each<DataConfig<'sets'>>([
    { kind: 'sets-uniform', domain: 30, items: 5 },
    { kind: 'sets-zipf', domain: 12, items: 1, exponent: 1.3 },
    { kind: 'sets-gaussian-bump', domain: 16, items: 1, centre: 0.3, width: 0.2 },
  ])('$kind has the population it states', (config) => {
    const data = openDataSource(config, null).draw(40_000, [1], RandomStream.fromSeed('synthetic'));
    checkSets(data);
    expect(largestZ(data)).toBeLessThan(LARGEST_Z);
  });

  it('of several items are drawn without replacement, by weights', () => {
    // Weights 1, 1/2, 1/3: Pr[{0,1}] = (6/11)(3/5) + (3/11)(6/8), and so on.
    const data = openDataSource({ kind: 'sets-zipf', domain: 3, items: 2, exponent: 1 }, null).draw(
      50_000,
      [1],
      RandomStream.fromSeed('pairs'),
    );
    checkSets(data);
    const absent = [
      (3 / 11) * (2 / 8) + (2 / 11) * (3 / 9),
      (6 / 11) * (2 / 5) + (2 / 11) * (6 / 9),
      (6 / 11) * (3 / 5) + (3 / 11) * (6 / 8),
    ];
    absent.forEach((p, item) => {
      const error = Math.sqrt((p * (1 - p)) / data.users);
      expect(Math.abs(1 - data.histogram[item]! / data.users - p) / error).toBeLessThan(LARGEST_Z);
    });
  });

  it('refuse a shape too steep for distinct items', () => {
    expect(() => openDataSource({ kind: 'sets-zipf', domain: 10, items: 5, exponent: 40 }, null)).toThrow(
      'data.items = 5: must be fewer',
    );
  });
});

describe('privacy levels', () => {
  it('have exact shares, in random order, the same for the same stream', () => {
    const source = openDataSource({ kind: 'sets-uniform', domain: 10, items: 2 }, null);
    const draw = (): HeldSets => source.draw(1000, [0.25, 0.5, 0.25], RandomStream.fromSeed('levels'));
    const { levelOf } = draw();
    const counts = [0, 0, 0];
    for (const level of levelOf!) counts[level]!++;
    expect(counts).toEqual([250, 500, 250]);
    expect(levelOf!.subarray(0, 250).every((level) => level === 0)).toBe(false);
    expect(draw().levelOf).toEqual(levelOf);
  });
});
