/** The laws that every frequency oracle keeps. A new oracle is one line in the table. */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { chiSquareTest, twoSampleChiSquare, zTest } from '@shuffle-dp/core/testkit';
import {
  augmentedRandomizedResponse,
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import {
  constantOf,
  firstOrderConstant,
  messagesOf,
  probabilitiesOf,
  range,
  total,
  type AnyOracle,
} from './enumeration.ts';
import { type Messages, asShuffled, randomize } from './oracle-messages.ts';

const ORACLES: [string, AnyOracle][] = [
  ['GRR, d = 2', generalizedRandomizedResponse({ domain: 2, epsilon0: 1 })],
  ['GRR, d = 5', generalizedRandomizedResponse({ domain: 5, epsilon0: 0.7 })],
  ['GRR, d = 3, large budget', generalizedRandomizedResponse({ domain: 3, epsilon0: 6 })],
  ['augmented, d = 4', augmentedRandomizedResponse({ domain: 4, epsilon0: 1.2, informative: 0.6 })],
  ['augmented, d = 2', augmentedRandomizedResponse({ domain: 2, epsilon0: 2, informative: 0.3 })],
  ['SUE, d = 2', symmetricUnaryEncoding({ domain: 2, epsilon0: 1 })],
  ['SUE, d = 4', symmetricUnaryEncoding({ domain: 4, epsilon0: 1.3 })],
  ['OUE, d = 4', optimizedUnaryEncoding({ domain: 4, epsilon0: 0.8 })],
  ['subset, d = 6, k = 2', subsetSelection({ domain: 6, epsilon0: 1, subsetSize: 2 })],
  ['subset, d = 5, k = 4', subsetSelection({ domain: 5, epsilon0: 1, subsetSize: 4 })],
  ['subset, d = 2', subsetSelection({ domain: 2, epsilon0: 1 })],
  ['BLH, d = 5', localHashing({ domain: 5, epsilon0: 1, hashRange: 2 })],
  ['OLH, d = 6', localHashing({ domain: 6, epsilon0: 1 })],
  ['local hash, d = 4, l = 5', localHashing({ domain: 4, epsilon0: 1.5, hashRange: 5 })],
  ['Hadamard, d = 3', hadamardResponse({ domain: 3, epsilon0: 1 })],
  ['Hadamard, d = 6', hadamardResponse({ domain: 6, epsilon0: 2 })],
] as unknown as [string, AnyOracle][];

/** A correct oracle fails one of the some 50 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

/** Support counts of one message, which is 0 or 1 for every value. */
function supports(oracle: AnyOracle, message: readonly number[]): Float64Array {
  const messages = oracle.allocate(1) as unknown as Messages;
  Object.values(messages.columns).forEach((column, i) => (column[0] = message[i]!));
  messages.count = 1;
  return oracle.supportCounts(asShuffled(messages));
}

describe.each(ORACLES)('%s', (_, oracle) => {
  const { domain, epsilon0 } = oracle;
  const laws = probabilitiesOf(oracle);
  const messages = messagesOf(oracle);
  const profile = oracle.amplification();
  const p = Math.exp(epsilon0);

  test('probabilities sum to one', () => {
    for (const law of laws) expect(total(law)).toBeCloseTo(1, 12);
  });

  test('the largest ratio is e^epsilon0, the total variation beta, the ratio to others q', () => {
    let [ratio, variation] = [0, 0];
    for (const a of laws) {
      for (const b of laws) {
        a.forEach((mass, y) => (ratio = Math.max(ratio, mass / b[y]!)));
        variation = Math.max(variation, total(a.map((mass, y) => Math.max(0, mass - b[y]!))));
      }
    }
    expect(ratio / p).toBeCloseTo(1, 10);
    expect(profile.variationRatio!.p / p).toBeCloseTo(1, 12);
    expect(profile.variationRatio!.beta).toBeCloseTo(variation, 12);
    expect(profile.variationRatio!.q / p).toBeCloseTo(1, 12);
  });

  test('the blanket atoms are the pointwise infimum over all inputs', () => {
    const infimum = messages.map((__, y) => Math.min(...laws.map((law) => law[y]!)));
    for (const atoms of profile.blanket) {
      expect(total(atoms.victim0)).toBeCloseTo(1, 12);
      expect(total(atoms.victim1)).toBeCloseTo(1, 12);
      // Sound: nowhere more than the infimum. Fewer atoms are kept where a few messages have a larger
      // infimum: the row of all ones, the index that supports every value, functions that send all values to
      // one bucket.
      expect(total(atoms.others)).toBeLessThanOrEqual(total(infimum) * (1 + 1e-12));
      const exact = firstOrderConstant(laws[0]!, laws[1]!, infimum);
      const whole = oracle.name === 'grr' || oracle.name === 'subset';
      expect(total(atoms.others)).toBeGreaterThanOrEqual(whole ? total(infimum) * (1 - 1e-12) : 0);
      expect(constantOf(atoms) / exact).toBeGreaterThanOrEqual(1 - 1e-10);
      expect(constantOf(atoms) / exact).toBeLessThan(whole ? 1 + 1e-10 : 1.5);
    }
  });

  test('the homogeneous atoms are laws of inputs', () => {
    for (const atoms of profile.homogeneous) {
      expect(total(atoms.others)).toBeCloseTo(1, 12);
      const third = atoms.label.includes('first') ? [0] : range(domain).slice(2);
      // Three values in line, as some values of local hashing are, need not begin with the first two.
      const victims = atoms.label.includes('in line') ? [1, 2] : [0, 1];
      const constants = third.map((x) =>
        firstOrderConstant(laws[victims[0]!]!, laws[victims[1]!]!, laws[x]!),
      );
      // The atoms must be one of the inputs' laws, cut as finely as the likelihood ratios tell.
      expect(
        Math.min(...constants.map((constant) => Math.abs(constantOf(atoms) / constant - 1))),
      ).toBeLessThan(1e-10);
    }
  });

  test('the estimator is unbiased and its variance exact', () => {
    const { own, other } = oracle.supportProbability;
    laws.forEach((law, x) => {
      const mean = new Float64Array(domain);
      law.forEach((mass, y) =>
        supports(oracle, messages[y]!).forEach((count, v) => (mean[v] = mean[v]! + mass * count)),
      );
      mean.forEach((value, v) => expect(value).toBeCloseTo(v === x ? own : other, 12));
      oracle.estimate(mean, 1).forEach((value, v) => expect(value).toBeCloseTo(v === x ? 1 : 0, 11));
    });
    const gap = own - other;
    expect(oracle.variance(10, 0.3)).toBeCloseTo(
      (0.3 * own * (1 - own) + 0.7 * other * (1 - other)) / (10 * gap * gap),
      12,
    );
  });

  test('the sampler draws from the probabilities', () => {
    const stream = RandomStream.fromSeed('sampler').fork(_);
    const users = 30_000;
    const index = new Map(messages.map((message, y) => [message.join(), y]));
    for (const x of [0, domain - 1]) {
      const drawn = randomize(oracle, new Uint32Array(users).fill(x), stream);
      const columns = Object.values(drawn.columns);
      const observed = new Float64Array(messages.length);
      for (let i = 0; i < users; i++) {
        const y = index.get(columns.map((column) => column[i]!).join())!;
        observed[y] = observed[y]! + 1;
      }
      expect(
        chiSquareTest(
          observed,
          laws[x]!.map((mass) => mass * users),
        ).pValue,
      ).toBeGreaterThan(SIGNIFICANCE);
    }
  });

  test('both simulation paths give each count the same law', () => {
    const stream = RandomStream.fromSeed('paths').fork(_);
    const values = Uint32Array.from({ length: 12 }, (__, i) => (i < 7 ? 0 : i % domain));
    const histogram = new Float64Array(domain);
    for (const value of values) histogram[value] = histogram[value]! + 1;
    const [byMessages, aggregated] = [new Float64Array(13), new Float64Array(13)];
    for (let trial = 0; trial < 6000; trial++) {
      const counted = oracle.supportCounts(asShuffled(randomize(oracle, values, stream)))[0]!;
      byMessages[counted] = byMessages[counted]! + 1;
      const drawn = oracle.sampleSupportCounts(histogram, stream)[0]!;
      aggregated[drawn] = aggregated[drawn]! + 1;
    }
    expect(twoSampleChiSquare(byMessages, aggregated).pValue).toBeGreaterThan(SIGNIFICANCE);
  });
});

test.each([
  ['grr', generalizedRandomizedResponse({ domain: 300, epsilon0: 2 })],
  ['binary-rr', symmetricUnaryEncoding({ domain: 70, epsilon0: 2 })],
  ['subset', subsetSelection({ domain: 70, epsilon0: 1 })],
  ['hadamard', hadamardResponse({ domain: 70, epsilon0: 1 })],
  ['local-hash', localHashing({ domain: 70, epsilon0: 1 })],
] as unknown as [string, AnyOracle][])(
  '%s over many words and users: mean and variance of estimates',
  (name, oracle) => {
    const stream = RandomStream.fromSeed('large').fork(name);
    const { domain } = oracle;
    const users = 3000;
    const values = Uint32Array.from({ length: users }, (_, i) => (i % 3 === 0 ? domain - 1 : i % domain));
    const frequency = values.filter((value) => value === domain - 1).length / users;
    const trials = 200;
    let [sum, squares] = [0, 0];
    for (let trial = 0; trial < trials; trial++) {
      const estimate = oracle.estimate(
        oracle.supportCounts(asShuffled(randomize(oracle, values, stream))),
        users,
      )[domain - 1]!;
      sum += estimate - frequency;
      squares += (estimate - frequency) ** 2;
    }
    const variance = oracle.variance(users, frequency);
    expect(zTest(sum / trials, 0, Math.sqrt(variance / trials))).toBeGreaterThan(SIGNIFICANCE);
    expect(zTest(squares / trials, variance, variance * Math.sqrt(2 / trials))).toBeGreaterThan(SIGNIFICANCE);
  },
);

test('refusals', () => {
  expect(() => generalizedRandomizedResponse({ domain: 1, epsilon0: 1 })).toThrow(
    'domain = 1: must be an integer from 2',
  );
  expect(() => generalizedRandomizedResponse({ domain: 4, epsilon0: 0 })).toThrow(
    'epsilon0 = 0: must be a positive number',
  );
  expect(() => subsetSelection({ domain: 4, epsilon0: 1, subsetSize: 4 })).toThrow('subsetSize = 4');
  expect(() => localHashing({ domain: 4, epsilon0: 1, hashRange: 4 })).toThrow(
    'hashRange = 4: must be a prime from 2 to 65521',
  );
  expect(() => localHashing({ domain: 2 ** 20, epsilon0: 4, hashRange: 65_521 })).toThrow(
    'hashRange = 65521: must be less for a domain of 1048576',
  );
  expect(() => hadamardResponse({ domain: 4, epsilon0: Number.NaN })).toThrow('epsilon0 = NaN');
});
