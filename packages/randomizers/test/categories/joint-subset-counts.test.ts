import { describe, expect, it, test } from 'vitest';
import { RandomStream, type HeldSets, type SetValuedData, type ShuffledMessages } from '@shuffle-dp/core';
import { subsetExponential } from '../../src/item-sets/subset-exponential.ts';
import { subsetSelection } from '../../src/categories/subset-selection.ts';
import type { BitColumns } from '../../src/columns/bit-rows.ts';
import { sampleSubsetCounts } from '../../src/categories/subset-counts.ts';
import { range } from '../laws/enumeration.ts';
import { jointLaw, lawTest, leastMeanTest } from '../laws/joint-law.ts';

const SIGNIFICANCE = 1e-4;
const DRAWS = 40_000;

/** Rows over the domain as lists of the elements they hold. */
function subsets(domain: number, size: number): number[] {
  return range(2 ** domain).filter((row) => range(domain).filter((i) => (row >>> i) & 1).length === size);
}

/** Rows as what they support: 1 for the elements they hold. */
function supportsOf(rows: readonly number[], domain: number): number[][] {
  return rows.map((row) => range(domain).map((i) => (row >>> i) & 1));
}

describe('subset selection, every vector of counts against enumeration', () => {
  it.each([
    [4, 2, [0, 1], 1],
    [4, 2, [3, 3], 2],
    [4, 1, [0, 1, 1], 0.5],
    [4, 3, [0, 2, 2], 1],
    [5, 3, [4, 0, 4], 3],
    [2, 1, [0, 1, 1, 1], 1],
  ])('domain %d, subsets of %d, users with %j, epsilon0 %d', (domain, subsetSize, values, epsilon0) => {
    const oracle = subsetSelection({ domain, subsetSize, epsilon0 });
    const rows = subsets(domain, subsetSize);
    const law = jointLaw(
      supportsOf(rows, domain),
      values.map((value) => rows.map((row) => Math.exp(oracle.logProbability!([row], value)))),
    );
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value]!++;
    const stream = RandomStream.fromSeed(`joint ${domain} ${subsetSize} ${values.join()}`);
    expect(lawTest(law, DRAWS, () => oracle.sampleSupportCounts(histogram, stream))).toBeGreaterThan(
      SIGNIFICANCE,
    );
  });
});

