/** How local hashing, subset selection and Hadamard response draw and count, each on paths of its own. */
import { expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { aim, chiSquareTest, zTest } from '@shuffle-dp/core/testkit';
import { hadamardResponse, localHashing, subsetSelection } from '@shuffle-dp/randomizers';
import { range, total } from '../laws/enumeration.ts';
import { type Messages, asShuffled } from '../laws/oracle-messages.ts';

/** A correct oracle fails one of the some 50 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

test.each([
  ['by a transform', 40, 3, 2000],
  ['by a transform, two buckets', 100, 2, 2000],
  ['function by function', 12, 13, 3000],
  ['message by message', 30, 5, 3],
  ['message by message, too many functions for a table', 3, 1009, 300],
])('local hashing: support is counted %s', (_, domain, hashRange, users) => {
  const oracle = localHashing({ domain, epsilon0: 1, hashRange });
  const stream = RandomStream.fromSeed('direct');
  const messages = oracle.allocate(users);
  oracle.randomizeInto(
    Uint32Array.from({ length: users }, (__, i) => i % domain),
    messages,
    stream,
  );
  const { seed, bucket } = messages.columns;
  const direct = range(domain).map(
    (v) => range(users).filter((i) => oracle.family.hash(seed[i]!, v) === bucket[i]).length,
  );
  expect(Array.from(oracle.supportCounts(asShuffled(messages as unknown as Messages) as never))).toEqual(
    direct,
  );
});

test.each([
  [1024, 2],
  [1024, 3],
  [5000, 7],
  [300, 23],
  [20, 251],
  [20, 257],
])('local hashing: users hash as the analyzer does, d = %d, l = %d', (domain, hashRange) => {
  // At so large a budget every bucket sent is the true one.
  const oracle = localHashing({ domain, epsilon0: 600, hashRange });
  const users = 5000;
  const messages = oracle.allocate(users);
  const values = Uint32Array.from({ length: users }, (_, i) => (i * 37) % domain);
  oracle.randomizeInto(values, messages, RandomStream.fromSeed('hash'));
  const { seed, bucket } = messages.columns;
  expect(Array.from(bucket)).toEqual(Array.from(values, (value, i) => oracle.family.hash(seed[i]!, value)));
  const shares = new Float64Array(hashRange);
  for (const b of bucket) shares[b]!++;
  expect(
    chiSquareTest(
      shares,
      shares.map(() => users / hashRange),
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
});

test.each([2, 3, 1024, 5000, 2 ** 16, 2 ** 20])(
  'local hashing: the default functions of %d values fit 32 bits at any budget',
  (domain) => {
    for (const epsilon0 of [0.1, 1, 3, 4.5, 6, 50])
      expect(localHashing({ domain, epsilon0 }).family.size).toBeLessThanOrEqual(2 ** 32);
  },
);

test.each([
  [31, 3, 'from a list'],
  [32, 2, 'from a list'],
  [32, 30, 'from a list'],
  [32, 16, 'one by one'],
  [33, 4, 'one by one'],
])('subset selection: rows of %d categories have %d of them, drawn %s', (domain, subsetSize) => {
  const oracle = subsetSelection({ domain, epsilon0: 1, subsetSize });
  const users = 40_000;
  const messages = oracle.allocate(users);
  const value = domain - 2;
  oracle.randomizeInto(new Uint32Array(users).fill(value), messages, RandomStream.fromSeed('rows'));
  const columns = Object.values(messages.columns);
  for (let i = 0; i < users; i++) {
    const ones = columns.map((column) => column[i]!.toString(2).replaceAll('0', '').length);
    if (total(ones) !== subsetSize) expect(ones).toBe(subsetSize);
  }
  const { own, other } = oracle.supportProbability;
  const counts = oracle.supportCounts(asShuffled(messages as unknown as Messages) as never);
  counts.forEach((count, v) => {
    const p = v === value ? own : other;
    expect(zTest(count, users * p, Math.sqrt(users * p * (1 - p)))).toBeGreaterThan(SIGNIFICANCE);
  });
});

test('Hadamard: further draws decide where the bits of the coin equal the probability', () => {
  const domain = 1000;
  const oracle = hadamardResponse({ domain, epsilon0: 1 });
  const indexBits = 10;
  const digits = oracle.supportProbability.own * 2 ** (32 - indexBits);
  const coin = Math.floor(digits);
  const messages = oracle.allocate(1);
  const stream = RandomStream.fromSeed('undecided');
  const agree = (word: number): boolean => {
    oracle.randomizeInto(Uint32Array.of(6), messages, aim(stream, word));
    return oracle.logProbability!([messages.columns.value[0]!], 6) > -Math.log(oracle.order);
  };
  let agreed = 0;
  const trials = 20_000;
  for (let index = 0; index < trials; index++) {
    const low = index % oracle.order;
    expect(agree((coin - 1) * 2 ** indexBits + low)).toBe(true);
    expect(agree((coin + 1) * 2 ** indexBits + low)).toBe(false);
    if (agree(coin * 2 ** indexBits + low)) agreed++;
  }
  const share = digits - coin;
  expect(zTest(agreed, trials * share, Math.sqrt(trials * share * (1 - share)))).toBeGreaterThan(
    SIGNIFICANCE,
  );
});
