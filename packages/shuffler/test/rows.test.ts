// Chi-square tests with a fixed seed; false-alarm rate 1e-6.
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { expect, it } from 'vitest';
import { shuffleRows } from '../src/index.ts';

const rows = () => ({
  columns: {
    a: Float64Array.of(0, 1, 10, 11, 20, 21, -1, -1),
    b: Uint16Array.of(0, 1, 10, 11, 20, 21, 9, 9),
  },
  count: 3,
});

it('keeps rows together, in all columns alike, and every order is as likely', () => {
  const stream = RandomStream.fromSeed('rows');
  const orders = new Map<string, number>();
  for (let trial = 0; trial < 6000; trial++) {
    const { columns, count } = shuffleRows(rows(), 2, stream);
    expect(count).toBe(3);
    const first = [0, 2, 4].map((place) => columns.a[place]! / 10);
    expect([1, 3, 5].map((place) => (columns.a[place]! - 1) / 10)).toEqual(first);
    expect([...columns.b.subarray(0, 6)]).toEqual([...columns.a.subarray(0, 6)]);
    // What is behind the messages in use stays.
    expect([...columns.b.subarray(6)]).toEqual([9, 9]);
    const order = first.join('');
    orders.set(order, (orders.get(order) ?? 0) + 1);
  }
  expect(orders.size).toBe(6);
  const { pValue } = chiSquareTest([...orders.values()], Array<number>(6).fill(1000));
  expect(pValue).toBeGreaterThan(1e-6);
});

it('uses the batch of the users up', () => {
  const messages = rows();
  shuffleRows(messages, 2, RandomStream.fromSeed('used'));
  expect(messages.count).toBe(0);
});
