import { describe, expect, it, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { LinearHashFamily } from '../../src/categories/linear-hash-family.ts';
import { localHashing, type HashColumns } from '../../src/categories/local-hashing.ts';
import { range } from '../laws/enumeration.ts';
import { jointLaw, lawTest, leastMeanTest } from '../laws/joint-law.ts';

const SIGNIFICANCE = 1e-4;

/** Every function with every bucket. */
function messagesOf({ size, range: buckets }: LinearHashFamily): [seed: number, bucket: number][] {
  return range(size).flatMap((seed) => range(buckets).map((bucket): [number, number] => [seed, bucket]));
}

describe('local hashing, every vector of counts against enumeration', () => {
  it.each([
    [2, 2, [0, 1], 1],
    [3, 2, [0, 2, 2], 2],
    [4, 3, [0, 0], 1],
    [4, 5, [1, 3], 3],
  ])('domain %d, %d buckets, users with %j, epsilon0 %d', (domain, hashRange, values, epsilon0) => {
    const oracle = localHashing({ domain, hashRange, epsilon0 });
    const messages = messagesOf(oracle.family);
    const law = jointLaw(
      messages.map(([seed, bucket]) =>
        range(domain).map((v) => Number(oracle.family.hash(seed, v) === bucket)),
      ),
      values.map((value) => messages.map((message) => Math.exp(oracle.logProbability!(message, value)))),
    );
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value]!++;
    const stream = RandomStream.fromSeed(`hashes ${domain} ${hashRange} ${values.join()}`);
    expect(lawTest(law, 20_000, () => oracle.sampleSupportCounts(histogram, stream))).toBeGreaterThan(
      SIGNIFICANCE,
    );
  });
});

// 8 functions and 16 cells: 60 messages go by the table. The 13 buckets of 12 values are a plane, whose zero
// function sends all values to one bucket: as if independent, squared errors had a third of their spread.
test.each([
  [4, 2, 60],
  [12, 13, 300],
  [12, 3, 4000],
])(
  'local hashing of %d values to %d buckets, %d users: both paths agree in what a joint law decides',
  (domain, hashRange, users) => {
    const oracle = localHashing({ domain, hashRange, epsilon0: 3 });
    const values = Uint32Array.from({ length: users }, (_, i) => (i % 3 === 0 ? 0 : i % domain));
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value]!++;
    const { own, other } = oracle.supportProbability;
    const stream = RandomStream.fromSeed(`hash paths ${domain} ${hashRange}`);
    const messages = oracle.allocate(users);
    const pValue = leastMeanTest(
      3000,
      (v) => histogram[v]! * own + (users - histogram[v]!) * other,
      () => {
        oracle.randomizeInto(values, messages, stream);
        return oracle.supportCounts(messages as unknown as ShuffledMessages<HashColumns>);
      },
      () => oracle.sampleSupportCounts(histogram, stream),
    );
    expect(pValue).toBeGreaterThan(SIGNIFICANCE);
  },
);

test('messages beyond one block, and a million million by the table', () => {
  const family = new LinearHashFamily(5, 3);
  const stream = RandomStream.fromSeed('many hashes');
  const large = new LinearHashFamily(100, 101);
  const truthful = new Float64Array(100);
  truthful[7] = 1.2e6;
  truthful[99] = 10;
  const counts = large.sampleSupportCounts(truthful, 1000, stream);
  expect(counts[7]).toBeGreaterThanOrEqual(1.2e6);
  expect(counts[7]).toBeLessThanOrEqual(1.2e6 + 1010);
  // Another value is met by one function of 101: 11,891 on average, with a standard deviation of 109.
  expect(Math.abs(counts[8]! - 1_201_010 / 101)).toBeLessThan(5 * 109);
  const table = family.sampleSupportCounts(Float64Array.of(1e12, 0, 0, 0, 2e12), 3e12, stream);
  expect(Math.abs(table[4]! - (2e12 + 4e12 / 3))).toBeLessThan(5 * Math.sqrt((4e12 * 2) / 9));
  expect(Math.abs(table[1]! - 2e12)).toBeLessThan(5 * Math.sqrt((6e12 * 2) / 9));
});

test('families too large for a joint law say so', () => {
  expect(localHashing({ domain: 1024, hashRange: 101, epsilon0: 1 }).jointSupportCounts).toBe(false);
  expect(localHashing({ domain: 64, hashRange: 151, epsilon0: 1 }).jointSupportCounts).toBe(true);
});
