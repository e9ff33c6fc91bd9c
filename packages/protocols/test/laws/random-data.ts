/** Small skewed data sets for tests. */
import { RandomStream, type CategoricalData, type HeldSets } from '@shuffle-dp/core';
import { levelCounts } from '../../src/setting.ts';

/** Sets in which low items are more frequent; levels in random order with exact shares. */
export function randomSets(
  seed: string,
  users: number,
  domain: number,
  items: number,
  shares: readonly number[],
): HeldSets {
  const stream = RandomStream.fromSeed(seed);
  const rows = new Uint16Array(users * items);
  const histogram = new Float64Array(domain);
  for (let u = 0; u < users; u++) {
    const held = new Set<number>();
    while (held.size < items) {
      const x = stream.next();
      held.add(Math.floor(x * x * domain));
    }
    [...held]
      .sort((a, b) => a - b)
      .forEach((item, j) => {
        rows[u * items + j] = item;
        histogram[item]!++;
      });
  }
  const data = { kind: 'sets', users, domain, items, rows, histogram } as const;
  return shares.length === 1 ? data : { ...data, levelOf: randomLevels(stream, users, shares) };
}

export function randomLevels(stream: RandomStream, users: number, shares: readonly number[]): Uint8Array {
  const levelOf = new Uint8Array(users);
  let next = 0;
  levelCounts(users, shares).forEach((count, k) => {
    levelOf.fill(k, next, next + count);
    next += count;
  });
  for (let u = users - 1; u > 0; u--) {
    const other = stream.integerBelow(u + 1);
    [levelOf[u], levelOf[other]] = [levelOf[other]!, levelOf[u]!];
  }
  return levelOf;
}

export function randomCategories(seed: string, users: number, domain: number): CategoricalData {
  const stream = RandomStream.fromSeed(seed);
  const values = new Uint32Array(users);
  const histogram = new Float64Array(domain);
  for (let u = 0; u < users; u++) {
    const x = stream.next();
    const value = Math.floor(x * x * domain);
    values[u] = value;
    histogram[value]!++;
  }
  return { kind: 'categories', users, domain, histogram, values };
}

/** The same users before they have chosen levels. */
export function withoutLevels({ users, domain, items, rows, histogram }: HeldSets): HeldSets {
  return { kind: 'sets', users, domain, items, rows, histogram };
}
