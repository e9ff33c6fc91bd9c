/** PCKV-GRR and sampled RAPPOR, by listing inputs and messages. */
import { describe, expect, test } from 'vitest';
import { RandomStream, type HeldSets, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest, zTest } from '@shuffle-dp/core/testkit';
import { pckvGrr, sampledRappor } from '@shuffle-dp/randomizers';
import { constantOf, firstOrderConstant, range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the some 50 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

const asShuffled = (messages: unknown): ShuffledMessages<never> => messages as ShuffledMessages<never>;

const subsetsOf = (domain: number, size: number): number[][] =>
  range(2 ** domain)
    .map((row) => range(domain).filter((item) => (row >> item) & 1))
    .filter((items) => items.length === size);

const variationOf = (a: readonly number[], b: readonly number[]): number =>
  total(a.map((mass, y) => Math.max(0, mass - b[y]!)));

const ratioOf = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((mass, y) => mass / b[y]!));

const infimumOf = (laws: readonly number[][]): number[] =>
  laws[0]!.map((_, y) => Math.min(...laws.map((law) => law[y]!)));

describe.each([
  [4, 1, 1],
  [3, 2, 0.7],
  [2, 2, 2],
  [5, 2, 6],
])('PCKV-GRR, d = %d, s = %d, epsilon0 = %d', (domain, items, epsilon0) => {
  const mechanism = pckvGrr({ domain, items, epsilon0 });
  const lawOf = (keys: readonly number[], values: readonly number[]): number[] =>
    range(2 * domain).map((message) => Math.exp(mechanism.logProbability([message], keys, values)));
  const inputs = subsetsOf(domain, items).flatMap((keys) =>
    range(3 ** items).map((code) => ({
      keys,
      values: keys.map((_, i) => (Math.floor(code / 3 ** i) % 3) - 1),
    })),
  );
  const laws = inputs.map(({ keys, values }) => lawOf(keys, values));

  test('probabilities, ratio and total variation', () => {
    for (const law of laws) expect(total(law)).toBeCloseTo(1, 12);
    const { p, beta, q } = mechanism.amplification().variationRatio!;
    const pairs = laws.flatMap((a) => laws.map((b) => [a, b] as const));
    expect(Math.max(...pairs.map(([a, b]) => ratioOf(a, b))) / p).toBeCloseTo(1, 10);
    expect(Math.max(...pairs.map(([a, b]) => variationOf(a, b)))).toBeCloseTo(beta, 12);
    expect(q).toBe(p);
    const e = Math.exp(epsilon0);
    expect(beta).toBeCloseTo((items * (e - 1)) / (items * e + 2 * domain - items), 12);
  });

  /**
   * The laws of two inputs without a pair of the first or of each other: their own messages are likelier for
   * nobody else.
   */
  const threeApart = (first: readonly number[]): [number[], number[]] => {
    const most = Math.max(...first);
    const own = (law: readonly number[]): number[] =>
      range(law.length).filter((y) => law[y]! > most * (1 - 1e-9));
    const sharp = laws.filter((law) => own(law).length === items);
    for (const second of sharp)
      for (const third of sharp)
        if (new Set([first, second, third].flatMap(own)).size === 3 * items) return [second, third];
    throw new Error('no three inputs are apart');
  };

  test('the blanket is the infimum, lower bounds are laws', () => {
    const { blanket, homogeneous } = mechanism.amplification();
    const first = laws[0]!;
    // The same keys, with opposite values.
    const opposite = lawOf(
      inputs[0]!.keys,
      inputs[0]!.values.map((value) => -value),
    );
    const infimum = infimumOf(laws);
    expect(total(blanket[0]!.others)).toBeCloseTo(total(infimum), 12);
    expect(constantOf(blanket[0]!) / firstOrderConstant(first, opposite, infimum)).toBeCloseTo(1, 10);
    for (const atoms of homogeneous) {
      const { label } = atoms;
      // The victim's pairs, and a pair of inputs that share none of them nor of each other's.
      const [second, others] = label.includes('first')
        ? [opposite, first]
        : label.includes('other pairs')
          ? threeApart(first)
          : [opposite, laws.at(-1)!];
      expect(constantOf(atoms) / firstOrderConstant(first, second, others)).toBeCloseTo(1, 10);
    }
  });

  test('estimators are unbiased and their variances exact', () => {
    const users = 1;
    for (const { keys, values } of inputs) {
      const law = lawOf(keys, values);
      const moments = (estimate: (counts: Float64Array) => Float64Array): [Float64Array, Float64Array] => {
        const [mean, square] = [new Float64Array(domain), new Float64Array(domain)];
        law.forEach((mass, y) =>
          estimate(Float64Array.from(law, (_, z) => (z === y ? 1 : 0))).forEach((x, k) => {
            mean[k]! += mass * x;
            square[k]! += mass * x * x;
          }),
        );
        return [mean, square.map((x, k) => x - mean[k]! ** 2)];
      };
      const [frequency, frequencySpread] = moments((counts) => mechanism.estimateFrequencies(counts, users));
      const [value, valueSpread] = moments((counts) => mechanism.estimateValues(counts, users));
      for (const k of range(domain)) {
        const held = keys.includes(k) ? 1 : 0;
        const truth = held ? values[keys.indexOf(k)]! : 0;
        expect(frequency[k]).toBeCloseTo(held, 10);
        expect(value[k]).toBeCloseTo(truth, 10);
        expect(frequencySpread[k]! / mechanism.frequencyVariance(users, held)).toBeCloseTo(1, 9);
        expect(valueSpread[k]! / mechanism.valueVariance(users, held, truth ** 2)).toBeCloseTo(1, 9);
      }
    }
  });

  test('of many users together the variances are the means of their own over the users', () => {
    const users = inputs.length;
    for (const k of range(domain)) {
      const held = inputs.map(({ keys }) => (keys.includes(k) ? 1 : 0));
      const squares = inputs.map(({ keys, values }, i) => (held[i] ? values[keys.indexOf(k)]! ** 2 : 0));
      const [frequency, meanSquare] = [total(held) / users, total(squares) / users];
      const frequencySum = total(held.map((h) => mechanism.frequencyVariance(1, h)));
      const valueSum = total(held.map((h, i) => mechanism.valueVariance(1, h, squares[i]!)));
      expect((mechanism.frequencyVariance(users, frequency) * users * users) / frequencySum).toBeCloseTo(
        1,
        11,
      );
      expect((mechanism.valueVariance(users, frequency, meanSquare) * users * users) / valueSum).toBeCloseTo(
        1,
        11,
      );
    }
  });

  test('the sampler draws from the probabilities', () => {
    const users = 20_000;
    const keys = range(items);
    const values = keys.map((k) => 0.6 - k);
    const messages = mechanism.allocate(users);
    mechanism.randomizeInto(
      {
        users,
        keys: Uint16Array.from({ length: users * items }, (_, i) => keys[i % items]!),
        values: Float64Array.from({ length: users * items }, (_, i) => values[i % items]!),
      },
      messages,
      RandomStream.fromSeed('pckv').fork(domain),
    );
    const observed = mechanism.pairCounts(asShuffled(messages));
    expect(
      chiSquareTest(
        observed,
        lawOf(keys, values).map((mass) => mass * users),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
  });
});

describe.each([
  [6, 2, 6, 1],
  [6, 2, 2, 1],
  [5, 3, 4, 2],
  [4, 1, 4, 3],
  [3, 1, 1, 0.5],
])('sampled RAPPOR, d = %d, s = %d, padded to %d, epsilon0 = %d', (domain, items, paddedSize, epsilon0) => {
  const mechanism = sampledRappor({ domain, items, epsilon0, paddedSize });
  const inputs = subsetsOf(domain, items);
  const outputs = range(2 ** domain);
  const laws = inputs.map((items) => outputs.map((row) => Math.exp(mechanism.logProbability([row], items))));
  const [first, last] = [laws[0]!, laws.at(-1)!];

  test('probabilities, ratio, total variation and support', () => {
    const { own, other } = mechanism.supportProbability;
    laws.forEach((law, i) => {
      expect(total(law)).toBeCloseTo(1, 12);
      for (const item of range(domain)) {
        const support = total(law.filter((_, row) => (row >> item) & 1));
        expect(support).toBeCloseTo(inputs[i]!.includes(item) ? own : other, 12);
      }
    });
    const { variationRatio, printedVariationRatio } = mechanism.amplification();
    const { p, beta } = variationRatio!;
    const printed = printedVariationRatio!.beta;
    const pairs = laws.flatMap((a) => laws.map((b) => [a, b] as const));
    const [ratio, variation] = [
      Math.max(...pairs.map(([a, b]) => ratioOf(a, b))),
      Math.max(...pairs.map(([a, b]) => variationOf(a, b))),
    ];
    expect(ratio).toBeLessThanOrEqual(p * (1 + 1e-12));
    expect(variation).toBeLessThanOrEqual(beta * (1 + 1e-12));
    if (paddedSize === 1) expect(ratio / p).toBeCloseTo(1, 10);
    // The printed beta is valid, and the total variation itself for one item only; ours is that of disjoint
    // sets.
    expect(printed).toBeCloseTo((items / paddedSize) * Math.tanh(epsilon0 / 4), 14);
    if (items === 1) expect(variation / printed).toBeCloseTo(1, 10);
    else expect(variation / printed).toBeLessThan(0.99);
    if (2 * items <= domain) expect(variation / beta).toBeCloseTo(1, 10);
  });

  test('the blanket lies below all laws and bounds all pairs; lower bounds are laws', () => {
    const { blanket, homogeneous } = mechanism.amplification();
    const infimum = infimumOf(laws);
    const [atoms] = blanket;
    expect(total(atoms!.victim0)).toBeCloseTo(1, 12);
    expect(total(atoms!.others)).toBeLessThanOrEqual(total(infimum) * (1 + 1e-12));
    // Convex order of P/W - e^epsilon Q/W under W, which decides formula F1, with W as in the atoms for all
    // pairs.
    const share = total(atoms!.others);
    const flipped = (row: number): number => {
      const ones = range(domain).filter((v) => (row >> v) & 1).length;
      const flip = 1 / (1 + Math.exp(epsilon0 / 2));
      return share * flip ** ones * (1 - flip) ** (domain - ones);
    };
    for (const row of outputs) expect(flipped(row)).toBeLessThanOrEqual(infimum[row]! * (1 + 1e-12));
    const excess = (
      a: ArrayLike<number>,
      b: ArrayLike<number>,
      w: ArrayLike<number>,
      e: number,
      t: number,
    ): number => total(Array.from(w, (mass, y) => Math.max(0, a[y]! - e * b[y]! - t * mass)));
    for (const factor of [1, 1.5]) {
      for (const t of [-2, -0.4, 0, 0.2, 0.7, 2]) {
        const bound = excess(atoms!.victim0, atoms!.victim1, atoms!.others, factor, t);
        for (const law of laws)
          expect(excess(first, law, outputs.map(flipped), factor, t)).toBeLessThanOrEqual(bound + 1e-12);
      }
    }
    for (const { victim0, victim1, others, label } of homogeneous) {
      for (const masses of [victim0, victim1, others]) expect(total(masses)).toBeCloseTo(1, 12);
      // Coarser than the messages: the bits of items that the victim's sets do not tell apart are left out.
      const third = laws[inputs.findIndex((set) => set[0] === items)];
      // Without room for a third set, the others' is the one that is like both of the victim's and tells
      // most.
      const exact = label.includes('first')
        ? firstOrderConstant(first, last, first)
        : third
          ? firstOrderConstant(first, last, third)
          : Math.max(...laws.map((law) => firstOrderConstant(first, last, law)));
      expect(firstOrderConstant(victim0, victim1, others) / exact).toBeLessThan(1 + 1e-10);
      expect(firstOrderConstant(victim0, victim1, others) / exact).toBeGreaterThan(0.8);
      if (label.includes('first') && 2 * items <= domain)
        expect(firstOrderConstant(victim0, victim1, others) / exact).toBeCloseTo(1, 10);
    }
  });

  test('the sampler draws from the probabilities, and counts are estimated', () => {
    const users = 20_000;
    const set = inputs[1]!;
    const data: HeldSets = {
      kind: 'sets',
      users,
      domain,
      items,
      rows: Uint16Array.from({ length: users * items }, (_, i) => set[i % items]!),
      histogram: Float64Array.from({ length: domain }, (_, v) => (set.includes(v) ? users : 0)),
    };
    const stream = RandomStream.fromSeed('sampled-rappor').fork(domain).fork(paddedSize);
    const messages = mechanism.allocate(users);
    mechanism.randomizeInto(data, messages, stream);
    const observed = new Float64Array(outputs.length);
    for (const row of messages.columns['w0']!) observed[row]!++;
    expect(
      chiSquareTest(
        observed,
        laws[1]!.map((mass) => mass * users),
      ).pValue,
    ).toBeGreaterThan(SIGNIFICANCE);
    const drawn = mechanism.sampleSupportCounts(data.histogram, users, stream);
    for (const counts of [mechanism.supportCounts(asShuffled(messages)), drawn]) {
      mechanism.estimate(counts, users).forEach((estimate, v) => {
        const truth = set.includes(v) ? 1 : 0;
        expect(zTest(estimate, truth, Math.sqrt(mechanism.variance(users, truth)))).toBeGreaterThan(
          SIGNIFICANCE,
        );
      });
    }
  });
});

test('refusals', () => {
  expect(() => pckvGrr({ domain: 3, items: 4, epsilon0: 1 })).toThrow('items = 4');
  expect(() => sampledRappor({ domain: 8, items: 3, epsilon0: 1, paddedSize: 2 })).toThrow(
    'paddedSize = 2: must be an integer from 3 to 8',
  );
});
