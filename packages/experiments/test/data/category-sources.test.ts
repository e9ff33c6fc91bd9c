// z tests with fixed seeds; false-alarm rate of the file below 1e-5.
import { RandomStream } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import type { DataConfig } from '../../src/data/data-sets.ts';
import { openDataSource } from '../../src/data/data-sets.ts';

const CONFIGS: DataConfig<'categories'>[] = [
  { kind: 'categories-uniform', domain: 8 },
  { kind: 'categories-zipf', domain: 20, exponent: 1.1 },
  { kind: 'categories-gaussian-bump', domain: 10, centre: 0.5, width: 0.25 },
  { kind: 'categories-shares', shares: [30, 20, 10, 40], names: ['tea', 'milk', 'juice', 'water'] },
];

describe.each(CONFIGS)('$kind', (config) => {
  it.each(['messages', 'aggregated'] as const)('on the path %s follows its population', (path) => {
    const source = openDataSource(config, null);
    const users = 50_000;
    const data = source.draw(users, path, RandomStream.fromSeed(`categories ${path}`));
    expect(data.histogram.reduce((a, b) => a + b, 0)).toBe(users);
    expect(data.values?.length).toBe(path === 'messages' ? users : undefined);
    expect(data.population!.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    data.population!.forEach((p, category) => {
      const z = (data.histogram[category]! / users - p) / Math.sqrt((p * (1 - p)) / users);
      expect(Math.abs(z)).toBeLessThan(5.5);
    });
  });
});

it('draws a billion users at the cost of the domain', () => {
  const source = openDataSource({ kind: 'categories-zipf', domain: 1024, exponent: 1 }, null);
  const data = source.draw(1e9, 'aggregated', RandomStream.fromSeed('billion'));
  expect(data.histogram.reduce((a, b) => a + b, 0)).toBe(1e9);
  expect(data.values).toBeUndefined();
});

it('has the shares that a config lists, under their names', () => {
  const source = openDataSource(
    { kind: 'categories-shares', shares: [3, 0, 1], names: ['a', 'b', 'c'] },
    null,
  );
  expect(source).toMatchObject({ domain: 3, names: ['a', 'b', 'c'] });
  const { population, histogram } = source.draw(40, 'messages', RandomStream.fromSeed('shares'));
  expect([...population!]).toEqual([0.75, 0, 0.25]);
  expect(histogram[1]).toBe(0);
  expect(openDataSource({ kind: 'categories-shares', shares: [1, 1] }, null).names).toBeUndefined();
});

it('has shapes as described', () => {
  const zipf = openDataSource({ kind: 'categories-zipf', domain: 4, exponent: 2 }, null).draw(
    1,
    'aggregated',
    RandomStream.fromSeed('x'),
  );
  expect(zipf.population![0]! / zipf.population![3]!).toBeCloseTo(16, 10);
  const bump = openDataSource(
    { kind: 'categories-gaussian-bump', domain: 8, centre: 0.5, width: 0.2 },
    null,
  ).draw(1, 'aggregated', RandomStream.fromSeed('x'));
  expect(bump.population![3]).toBeCloseTo(bump.population![4]!, 12);
  expect(bump.population![3]!).toBeGreaterThan(bump.population![0]! * 5);
});
