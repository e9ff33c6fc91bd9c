import { describe, expect, test } from 'vitest';
import { RandomStream, type ShuffledMessages } from '@shuffle-dp/core';
import { chiSquareTest, zTest } from '@shuffle-dp/core/testkit';
import { vectorRandomizedResponse, type VectorColumns } from '@shuffle-dp/randomizers';
import { constantOf, firstOrderConstant, range, total } from '../laws/enumeration.ts';

/** A correct randomizer fails one of the some 40 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

/** All messages: words of s bits, with each increasing choice of coordinates. */
function messagesOf(dimensions: number, sampled: number): number[][] {
  const words = range(2 ** sampled);
  if (sampled === dimensions) return words.map((word) => [word]);
  const choices = range(2 ** dimensions)
    .map((set) => range(dimensions).filter((j) => ((set >> j) & 1) === 1))
    .filter((choice) => choice.length === sampled);
  return choices.flatMap((choice) => words.map((word) => [word, ...choice]));
}

const rowOf = (word: number, dimensions: number): Uint8Array =>
  Uint8Array.from({ length: dimensions }, (_, j) => (word >> j) & 1);

const asShuffled = (messages: unknown): ShuffledMessages<VectorColumns> =>
  messages as ShuffledMessages<VectorColumns>;

describe.each([
  [1, 1, 1],
  [4, 1, 0.5],
  [4, 3, 2],
  [5, 2, 1],
  [6, 6, 3],
  [12, 12, 6],
])('d = %d, s = %d, epsilon0 = %d', (dimensions, sampled, epsilon0) => {
  const randomizer = vectorRandomizedResponse({ dimensions, sampled, epsilon0 });
  const messages = messagesOf(dimensions, sampled);
  const law = (word: number): number[] =>
    messages.map((message) => Math.exp(randomizer.logProbability(message, rowOf(word, dimensions))));
  const opposite = 2 ** dimensions - 1;
  const inputs = dimensions > 6 ? [0, opposite, 0b101, 0b111111] : range(2 ** dimensions);
  const laws = new Map(inputs.map((word) => [word, law(word)]));
  const profile = randomizer.amplification();

  test('probabilities sum to one; the extreme ratio is e^epsilon0 and the total variation beta', () => {
    let [ratio, variation] = [0, 0];
    for (const p of laws.values()) {
      expect(total(p)).toBeCloseTo(1, 12);
      for (const q of laws.values()) {
        p.forEach((mass, y) => (ratio = Math.max(ratio, mass / q[y]!)));
        variation = Math.max(variation, total(p.map((mass, y) => Math.max(0, mass - q[y]!))));
      }
    }
    expect(Math.log(ratio)).toBeCloseTo(epsilon0, 10);
    expect(profile.variationRatio!.beta).toBeCloseTo(variation, 12);
    expect(profile.variationRatio!.q / ratio).toBeCloseTo(1, 10);
  });

  test('atoms are the pointwise infimum and the laws of inputs', () => {
    const [p, q] = [laws.get(0)!, laws.get(opposite)!];
    const infimum = p.map((mass, y) => Math.min(mass, ...[...laws.values()].map((other) => other[y]!)));
    const blanket = profile.blanket[0]!;
    if (dimensions <= 6) {
      expect(total(blanket.others)).toBeCloseTo(total(infimum), 12);
      expect(constantOf(blanket) / firstOrderConstant(p, q, infimum)).toBeCloseTo(1, 10);
    }
    const half = 2 ** dimensions - 2 ** Math.floor(dimensions / 2);
    for (const atoms of profile.homogeneous) {
      for (const masses of [atoms.victim0, atoms.victim1, atoms.others])
        expect(total(masses)).toBeCloseTo(1, 12);
      const third = atoms.label.includes('half') ? law(half) : p;
      expect(constantOf(atoms) / firstOrderConstant(p, q, third)).toBeCloseTo(1, 10);
    }
  });

  test('the blanket bounds every pair of inputs: the loss of opposite vectors is above in convex order', () => {
    if (dimensions > 6) return;
    const floor = Math.min(...laws.get(0)!);
    const stopLoss = (p: number[], q: number[], expEpsilon: number, t: number): number =>
      total(p.map((mass, y) => Math.max(0, mass - expEpsilon * q[y]! - t * floor)));
    for (const expEpsilon of [1, 1.5]) {
      for (const t of [-1, 0, 0.3, 1, 3]) {
        const worst = stopLoss(laws.get(0)!, laws.get(opposite)!, expEpsilon, t);
        for (const q of laws.values())
          expect(stopLoss(laws.get(0)!, q, expEpsilon, t)).toBeLessThanOrEqual(worst + 1e-12);
      }
    }
  });

  test('the estimator is unbiased and its variance exact, by enumeration', () => {
    for (const word of [0, opposite, 1]) {
      const p = law(word);
      const sums = new Float64Array(dimensions);
      const squares = new Float64Array(dimensions);
      messages.forEach((message, y) => {
        const batch = randomizer.allocate(1);
        Object.values(batch.columns).forEach((column, i) => (column[0] = message[i]!));
        batch.count = 1;
        randomizer.estimateMeans(asShuffled(batch)).forEach((estimate, j) => {
          sums[j]! += p[y]! * estimate;
          squares[j]! += p[y]! * estimate * estimate;
        });
      });
      rowOf(word, dimensions).forEach((bit, j) => {
        expect(sums[j]!).toBeCloseTo(bit, 10);
        expect((squares[j]! - bit) / randomizer.variance(1, bit)).toBeCloseTo(1, 10);
      });
    }
  });

  test('the sampler draws from the probabilities', () => {
    const users = 30_000;
    const stream = RandomStream.fromSeed('vector').fork(`${dimensions} ${sampled}`);
    const word = 0b100101 & opposite;
    const row = rowOf(word, dimensions);
    const values = new Uint8Array(users * dimensions);
    for (let user = 0; user < users; user++) values.set(row, user * dimensions);
    const batch = randomizer.allocate(users);
    randomizer.randomizeInto(values, batch, stream);
    const columns = Object.values(batch.columns);
    const index = new Map(messages.map((message, y) => [message.join(), y]));
    const observed = new Float64Array(messages.length);
    for (let user = 0; user < users; user++)
      observed[index.get(columns.map((column) => column[user]).join())!]!++;
    const expected = law(word).map((mass) => mass * users);
    expect(chiSquareTest(observed, expected).pValue).toBeGreaterThan(SIGNIFICANCE);
  });
});

