/** Small key-value data sets for tests. */
import { RandomStream } from '@shuffle-dp/core';
import type { KeyValuedData } from '../../src/key-values/key-valued-data.ts';

export const VALUES = Float64Array.of(-2, 1, 4, 6);

/** Low keys are more frequent; a key's values are of a few kinds. */
export function randomPairs(seed: string, users: number, domain: number, items: number): KeyValuedData {
  const stream = RandomStream.fromSeed(seed);
  const keys = new Uint32Array(users * items);
  const values = new Float64Array(users * items);
  const histogram = new Float64Array(domain);
  const sums = new Float64Array(domain);
  const squares = new Float64Array(domain);
  const holders = new Float64Array(domain * VALUES.length);
  for (let u = 0; u < users; u++) {
    const own = new Set<number>();
    while (own.size < items) own.add(Math.floor(stream.next() ** 1.5 * domain));
    [...own].forEach((key, i) => {
      const j = stream.integerBelow(key % 2 === 0 ? VALUES.length : 2);
      const value = VALUES[j]!;
      keys[u * items + i] = key;
      values[u * items + i] = value;
      histogram[key]!++;
      sums[key]! += value;
      squares[key]! += value * value;
      holders[key * VALUES.length + j]!++;
    });
  }
  const counts = { values: VALUES, holders };
  return {
    kind: 'key-values',
    users,
    domain,
    items,
    histogram,
    sums,
    squares,
    pairs: { keys, values },
    counts,
  };
}
