import { describe, expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages, type UserMessages } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { shuffle, shufflePerDimension } from '@shuffle-dp/shuffler';

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