test('32 of 500 coordinates: estimates of many users', () => {
  const [dimensions, users] = [500, 4000];
  const randomizer = vectorRandomizedResponse({ dimensions, sampled: 32, epsilon0: 32 });
  const values = Uint8Array.from({ length: users * dimensions }, (_, i) => (i % dimensions < 100 ? 1 : 0));
  const batch = randomizer.allocate(users);
  randomizer.randomizeInto(values, batch, RandomStream.fromSeed('many'));
  const estimates = randomizer.estimateMeans(asShuffled(batch));
  for (const [from, to, frequency] of [
    [0, 100, 1],
    [100, 500, 0],
  ] as const) {
    const mean = total(estimates.subarray(from, to)) / (to - from);
    // Coordinates compete for places, so their estimates are negatively correlated: the error is at most
    // this.
    const error = Math.sqrt(randomizer.variance(users, frequency) / (to - from));
    expect(zTest(mean, frequency, error)).toBeGreaterThan(SIGNIFICANCE);
  }
});

test('beta needs the floor: odd and even numbers of bits with one probability share it', () => {
  const beta = (sampled: number): number =>
    vectorRandomizedResponse({
      dimensions: sampled,
      sampled,
      epsilon0: 0.7 * sampled,
    }).amplification().variationRatio!.beta;
  expect(beta(3)).toBeCloseTo(beta(4), 13);
  expect(beta(7)).toBeCloseTo(beta(8), 13);
});

test('refusals', () => {
  const make = (dimensions: number, sampled: number, epsilon0 = 1) =>
    vectorRandomizedResponse({ dimensions, sampled, epsilon0 });
  expect(() => make(3, 4)).toThrow('sampled = 4: must be an integer from 1 to 3');
  expect(() => make(40, 33)).toThrow('sampled = 33');
  expect(() => make(3, 3, -1)).toThrow('epsilon0 = -1: must be a positive number');
  const randomizer = make(3, 2);
  expect(() =>
    randomizer.randomizeInto(new Uint8Array(4), randomizer.allocate(2), RandomStream.fromSeed('a')),
  ).toThrow('a multiple of 3');
});
