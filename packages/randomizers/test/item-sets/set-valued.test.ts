import { describe, expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest, twoSampleChiSquare, zTest } from '@shuffle-dp/core/testkit';
import {
  poissonRandomizer,
  subsetExponential,
  type BitColumns,
  type ItemColumns,
} from '@shuffle-dp/randomizers';
import { constantOf, firstOrderConstant, range, total } from '../laws/enumeration.ts';
import { sets } from './held-sets.ts';

/** Correct code fails one of the tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

const subsetsOf = (domain: number, size: number): number[][] =>
  range(2 ** domain)
    .map((row) => range(domain).filter((item) => (row >> item) & 1))
    .filter((items) => items.length === size);

const asRow = (items: readonly number[]): number => items.reduce((row, item) => row | (1 << item), 0);

describe.each([
  [6, 2, 2, 1],
  [7, 2, 3, 0.5],
  [8, 3, 2, 2],
  [5, 3, 1, 1],
  [4, 1, 2, 1],
])('subset exponential, d = %d, s = %d, k = %d, epsilon0 = %d', (domain, items, subsetSize, epsilon0) => {
  const mechanism = subsetExponential({ domain, items, epsilon0, subsetSize });
  const inputs = subsetsOf(domain, items);
  const outputs = subsetsOf(domain, subsetSize).map(asRow);
  const laws = inputs.map((items) => outputs.map((row) => Math.exp(mechanism.logProbability([row], items))));

  test('probabilities, ratio, total variation and support', () => {
    let [ratio, variation] = [0, 0];
    laws.forEach((law, i) => {
      expect(total(law)).toBeCloseTo(1, 12);
      const { own, other } = mechanism.supportProbability;
      for (const item of range(domain)) {
        const support = total(law.filter((_, y) => (outputs[y]! >> item) & 1));
        expect(support).toBeCloseTo(inputs[i]!.includes(item) ? own : other, 12);
      }
      for (const against of laws) {
        law.forEach((mass, y) => (ratio = Math.max(ratio, mass / against[y]!)));
        variation = Math.max(variation, total(law.map((mass, y) => Math.max(0, mass - against[y]!))));
      }
    });
    const { p, beta } = mechanism.amplification().variationRatio!;
    expect(ratio / Math.exp(epsilon0)).toBeCloseTo(1, 10);
    expect(p / Math.exp(epsilon0)).toBeCloseTo(1, 12);
    expect(beta).toBeCloseTo(variation, 12);
  });

  test('blanket and homogeneous atoms', () => {
    const infimum = outputs.map((_, y) => Math.min(...laws.map((law) => law[y]!)));
    const { blanket, homogeneous } = mechanism.amplification();
    // The pair that is furthest apart is the first input and the last: disjoint, or as nearly as can be.
    const [first, last] = [laws[0]!, laws.at(-1)!];
    expect(total(blanket[0]!.others)).toBeCloseTo(total(infimum), 12);
    expect(constantOf(blanket[0]!) / firstOrderConstant(first, last, infimum)).toBeCloseTo(1, 10);
    for (const atoms of homogeneous) {
      expect(total(atoms.others)).toBeCloseTo(1, 12);
      const constants = laws.map((law) => firstOrderConstant(first, last, law));
      expect(
        Math.min(...constants.map((constant) => Math.abs(constantOf(atoms) / constant - 1))),
      ).toBeLessThan(1e-10);
    }
  });

  test('the sampler draws from the probabilities', () => {
    const users = 40_000;
    const input = inputs[Math.floor(inputs.length / 2)]!;
    const data = sets(
      domain,
      range(users).map(() => input),
    );
    const messages = mechanism.allocate(users);
    mechanism.randomizeInto(data, messages, RandomStream.fromSeed(`privset ${domain} ${subsetSize}`));
    const observed = new Float64Array(outputs.length);
    for (const row of messages.columns['w0']!) {
      const y = outputs.indexOf(row);
      observed[y] = observed[y]! + 1;
    }
    const expected = outputs.map((row) => users * Math.exp(mechanism.logProbability([row], input)));
    expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });
});

test('subset exponential: both paths have the mean and variance of the formulas', () => {
  const mechanism = subsetExponential({ domain: 40, items: 4, epsilon0: 2 });
  const stream = RandomStream.fromSeed('privset paths');
  const rows = range(500).map((user) => [user % 10, 10 + (user % 10), 20 + (user % 10), 39]);
  const data = sets(40, rows);
  const trials = 300;
  const sums = { messages: 0, aggregated: 0 };
  const squares = { messages: 0, aggregated: 0 };
  for (let trial = 0; trial < trials; trial++) {
    const messages = mechanism.allocate(500);
    mechanism.randomizeInto(data, messages, stream);
    const counted = mechanism.supportCounts(messages as unknown as ShuffledMessages<BitColumns>);
    const drawn = mechanism.sampleSupportCounts(data.histogram, 500, stream);
    for (const [path, counts] of [
      ['messages', counted],
      ['aggregated', drawn],
    ] as const) {
      const error = mechanism.estimate(counts, 500)[3]! - 0.1;
      sums[path] += error;
      squares[path] += error * error;
    }
  }
  const variance = mechanism.variance(500, 0.1);
  for (const path of ['messages', 'aggregated'] as const) {
    expect(zTest(sums[path] / trials, 0, Math.sqrt(variance / trials))).toBeGreaterThan(SIGNIFICANCE);
    expect(zTest(squares[path] / trials, variance, variance * Math.sqrt(2 / trials))).toBeGreaterThan(
      SIGNIFICANCE,
    );
  }
});

describe.each([
  ['paper', 0.3, 1],
  ['paper', 2, 1],
  ['paper', 1.4, 1],
  ['poisson', 1.4, 1],
  ['negative-binomial', 1.4, 0.5],
  ['negative-binomial', 0.3, 0.15],
] as const)('Poisson randomizer, %s blankets, m = %d', (blankets, blanketRate, successProbability) => {
  const randomizer = poissonRandomizer({
    domain: 5,
    items: 2,
    rates: Float64Array.from([0.3, 0.8]),
    blanketRate,
    blankets,
    ...(successProbability < 1 ? { successProbability } : {}),
  });
  const rows = [
    [0, 1],
    [0, 2],
    [0, 3],
    [1, 4],
    [0, 4],
  ];
  const data = sets(5, rows, [0, 1, 1, 0, 1]);
  const levels = [Float64Array.from([1, 2, 0, 0, 1]), Float64Array.from([3, 0, 1, 1, 1])];

  test('both paths have one joint law', () => {
    const stream = RandomStream.fromSeed(`poisson ${blankets} ${blanketRate}`);
    const tables = { messages: new Map<string, number>(), aggregated: new Map<string, number>() };
    const trials = 20_000;
    for (let trial = 0; trial < trials; trial++) {
      const messages = randomizer.allocate(data.users);
      randomizer.randomizeInto(data, messages, stream);
      const counted = randomizer.supportCounts(messages as unknown as ShuffledMessages<ItemColumns>);
      const drawn = randomizer.sampleCounts(levels, data.users, stream);
      for (const [path, counts] of [
        ['messages', counted],
        ['aggregated', drawn],
      ] as const) {
        const key = `${Math.min(counts[0]!, 6)} ${Math.min(counts[1]!, 4)} ${total(counts) % 2}`;
        tables[path].set(key, (tables[path].get(key) ?? 0) + 1);
      }
    }
    const keys = [...new Set([...tables.messages.keys(), ...tables.aggregated.keys()])].sort();
    const column = (table: Map<string, number>): number[] => keys.map((key) => table.get(key) ?? 0);
    expect(twoSampleChiSquare(column(tables.messages), column(tables.aggregated)).pValue).toBeGreaterThan(
      SIGNIFICANCE,
    );
  });

  test('mean counts', () => {
    const stream = RandomStream.fromSeed(`means ${blankets} ${blanketRate}`);
    const trials = 8000;
    const sums = new Float64Array(5);
    for (let trial = 0; trial < trials; trial++) {
      randomizer.sampleCounts(levels, data.users, stream).forEach((count, j) => (sums[j] = sums[j]! + count));
    }
    const expected = [0.3 + 2.4, 0.6, 0.8, 0.8, 0.3 + 0.8].map((sent) => sent + (5 * blanketRate) / 5);
    expected.forEach((mean, j) =>
      expect(
        zTest(sums[j]! / trials, mean, Math.sqrt((mean + 1 / successProbability) / trials)),
      ).toBeGreaterThan(SIGNIFICANCE),
    );
  });
});

test('refusals', () => {
  const good = {
    domain: 5,
    items: 2,
    rates: Float64Array.of(0.5),
    blanketRate: 1,
    blankets: 'paper',
  } as const;
  expect(() => poissonRandomizer({ ...good, blanketRate: 0 })).toThrow(
    'blanketRate = 0: must be a positive number',
  );
  expect(() => poissonRandomizer({ ...good, blankets: 'negative-binomial' })).toThrow(
    'successProbability = undefined: must be in [0.01, 1)',
  );
  const messages = poissonRandomizer(good).allocate(1);
  const many = sets(
    5,
    range(1000).map(() => [0, 1]),
  );
  expect(() => poissonRandomizer(good).randomizeInto(many, messages, RandomStream.fromSeed('room'))).toThrow(
    'allocate more',
  );
  expect(() => poissonRandomizer({ ...good, rates: Float64Array.of(1.5) })).toThrow(
    'rates[0] = 1.5: must be in [0, 1]',
  );
  expect(() => poissonRandomizer({ ...good, items: 6 })).toThrow('items = 6');
  expect(() => subsetExponential({ domain: 4, items: 4, epsilon0: 1 })).toThrow('items = 4');
  // Every message would meet every set, and nothing could be estimated.
  expect(() => subsetExponential({ domain: 6, items: 4, epsilon0: 1, subsetSize: 3 })).toThrow(
    'subsetSize = 3: must be an integer from 1 to 2',
  );
});
