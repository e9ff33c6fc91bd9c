import { describe, expect, it, test } from 'vitest';
import { RandomStream, type SetValuedData, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest, zTest } from '@shuffle-dp/core/testkit';
import { subsetExponential } from '../src/subset-exponential.ts';
import { subsetSelection } from '../src/subset-selection.ts';
import type { BitColumns } from '../src/bit-rows.ts';
import { sampleSubsetCounts } from '../src/subset-counts.ts';
import { range } from './laws/enumeration.ts';

const SIGNIFICANCE = 1e-4;
const DRAWS = 40_000;

/** Rows over the domain as lists of the elements they hold. */
function subsets(domain: number, size: number): number[] {
  return range(2 ** domain).filter((row) => range(domain).filter((i) => (row >>> i) & 1).length === size);
}

/** The law of the vector of counts of independent users, each with probabilities over the same rows. */
function jointLaw(domain: number, rows: readonly number[], users: readonly number[][]): Map<string, number> {
  let law = new Map([[Array(domain).fill(0).join(), 1]]);
  for (const probabilities of users) {
    const next = new Map<string, number>();
    for (const [key, mass] of law) {
      const counts = key.split(',').map(Number);
      rows.forEach((row, y) => {
        const moved = counts.map((count, i) => count + ((row >>> i) & 1)).join();
        next.set(moved, (next.get(moved) ?? 0) + mass * probabilities[y]!);
      });
    }
    law = next;
  }
  return law;
}

/** The p-value of the draws under the law. */
function lawTest(law: ReadonlyMap<string, number>, draw: () => Float64Array): number {
  const keys = [...law.keys()];
  const observed = new Float64Array(keys.length);
  const place = new Map(keys.map((key, i) => [key, i]));
  let impossible = 0;
  for (let i = 0; i < DRAWS; i++) {
    const at = place.get(draw().join());
    if (at === undefined) impossible++;
    else observed[at]!++;
  }
  const expected = keys.map((key) => DRAWS * law.get(key)!);
  return impossible > 0 ? 0 : chiSquareTest(observed, expected).pValue;
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
      domain,
      rows,
      values.map((value) => rows.map((row) => Math.exp(oracle.logProbability!([row], value)))),
    );
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value]!++;
    const stream = RandomStream.fromSeed(`joint ${domain} ${subsetSize} ${values.join()}`);
    expect(lawTest(law, () => oracle.sampleSupportCounts(histogram, stream))).toBeGreaterThan(SIGNIFICANCE);
  });
});

describe('subset exponential, every vector of counts against enumeration', () => {
  it.each([
    [4, 2, [[0, 1], [2, 3]], 1], // prettier-ignore
    [5, 2, [[0, 4], [0, 1], [0, 1]], 2], // prettier-ignore
    [5, 1, [[0, 1, 2], [1, 2, 3]], 0.5], // prettier-ignore
  ])('domain %d, subsets of %d, sets %j, epsilon0 %d', (domain, subsetSize, sets, epsilon0) => {
    const mechanism = subsetExponential({ domain, itemsPerUser: sets[0]!.length, subsetSize, epsilon0 });
    const rows = subsets(domain, subsetSize);
    const law = jointLaw(
      domain,
      rows,
      sets.map((items) => rows.map((row) => Math.exp(mechanism.logProbability([row], items)))),
    );
    const data = dataOf(domain, sets);
    const stream = RandomStream.fromSeed(`joint sets ${domain} ${subsetSize} ${sets.join()}`);
    expect(lawTest(law, () => mechanism.sampleJointSupport(data, stream))).toBeGreaterThan(SIGNIFICANCE);
  });
});

function dataOf(domain: number, sets: readonly (readonly number[])[]): SetValuedData {
  const histogram = new Float64Array(domain);
  for (const items of sets) for (const item of items) histogram[item]!++;
  return {
    kind: 'sets',
    users: sets.length,
    domain,
    itemsPerUser: sets[0]!.length,
    items: Uint16Array.from(sets.flat()),
    histogram,
  };
}

/** What the spread of a squared error and a projection depend on: the sum of all counts, and of squared ones. */
const STATISTICS: Readonly<Record<string, (counts: Float64Array) => number>> = {
  'the sum of squares': (counts) => counts.reduce((sum, count) => sum + count * count, 0),
  'the product of two counts': (counts) => counts[0]! * counts[1]!,
  'the square of the sum of squares': (counts) => counts.reduce((sum, count) => sum + count * count, 0) ** 2,
  'the largest count': (counts) => Math.max(...counts),
};

/** The p-value of each statistic's equal means. */
function meanTests(trials: number, first: () => Float64Array, second: () => Float64Array): number[] {
  const [a, b] = [first, second].map((draw) => Array.from({ length: trials }, draw));
  return Object.values(STATISTICS).map((statistic) => {
    const [x, y] = [a!, b!].map((draws) => {
      const values = draws.map((counts) => statistic(counts));
      const mean = values.reduce((sum, value) => sum + value, 0) / trials;
      const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / trials;
      return { mean, variance };
    });
    const error = Math.sqrt((x!.variance + y!.variance) / trials);
    return zTest(x!.mean, y!.mean, error);
  });
}

test('subset selection over two words: both paths agree in what a joint law decides', () => {
  const oracle = subsetSelection({ domain: 40, epsilon0: 1, subsetSize: 9 });
  const values = Uint32Array.from({ length: 90 }, (_, i) => (i % 3 === 0 ? 0 : i % 40));
  const histogram = new Float64Array(40);
  for (const value of values) histogram[value]!++;
  const stream = RandomStream.fromSeed('both paths, subset selection');
  const pValues = meanTests(
    4000,
    () => {
      const messages = oracle.allocate(values.length);
      oracle.randomizeInto(values, messages, stream);
      return oracle.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    },
    () => oracle.sampleSupportCounts(histogram, stream),
  );
  expect(Math.min(...pValues)).toBeGreaterThan(SIGNIFICANCE);
});

test('subset exponential over two words: both paths agree in what a joint law decides', () => {
  const mechanism = subsetExponential({ domain: 40, itemsPerUser: 3, epsilon0: 1, subsetSize: 7 });
  const data = dataOf(
    40,
    range(80).map((user) => [user % 2, 2 + (user % 5), 20 + (user % 7)]),
  );
  const stream = RandomStream.fromSeed('both paths, subset exponential');
  const pValues = meanTests(
    4000,
    () => {
      const messages = mechanism.allocate(data.users);
      mechanism.randomizeInto(data, messages, stream);
      return mechanism.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    },
    () => mechanism.sampleJointSupport(data, stream),
  );
  expect(Math.min(...pValues)).toBeGreaterThan(SIGNIFICANCE);
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
