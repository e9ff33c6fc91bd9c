/** The Wheel and Collision mechanisms. */
import { describe, expect, test } from 'vitest';
import { RandomStream, type HeldSets, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest, kolmogorovSmirnov, zTest } from '@shuffle-dp/core/testkit';
import { collision, wheel, type SetFrequencyOracle } from '@shuffle-dp/randomizers';
import { FIELD } from '../../src/item-sets/polynomial-hash.ts';
import { range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the some 100 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

const sameSet = (domain: number, items: readonly number[], users: number): HeldSets => ({
  kind: 'sets',
  users,
  domain,
  items: items.length,
  rows: Uint16Array.from({ length: users * items.length }, (_, i) => items[i % items.length]!),
  histogram: Float64Array.from({ length: domain }, (_, v) => (items.includes(v) ? users : 0)),
});

/** Coefficients of a random function, and the log of how many functions there are. */
const randomFunction = (
  mechanism: { allocate(users: number): { columns: object } },
  stream: RandomStream,
): { coefficients: number[]; logSize: number } => {
  const independence = Object.keys(mechanism.allocate(1).columns).length - 1;
  return {
    coefficients: range(independence).map(() => stream.integerBelow(FIELD)),
    logSize: independence * Math.log(FIELD),
  };
};

const functionOf = (columns: Readonly<Record<string, Uint32Array>>, message: number): number[] =>
  range(Object.keys(columns).length - 1).map((j) => columns[`coefficient${j}`]![message]!);

const asShuffled = (messages: unknown): ShuffledMessages<never> => messages as ShuffledMessages<never>;

describe.each([
  ['wheel, s = 3', wheel({ domain: 9, items: 3, epsilon0: 1 })],
  ['wheel, long arcs', wheel({ domain: 6, items: 2, epsilon0: 2, length: 0.45 })],
  ['wheel, one item', wheel({ domain: 4, items: 1, epsilon0: 0.5, length: 0.3 })],
  ['collision, s = 3', collision({ domain: 9, items: 3, epsilon0: 1 })],
  ['collision, few buckets', collision({ domain: 6, items: 3, epsilon0: 2, buckets: 4 })],
  ['collision, one item', collision({ domain: 4, items: 1, epsilon0: 0.5, buckets: 3 })],
] as unknown as [string, SetFrequencyOracle<never>][])('%s', (name, mechanism) => {
  const { domain, items, epsilon0 } = mechanism;
  const stream = RandomStream.fromSeed('hashed').fork(name);
  const set = range(items).map((i) => domain - 1 - i);

  test('messages support items with the stated probabilities; estimates have the stated variance', () => {
    const users = 500;
    const trials = 60;
    const data = sameSet(domain, set, users);
    const sums = new Float64Array(domain);
    const squares = new Float64Array(domain);
    for (let trial = 0; trial < trials; trial++) {
      const messages = mechanism.allocate(users);
      mechanism.randomizeInto(data, messages, stream);
      const estimates = mechanism.estimate(mechanism.supportCounts(asShuffled(messages)), users);
      estimates.forEach((estimate, v) => {
        const error = estimate - (set.includes(v) ? 1 : 0);
        sums[v]! += error;
        squares[v]! += error * error;
      });
    }
    for (const v of range(domain)) {
      const variance = mechanism.variance(users, set.includes(v) ? 1 : 0);
      expect(zTest(sums[v]! / trials, 0, Math.sqrt(variance / trials))).toBeGreaterThan(SIGNIFICANCE);
      expect(zTest(squares[v]! / trials, variance, variance * Math.sqrt(2 / trials))).toBeGreaterThan(
        SIGNIFICANCE,
      );
    }
  });

  test('aggregated counts have the same means', () => {
    const users = 10_000;
    const { own, other } = mechanism.supportProbability;
    mechanism
      .sampleSupportCounts(sameSet(domain, set, users).histogram, users, stream)
      .forEach((count, v) => {
        const share = set.includes(v) ? own : other;
        expect(zTest(count, users * share, Math.sqrt(users * share * (1 - share)))).toBeGreaterThan(
          SIGNIFICANCE,
        );
      });
  });

  test('for every function probabilities sum to one and differ by at most e^epsilon0; the blanket holds', () => {
    const outputs = name.startsWith('wheel')
      ? range(4096).map((i) => i * 2 ** 19)
      : range((mechanism as unknown as { buckets: number }).buckets);
    const sets = [range(items), set];
    const [blanket] = mechanism.amplification().blanket;
    let largest = 0;
    for (let trial = 0; trial < 40; trial++) {
      const { coefficients, logSize } = randomFunction(mechanism, stream);
      // Densities against the uniform law.
      const laws = sets.map((set) =>
        outputs.map((y) => {
          const scale = name.startsWith('wheel') ? FIELD : outputs.length;
          return Math.exp(mechanism.logProbability([y, ...coefficients], set) + logSize) * scale;
        }),
      );
      // A point of the grid stands for 2^19 others: right to about an arc's two ends.
      const slack = name.startsWith('wheel') ? (4 * items) / 4096 : 1e-12;
      for (const law of laws) expect(Math.abs(total(law) / outputs.length - 1)).toBeLessThan(slack * 3);
      laws[0]!.forEach((mass, y) => (largest = Math.max(largest, mass / laws[1]![y]!)));
      const floor = total(blanket!.others);
      expect(Math.min(...laws.flat())).toBeGreaterThanOrEqual(floor * (1 - 1e-12));
      // What decides formula F1, the law of P/W - e^epsilon Q/W under W, is largest for the atoms in convex
      // order.
      for (const factor of [1, 1.4]) {
        for (const t of [-2, -0.5, 0, 0.3, 1, 2]) {
          const here =
            total(laws[0]!.map((mass, y) => Math.max(0, (mass - factor * laws[1]![y]!) / floor - t))) /
            outputs.length;
          const bound =
            total(
              range(blanket!.others.length).map((i) => {
                const w = blanket!.others[i]!;
                return w * Math.max(0, (blanket!.victim0[i]! - factor * blanket!.victim1[i]!) / w - t);
              }),
            ) / floor;
          expect(here).toBeLessThanOrEqual(bound + slack * 10);
        }
      }
    }
    expect(Math.log(largest)).toBeLessThanOrEqual(epsilon0 * (1 + 1e-12));
    if (items === 1 || name.includes('few'))
      expect(Math.log(largest)).toBeGreaterThan(epsilon0 * (1 - 1e-12));
  });

  test('masses of atoms sum to one', () => {
    const { blanket, homogeneous } = mechanism.amplification();
    for (const atoms of [...blanket, ...homogeneous]) {
      expect(total(atoms.victim0)).toBeCloseTo(1, 12);
      expect(total(atoms.victim1)).toBeCloseTo(1, 12);
    }
    for (const atoms of homogeneous) expect(total(atoms.others)).toBeCloseTo(1, 12);
  });
});

test.each([
  [2, 5, 6],
  [2, 4, 3],
  [1, 3, 3],
])('lower-bound atoms by listing all functions, s = %d, l = %d, d = %d', (items, buckets, domain) => {
  const mechanism = collision({ domain, items, epsilon0: 1.2, buckets });
  const own = Math.exp(1.2) / (items * Math.exp(1.2) + buckets - items);
  const sets = [0, domain - items, items].map((from) => range(items).map((i) => from + i));
  const disjoint = 3 * items <= domain;
  const cells = new Map<string, [number, number, number]>();
  const functions = buckets ** domain;
  for (let f = 0; f < functions; f++) {
    const held = sets.map((set) => new Set(set.map((item) => Math.floor(f / buckets ** item) % buckets)));
    for (let y = 0; y < buckets; y++) {
      const [a, b, c] = held.map((set) => (set.has(y) ? own : (1 - set.size * own) / (buckets - set.size)));
      const key = held
        .slice(0, disjoint ? 3 : 2)
        // Apart, the number of buckets tells how likely those of others are; sets that meet are told apart by
        // the bucket alone.
        .map((set) => set.has(y) || (2 * items <= domain && set.size))
        .join();
      const cell = cells.get(key) ?? [0, 0, 0];
      cells.set(key, [
        cell[0] + a! / functions,
        cell[1] + b! / functions,
        cell[2] + (disjoint ? c! : a!) / functions,
      ]);
    }
  }
  const { victim0, victim1, others } = mechanism.amplification().homogeneous[0]!;
  const order = (row: number[]): number[] => row.map((mass) => Math.round(mass / 1e5));
  const sorted = (rows: number[][]): number[] =>
    rows
      .toSorted((x, y) => {
        const [a, b] = [order(x), order(y)];
        return a[0]! - b[0]! || a[1]! - b[1]! || a[2]! - b[2]!;
      })
      .flat();
  const listed = sorted([...cells.values()].map((row) => row.map((mass) => mass * 1e11)));
  const made = sorted(
    range(others.length).map((i) => [victim0[i]!, victim1[i]!, others[i]!].map((mass) => mass * 1e11)),
  );
  expect(made.length).toBe(listed.length);
  // Now and then an item is in none of the buckets, with a probability below their number over the field's.
  const unlisted = (1e11 * domain * buckets) / FIELD;
  made.forEach((mass, i) => expect(Math.abs(mass - listed[i]!)).toBeLessThanOrEqual(unlisted));
});

test('given the function, points of the wheel follow the density', () => {
  const users = 20_000;
  const items = [1, 4, 6];
  const mechanism = wheel({ domain: 9, items: 3, epsilon0: 1.5, length: 0.2 });
  const messages = mechanism.allocate(users);
  mechanism.randomizeInto(sameSet(9, items, users), messages, RandomStream.fromSeed('points'));
  const { point } = messages.columns;
  const steps = 512;
  const ranks = Float64Array.from({ length: 2000 }, (_, i) => {
    // Distribution function by midpoints, at the point.
    let sum = 0;
    const own = functionOf(messages.columns, i);
    const logSize = own.length * Math.log(FIELD);
    for (let k = 0; k < steps; k++) {
      const place = Math.floor(((k + 0.5) / steps) * point[i]!);
      sum += Math.exp(mechanism.logProbability([place, ...own], items) + logSize);
    }
    return (sum / steps) * point[i]!;
  });
  expect(kolmogorovSmirnov(ranks, (x) => Math.min(1, Math.max(0, x)))).toBeGreaterThan(SIGNIFICANCE);
});

test('given the function, buckets follow the probabilities', () => {
  const users = 30_000;
  const items = [1, 4, 6];
  const buckets = 5;
  const mechanism = collision({ domain: 9, items: 3, epsilon0: 1.5, buckets });
  const messages = mechanism.allocate(users);
  mechanism.randomizeInto(sameSet(9, items, users), messages, RandomStream.fromSeed('buckets'));
  const { bucket } = messages.columns;
  // By the probability of the message that was sent, of the few there are: by how many buckets the items
  // have.
  const expected = new Map<number, number>();
  const observed = new Map<number, number>();
  for (let i = 0; i < users; i++) {
    const own = functionOf(messages.columns, i);
    const log = (b: number): number =>
      mechanism.logProbability([b, ...own], items) + own.length * Math.log(FIELD);
    const cell = (b: number): number => Math.round(1e6 * log(b));
    for (const b of range(buckets)) expected.set(cell(b), (expected.get(cell(b)) ?? 0) + Math.exp(log(b)));
    observed.set(cell(bucket[i]!), (observed.get(cell(bucket[i]!)) ?? 0) + 1);
  }
  const keys = [...expected.keys()];
  expect(keys.length).toBeGreaterThan(3);
  expect(
    chiSquareTest(
      keys.map((key) => observed.get(key) ?? 0),
      keys.map((key) => expected.get(key)!),
    ).pValue,
  ).toBeGreaterThan(SIGNIFICANCE);
});

test('default sizes have the least error', () => {
  const set = { domain: 40, items: 4, epsilon0: 1 };
  const errorOf = (mechanism: SetFrequencyOracle<never>): number =>
    4 * mechanism.variance(1, 1) + 36 * mechanism.variance(1, 0);
  const { length } = wheel(set);
  const { buckets } = collision(set);
  for (const factor of [0.9, 1.1])
    expect(errorOf(wheel({ ...set, length: length * factor }) as never)).toBeGreaterThan(
      errorOf(wheel(set) as never),
    );
  for (const step of [-1, 1])
    expect(errorOf(collision({ ...set, buckets: buckets + step }) as never)).toBeGreaterThanOrEqual(
      errorOf(collision(set) as never),
    );
});

test('refusals', () => {
  expect(() => wheel({ domain: 9, items: 3, epsilon0: 1, length: 0.34 })).toThrow('length = 0.34');
  expect(() => wheel({ domain: 9, items: 9, epsilon0: 1 })).toThrow('items = 9');
  expect(() => collision({ domain: 9, items: 3, epsilon0: 1, buckets: 3 })).toThrow('buckets = 3');
});
