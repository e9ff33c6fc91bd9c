import { expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { optimizedUnaryEncoding, symmetricUnaryEncoding, type BitColumns } from '@shuffle-dp/randomizers';

const received = (columns: BitColumns, count: number): ShuffledMessages<BitColumns> =>
  ({ columns, count }) as ShuffledMessages<BitColumns>;

test.each([0, 1, 7, 8, 9, 503, 504, 505, 1511])('counts of %d rows are the sums bit by bit', (count) => {
  for (const domain of [2, 17, 32, 50]) {
    const oracle = optimizedUnaryEncoding({ domain, epsilon0: 1 });
    const { columns } = oracle.allocate(1600);
    const stream = RandomStream.fromSeed(`rows ${domain}`);
    for (const column of Object.values(columns)) stream.fillUint32(column);
    const direct = Array.from({ length: domain }, (_, v) =>
      columns[`w${v >>> 5}`]!.subarray(0, count).reduce((sum, word) => sum + ((word >>> (v & 31)) & 1), 0),
    );
    expect(Array.from(oracle.supportCounts(received(columns, count)))).toEqual(direct);
    // Every carry at once.
    for (const column of Object.values(columns)) column.fill(2 ** 32 - 1);
    expect(oracle.supportCounts(received(columns, count)).every((ones) => ones === count)).toBe(true);
  }
});

/** Total false alarms below 1e-5. */
test.each([
  ['OUE, small budget', optimizedUnaryEncoding({ domain: 41, epsilon0: 0.01 })],
  ['OUE, large budget', optimizedUnaryEncoding({ domain: 64, epsilon0: 7 })],
  ['SUE', symmetricUnaryEncoding({ domain: 33, epsilon0: 2 })],
])('%s: bits are one with their probabilities, and none lies beyond the domain', (_, oracle) => {
  const users = 20_000;
  const { domain } = oracle;
  const messages = oracle.allocate(users);
  const held = domain - 1;
  oracle.randomizeInto(new Uint32Array(users).fill(held), messages, RandomStream.fromSeed('bits'));
  const beyond = domain % 32 === 0 ? 2 ** 32 : 2 ** (domain % 32);
  expect(messages.columns['w1']!.every((word) => word < beyond)).toBe(true);
  const counts = oracle.supportCounts(received(messages.columns, users));
  const { own, other } = oracle.supportProbability;
  const others = counts.subarray(0, held).reduce((sum, ones) => sum + ones, 0) / (users * held);
  expect(zTest(counts[held]! / users, own, Math.sqrt((own * (1 - own)) / users))).toBeGreaterThan(1e-6);
  expect(zTest(others, other, Math.sqrt((other * (1 - other)) / (users * held)))).toBeGreaterThan(1e-6);
});