describe('subset exponential, every vector of counts against enumeration', () => {
  it.each([
    [4, 2, [[0, 1], [2, 3]], 1], // prettier-ignore
    [5, 2, [[0, 4], [0, 1], [0, 1]], 2], // prettier-ignore
    [5, 1, [[0, 1, 2], [1, 2, 3]], 0.5], // prettier-ignore
    // A group of four with one set, one of two and two of one.
    [4, 1, [[0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [1, 3], [1, 3], [1, 3]], 1], // prettier-ignore
  ])('domain %d, subsets of %d, sets %j, epsilon0 %d', (domain, subsetSize, sets, epsilon0) => {
    const mechanism = subsetExponential({ domain, items: sets[0]!.length, subsetSize, epsilon0 });
    const rows = subsets(domain, subsetSize);
    const law = jointLaw(
      supportsOf(rows, domain),
      sets.map((items) => rows.map((row) => Math.exp(mechanism.logProbability([row], items)))),
    );
    const data = dataOf(domain, sets);
    const stream = RandomStream.fromSeed(`joint sets ${domain} ${subsetSize} ${sets.join()}`);
    expect(lawTest(law, DRAWS, () => mechanism.sampleJointSupport(data, stream))).toBeGreaterThan(
      SIGNIFICANCE,
    );
    const counted = countedOf(domain, sets);
    expect(lawTest(law, DRAWS, () => mechanism.sampleJointSupport(counted, stream))).toBeGreaterThan(
      SIGNIFICANCE,
    );
  });

  it('refuses data that tell neither whose set is which nor how many hold it', () => {
    const mechanism = subsetExponential({ domain: 4, items: 2, subsetSize: 2, epsilon0: 1 });
    const { rows: _, ...rest } = dataOf(4, [[0, 1]]);
    expect(() => mechanism.sampleJointSupport(rest, RandomStream.fromSeed('neither'))).toThrow(
      'data.rows = "nothing": must be every user\'s set, or how many hold each',
    );
  });
});

/** The same users, counted by their sets. */
function countedOf(domain: number, sets: readonly (readonly number[])[]): SetValuedData {
  const { rows: _, ...data } = dataOf(domain, sets);
  const holders = new Map<string, number>();
  for (const items of sets) holders.set(items.join(), (holders.get(items.join()) ?? 0) + 1);
  return {
    ...data,
    counts: {
      usersOfLevel: Float64Array.of(sets.length),
      holdersOfLevel: [data.histogram],
      sets: {
        rows: Uint16Array.from([...holders.keys()].flatMap((key) => key.split(',').map(Number))),
        holders: Float64Array.from(holders.values()),
      },
    },
  };
}

function dataOf(domain: number, sets: readonly (readonly number[])[]): HeldSets {
  const histogram = new Float64Array(domain);
  for (const items of sets) for (const item of items) histogram[item]!++;
  return {
    kind: 'sets',
    users: sets.length,
    domain,
    items: sets[0]!.length,
    rows: Uint16Array.from(sets.flat()),
    histogram,
  };
}

test('subset selection over two words: both paths agree in what a joint law decides', () => {
  const oracle = subsetSelection({ domain: 40, epsilon0: 1, subsetSize: 9 });
  const values = Uint32Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 0 : i % 40));
  const histogram = new Float64Array(40);
  for (const value of values) histogram[value]!++;
  const stream = RandomStream.fromSeed('both paths, subset selection');
  const pValue = leastMeanTest(
    4000,
    () => 0,
    () => {
      const messages = oracle.allocate(values.length);
      oracle.randomizeInto(values, messages, stream);
      return oracle.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    },
    () => oracle.sampleSupportCounts(histogram, stream),
  );
  expect(pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('subset exponential over two words: both paths agree in what a joint law decides', () => {
  const mechanism = subsetExponential({ domain: 40, items: 3, epsilon0: 1, subsetSize: 7 });
  const data = dataOf(
    40,
    range(80).map((user) => [user % 2, 2 + (user % 5), 20 + (user % 7)]),
  );
  const stream = RandomStream.fromSeed('both paths, subset exponential');
  const pValue = leastMeanTest(
    4000,
    () => 0,
    () => {
      const messages = mechanism.allocate(data.users);
      mechanism.randomizeInto(data, messages, stream);
      return mechanism.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    },
    () => mechanism.sampleJointSupport(data, stream),
  );
  expect(pValue).toBeGreaterThan(SIGNIFICANCE);
});

// By numbers of subsets for the larger crowds, subset by subset for the smaller ones.
test.each([
  [300, 3],
  [100, 3],
  [100, 1],
])('subset exponential of %d users with two sets, size %d: both paths agree', (users, subsetSize) => {
  const mechanism = subsetExponential({ domain: 9, items: 3, epsilon0: 3, subsetSize });
  const sets = range(users).map((user) => (user % 3 === 0 ? [0, 4, 8] : [1, 2, 4]));
  const [data, counted] = [dataOf(9, sets), countedOf(9, sets)];
  const stream = RandomStream.fromSeed(`both paths, ${users} users with two sets, size ${subsetSize}`);
  const pValue = leastMeanTest(
    4000,
    () => 0,
    () => {
      const messages = mechanism.allocate(data.users);
      mechanism.randomizeInto(data, messages, stream);
      return mechanism.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    },
    () => mechanism.sampleJointSupport(counted, stream),
  );
  expect(pValue).toBeGreaterThan(SIGNIFICANCE);
});

test('counts of k-subsets add up to k a user, at a million million users too', () => {
  const stream = RandomStream.fromSeed('many subsets');
  for (const size of [1, 5, 16, 31, 32]) {
    const sure = Float64Array.from({ length: 32 }, (_, i) => 1e9 * (i % 3));
    const bound = sure.reduce((sum, subsets) => sum + subsets, 0);
    const counts = sampleSubsetCounts(32, size, 1e12, sure, stream);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(size * (1e12 + bound));
    counts.forEach((count, i) => expect(count).toBeGreaterThanOrEqual(sure[i]!));
  }
});
