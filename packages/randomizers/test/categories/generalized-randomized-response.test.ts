import { expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { aim, chiSquareTest } from '@shuffle-dp/core/testkit';
import { generalizedRandomizedResponse, type CategoryColumns } from '@shuffle-dp/randomizers';

test('a stream draws the word it is aimed at', () => {
  const stream = RandomStream.fromSeed('aimed');
  for (const word of [0, 1, 0x12345678, 0xffffffff]) expect(aim(stream, word).nextUint32()).toBe(word);
});

test.each([
  [5000, 9],
  [70_000, 10],
  [2 ** 21, 20],
])(
  'of a large domain every random word says what its share of the probability is, d = %d, epsilon0 = %d',
  (domain, epsilon0) => {
    const oracle = generalizedRandomizedResponse({ domain, epsilon0 });
    const { own, other } = oracle.supportProbability;
    const kept = 2 * Math.floor((own - other) * 2 ** 31 + 1e-9);
    const width = Math.floor((2 ** 32 - kept - 2) / domain);
    const held = domain - 1;
    const send = (word: number): number => {
      const messages = oracle.allocate(1);
      oracle.randomizeInto(Uint32Array.of(held), messages, aim(RandomStream.fromSeed('forced'), word));
      return messages.columns.value[0]!;
    };
    expect(send(0)).toBe(held);
    expect(send(kept - 2)).toBe(held);
    expect(send(kept + 2)).toBe(0);
    // A value's words are within one of [kept + v width, kept + (v + 1) width): never a whole word away from
    // fair.
    for (const value of [0, 1, Math.floor(domain / 2), domain - 1].filter((v) => width > domain || v < 2)) {
      const slack = value + 4;
      if (width <= 2 * slack) continue;
      expect(send(kept + value * width + slack)).toBe(value);
      expect(send(kept + (value + 1) * width - 1)).toBe(value);
    }
  },
);

test.each([
  [2, 1],
  [5, 0.7],
  [17, 3],
  [1000, 2],
])('half a word has its share of cells for every message, d = %d, epsilon0 = %d', (domain, epsilon0) => {
  const oracle = generalizedRandomizedResponse({ domain, epsilon0 });
  const { own, other } = oracle.supportProbability;
  const cells = 2 ** 16;
  const [held, beside] = [domain - 1, 1];
  const messages = oracle.allocate(2);
  const values = Uint32Array.of(held, beside);
  const stream = RandomStream.fromSeed('halves');
  const [high, low] = [new Uint32Array(domain), new Uint32Array(domain)];
  for (let half = 0; half < cells; half++) {
    // The first of two users takes the upper half of the word.
    oracle.randomizeInto(values, messages, aim(stream, half * cells + (half ^ 1)));
    high[messages.columns.value[0]!]!++;
    low[messages.columns.value[1]!]!++;
  }
  // Fewer cells than one a value and one for the truth are left to further draws, which may fall anywhere.
  const expectCells = (counts: Uint32Array, holder: number): void => {
    const excess = counts.map((count, v) => count - Math.floor((v === holder ? own : other) * cells) + 2);
    expect(Math.max(...excess)).toBeLessThan(domain + 4);
  };
  expectCells(high, held);
  expectCells(low, beside);
});

test('what the cells cannot say is made up by further draws', () => {
  // 2^16 = 21 * 3000 + 2536: with a budget near zero one user in 26 is decided by further draws.
  const domain = 3000;
  const oracle = generalizedRandomizedResponse({ domain, epsilon0: 1e-6 });
  const users = 3_000_000;
  const messages = oracle.allocate(users);
  oracle.randomizeInto(new Uint32Array(users), messages, RandomStream.fromSeed('remainder'));
  const counts = oracle.supportCounts(messages as unknown as ShuffledMessages<CategoryColumns>);
  // A right sampler fails with probability 1e-7.
  expect(
    chiSquareTest(
      counts,
      counts.map(() => users / domain),
    ).pValue,
  ).toBeGreaterThan(1e-7);
});

test('equal shares at every place of a block, odd users at the end included', () => {
  const oracle = generalizedRandomizedResponse({ domain: 3, epsilon0: 1 });
  const { own } = oracle.supportProbability;
  const stream = RandomStream.fromSeed('places');
  const trials = 20_000;
  const truths = new Float64Array(5);
  const messages = oracle.allocate(5);
  for (let trial = 0; trial < trials; trial++) {
    oracle.randomizeInto(Uint32Array.of(0, 1, 2, 1, 0), messages, stream);
    [0, 1, 2, 1, 0].forEach((value, i) => (truths[i]! += messages.columns.value[i] === value ? 1 : 0));
  }
  // Five normal deviates, all within 5.5: a right sampler fails with probability 2e-7.
  const sd = Math.sqrt(trials * own * (1 - own));
  for (const count of truths) expect(Math.abs(count - trials * own) / sd).toBeLessThan(5.5);
});

test.each([
  [2, 5000],
  [2, 4099],
  [7, 14_338],
  [256, 524_290],
  [256, 1001],
  [1000, 9999],
])('messages are counted, d = %d, n = %d', (domain, users) => {
  const oracle = generalizedRandomizedResponse({ domain, epsilon0: 1 });
  const messages = oracle.allocate(users + 3);
  const stream = RandomStream.fromSeed('count');
  const value = messages.columns.value.map(() => Math.max(0, stream.integerBelow(domain + 3) - 3));
  const expected = new Float64Array(domain);
  for (let i = 0; i < users; i++) expected[value[i]!]!++;
  const count = (column: CategoryColumns['value'], length: number): Float64Array =>
    oracle.supportCounts({ columns: { value: column }, count: length } as ShuffledMessages<CategoryColumns>);
  expect(count(value, users)).toEqual(expected);
  expected[value[0]!]!--;
  expect(count(value.subarray(1), users - 1)).toEqual(expected);
});

test('a budget beyond all doubles sends the truth', () => {
  const oracle = generalizedRandomizedResponse({ domain: 4, epsilon0: 700 });
  const messages = oracle.allocate(1000);
  const values = Uint32Array.from({ length: 1000 }, (_, i) => i % 4);
  oracle.randomizeInto(values, messages, RandomStream.fromSeed('truth'));
  expect(Array.from(messages.columns.value)).toEqual(Array.from(values));
});
