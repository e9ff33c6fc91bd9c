/** Hadamard response with blocks, by listing values and indices. */
import { describe, expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest } from '@shuffle-dp/core/testkit';
import { blockHadamardResponse, hadamardResponse } from '@shuffle-dp/randomizers';
import { constantOf, firstOrderConstant, range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the 10 statistical tests here with probability below 1e-6. */
const SIGNIFICANCE = 1e-7;

const shuffledOf = (indices: readonly number[]): ShuffledMessages<never> =>
  ({
    columns: { value: Uint16Array.from(indices) },
    count: indices.length,
  }) as unknown as ShuffledMessages<never>;

describe.each([
  [6, 1, 1],
  [6, 1, 2],
  [11, 3, 4],
  [13, 2, 8],
  [5, 6, undefined],
])('d = %d, epsilon0 = %d, B = %s', (domain, epsilon0, blocks) => {
  const mechanism = blockHadamardResponse({ domain, epsilon0, ...(blocks === undefined ? {} : { blocks }) });
  const { order } = mechanism;
  const laws = range(domain).map((value) =>
    range(order).map((index) => Math.exp(mechanism.logProbability([index], value))),
  );
  const last = laws.at(-1)!;

  test('probabilities, ratio and total variation', () => {
    for (const law of laws) expect(total(law)).toBeCloseTo(1, 12);
    let [ratio, variation] = [0, 0];
    for (const a of laws)
      for (const b of laws) {
        ratio = Math.max(ratio, ...a.map((mass, y) => mass / b[y]!));
        variation = Math.max(variation, total(a.map((mass, y) => Math.max(0, mass - b[y]!))));
      }
    const { p, beta } = mechanism.amplification().variationRatio!;
    expect(ratio / p).toBeCloseTo(1, 10);
    expect(beta).toBeCloseTo(variation, 12);
    const e = Math.exp(epsilon0);
    const s = order / mechanism.blocks / 2;
    expect(beta).toBeCloseTo((s * (e - 1)) / (mechanism.blocks === 1 ? 2 : 1) / (s * e + order - s), 12);
  });

  test('blanket and lower bounds', () => {
    const infimum = range(order).map((y) => Math.min(...laws.map((law) => law[y]!)));
    const { blanket, homogeneous } = mechanism.amplification();
    // Smaller only where an index supports all values, of one block.
    expect(total(blanket[0]!.others)).toBeLessThanOrEqual(total(infimum) * (1 + 1e-12));
    if (mechanism.blocks > 1) expect(total(blanket[0]!.others)).toBeCloseTo(total(infimum), 12);
    const flat = range(order).map(() => total(blanket[0]!.others) / order);
    expect(constantOf(blanket[0]!) / firstOrderConstant(laws[0]!, last, flat)).toBeCloseTo(1, 10);
    for (const atoms of homogeneous) {
      expect(total(atoms.others)).toBeCloseTo(1, 12);
      const third = range(domain).find(
        (v) => ![0, mechanism.blockOf(domain - 1)].includes(mechanism.blockOf(v)),
      );
      const others = atoms.label.includes('first value')
        ? laws[0]!
        : laws[atoms.label.includes('another value of the block') ? 1 : third!]!;
      expect(constantOf(atoms) / firstOrderConstant(laws[0]!, last, others)).toBeCloseTo(1, 10);
    }
  });

  test('the estimator is unbiased and its variance exact', () => {
    const estimates = range(order).map((index) =>
      mechanism.estimate(mechanism.scores(shuffledOf([index])), 1),
    );
    laws.forEach((law, x) => {
      for (const v of range(domain)) {
        const mean = total(law.map((mass, y) => mass * estimates[y]![v]!));
        const square = total(law.map((mass, y) => mass * estimates[y]![v]! ** 2));
        expect(mean).toBeCloseTo(v === x ? 1 : 0, 10);
        const same = mechanism.blockOf(v) === mechanism.blockOf(x) ? 1 : 0;
        expect((square - mean ** 2) / mechanism.variance(1, v === x ? 1 : 0, same)).toBeCloseTo(1, 9);
      }
    });
  });

  test('the sampler draws from the probabilities', () => {
    const users = 20_000;
    const stream = RandomStream.fromSeed('block-hadamard').fork(order).fork(domain);
    for (const value of [0, domain - 1]) {
      const messages = mechanism.allocate(users);
      mechanism.randomizeInto(new Uint32Array(users).fill(value), messages, stream);
      const observed = new Float64Array(order);
      for (const index of messages.columns.value) observed[index]!++;
      expect(
        chiSquareTest(
          observed,
          laws[value]!.map((mass) => mass * users),
        ).pValue,
      ).toBeGreaterThan(SIGNIFICANCE);
    }
  });
});

test('one block is plain Hadamard response', () => {
  const [blocked, plain] = [
    blockHadamardResponse({ domain: 6, epsilon0: 1, blocks: 1 }),
    hadamardResponse({ domain: 6, epsilon0: 1 }),
  ];
  for (const value of range(6))
    for (const index of range(8))
      expect(blocked.logProbability([index], value)).toBeCloseTo(plain.logProbability!([index], value), 12);
});

test('refusals', () => {
  expect(() => blockHadamardResponse({ domain: 6, epsilon0: 1, blocks: 3 })).toThrow(
    'blocks = 3: must be a power of two',
  );
});
