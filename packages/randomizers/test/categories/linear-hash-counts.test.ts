/** Three ways to count what messages support, against one message after the other. */
import { expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { LinearHashFamily } from '../../src/categories/linear-hash-family.ts';

it.each([
  { way: 'message by message', domain: 400, buckets: 7, messages: 20 },
  { way: 'value by value', domain: 13, buckets: 3, messages: 4000 },
  { way: 'by the transform', domain: 40, buckets: 3, messages: 4000 },
  { way: 'by the transform of two buckets', domain: 60, buckets: 2, messages: 4000 },
  { way: 'by the transform of seven buckets', domain: 400, buckets: 7, messages: 4000 },
])('$messages messages, $domain values, $buckets buckets: $way', ({ domain, buckets: range, messages }) => {
  const family = new LinearHashFamily(domain, range);
  const stream = RandomStream.fromSeed(`counts ${domain} ${range} ${messages}`);
  const seeds = Uint32Array.from({ length: messages }, () => stream.integerBelow(family.size));
  const buckets = Uint16Array.from(seeds, () => stream.integerBelow(range));
  const supported = Array.from(
    { length: domain },
    (_, value) => Array.from(seeds).filter((seed, i) => family.hash(seed, value) === buckets[i]).length,
  );
  expect(Array.from(family.supportCounts(seeds, buckets, messages))).toEqual(supported);
});
