import { describe, expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages, type UserMessages } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { scatterBlock, shuffle, shufflePerDimension } from '@shuffle-dp/shuffler';

/** A correct shuffler fails one of the tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

type Values = { readonly value: Uint8Array };

const batch = (...values: number[]): UserMessages<Values> => ({
  columns: { value: Uint8Array.from(values) },
  count: values.length,
});

describe.each([
  ['in place', {}],
  ['by buckets', { bucketsFrom: 1 }],
])('%s', (_, options) => {
  test.each([4, 5])('all permutations of %d messages are equally likely', (size) => {
    const stream = RandomStream.fromSeed(`permutations of ${size}`);
    const counts = new Map<string, number>();
    const draws = 60_000;
    for (let i = 0; i < draws; i++) {
      const shuffled = shuffle(batch(...Array.from({ length: size }, (__, j) => j)), stream, options);
      const key = shuffled.columns.value.join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const permutations = size === 4 ? 24 : 120;
    expect(counts.size).toBe(permutations);
    const observed = Float64Array.from(counts.values());
    expect(
      chiSquareTest(
        observed,
        observed.map(() => draws / permutations),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
  });

  test('messages stay whole and none is lost', () => {
    const count = 70_000;
    const id = Uint32Array.from({ length: count + 5 }, (__, i) => i);
    const copy = Float64Array.from(id, (i) => i / 2);
    const { columns } = shuffle({ columns: { id, copy }, count }, RandomStream.fromSeed('whole'), options);
    expect(columns.copy.every((value, i) => value === columns.id[i]! / 2)).toBe(true);
    expect(
      Array.from(columns.id.slice(0, count))
        .sort((a, b) => a - b)
        .every((value, i) => value === i),
    ).toBe(true);
    // What lies behind the messages in use is not touched.
    expect(Array.from(columns.id.slice(count))).toEqual([count, count + 1, count + 2, count + 3, count + 4]);
    const fixed = columns.id.slice(0, count).filter((value, i) => value === i).length;
    expect(fixed).toBeLessThan(15);
  });

  test('the same seed gives the same order, another seed another', () => {
    const run = (seed: string): string =>
      shuffle(
        batch(...Array.from({ length: 50 }, (__, j) => j)),
        RandomStream.fromSeed(seed),
        options,
      ).columns.value.join();
    expect(run('a')).toBe(run('a'));
    expect(run('a')).not.toBe(run('b'));
  });
});

test('where the first message ends up is uniform over a large batch', () => {
  const count = 3000;
  const cells = new Float64Array(30);
  const stream = RandomStream.fromSeed('first');
  for (let i = 0; i < 3000; i++) {
    const id = Uint16Array.from({ length: count }, (_, j) => j);
    const { columns } = shuffle({ columns: { id }, count }, stream, { bucketsFrom: i % 2 === 0 ? 10 : 1e9 });
    const cell = Math.floor((columns.id.indexOf(0) / count) * 30);
    cells[cell] = cells[cell]! + 1;
  }
  expect(
    chiSquareTest(
      cells,
      cells.map(() => 100),
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
});

test('edges: no message, one message, the user batch is used up', () => {
  const stream = RandomStream.fromSeed('edges');
  expect(shuffle(batch(), stream).count).toBe(0);
  const users = batch(7);
  expect(shuffle(users, stream).columns.value[0]).toBe(7);
  expect(users.count).toBe(0);
});

test('an analyzer cannot be handed user order', () => {
  const analyze = (messages: ShuffledMessages<Values>): number => messages.count;
  const users = batch(1, 2);
  // @ts-expect-error -- only the shuffler makes shuffled messages
  expect(analyze(users)).toBe(2);
  expect(analyze(shuffle(users, RandomStream.fromSeed('s')))).toBe(2);
});

test('per dimension: each column is permuted on its own', () => {
  const [users, dimensions] = [500, 3];
  const values = Float64Array.from({ length: users * dimensions }, (_, i) => i);
  shufflePerDimension({ values, users, dimensions }, RandomStream.fromSeed('gradients'));
  const orders = Array.from({ length: dimensions }, (_, j) =>
    Array.from(values.slice(j * users, (j + 1) * users), (value) => value - j * users),
  );
  for (const order of orders)
    expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: users }, (_, i) => i));
  expect(orders[0]!.filter((value, i) => value === orders[1]![i]).length).toBeLessThan(10);
});

describe('by blocks', () => {
  /** The messages 0 to size - 1 in blocks of these sizes: scattered, then bucket by bucket shuffled. */
  function byBlocks(sizes: readonly number[], buckets: number, stream: RandomStream): number[] {
    let first = 0;
    const blocks = sizes.map((size) => {
      const values = Array.from({ length: size }, () => first++);
      return scatterBlock(batch(...values), buckets, stream);
    });
    const whole: number[] = [];
    for (let bucket = 0; bucket < buckets; bucket++) {
      const sent = blocks.flatMap(({ columns, bounds }) =>
        Array.from(columns.value.subarray(bounds[bucket], bounds[bucket + 1])),
      );
      const { columns, count } = shuffle(batch(...sent), stream);
      whole.push(...columns.value.subarray(0, count));
    }
    return whole;
  }

  test.each([
    [[2, 2], 2],
    [[1, 3], 4],
    [[3, 2], 2],
    [[5], 4],
  ])('all permutations of blocks of %j messages over %d buckets are equally likely', (sizes, buckets) => {
    const stream = RandomStream.fromSeed(`blocks ${sizes.join()} ${buckets}`);
    const counts = new Map<string, number>();
    const size = sizes.reduce((sum, messages) => sum + messages, 0);
    const permutations = size === 4 ? 24 : 120;
    const draws = 100 * permutations;
    for (let i = 0; i < draws; i++) {
      const key = byBlocks(sizes, buckets, stream).join('');
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    expect(counts.size).toBe(permutations);
    const observed = Float64Array.from(counts.values());
    expect(
      chiSquareTest(
        observed,
        observed.map(() => draws / permutations),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
  });

  test('a scattered block is used up, and its buckets hold each of its messages once', () => {
    const count = 10_001;
    const messages: UserMessages = {
      columns: { id: Uint32Array.from({ length: count }, (_, i) => i) },
      count,
    };
    const block = scatterBlock(messages, 64, RandomStream.fromSeed('block'));
    expect(messages.count).toBe(0);
    expect(block.bounds.length).toBe(65);
    expect([block.bounds[0], block.bounds[64]]).toEqual([0, count]);
    expect([...block.columns['id']!].sort((a, b) => a - b)).toEqual(
      Array.from({ length: count }, (_, i) => i),
    );
    const sizes = Array.from({ length: 64 }, (_, b) => block.bounds[b + 1]! - block.bounds[b]!);
    expect(chiSquareTest(sizes, new Float64Array(64).fill(count / 64)).pValue).toBeGreaterThan(SIGNIFICANCE);
  });

  test.each([0, 3, 2 ** 17])('%d buckets are refused', (buckets) => {
    expect(() => scatterBlock(batch(1, 2), buckets, RandomStream.fromSeed('refused'))).toThrow(
      `buckets = ${buckets}: must be`,
    );
  });
});
