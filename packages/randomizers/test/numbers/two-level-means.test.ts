/** Duchi's mechanism, the piecewise mechanism and PrivUnit: means from messages with two likelihoods. */
import { describe, expect, test } from 'vitest';
import {
  RandomStream,
  integrateSmooth,
  logGamma,
  type MeanRandomizer,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { kolmogorovSmirnov, zTest } from '@shuffle-dp/core/testkit';
import { duchiMechanism, piecewiseMechanism, privUnit } from '@shuffle-dp/randomizers';
import { firstOrderConstant, range, total } from '../laws/enumeration.ts';

/** Correct code fails one of the some 100 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

const asShuffled = (messages: unknown): ShuffledMessages<never> => messages as ShuffledMessages<never>;

const inputsOf = ({ inputRange: { low, high } }: MeanRandomizer): number[] =>
  [0, 0.3, 0.5, 0.9, 1].map((share) => low + (high - low) * share);

/**
 * Messages with their weights: two points, or midpoints of cells so fine that edges of windows do not matter.
 */
function outputsOf(randomizer: MeanRandomizer): { points: number[]; weight: number } {
  const { outputs, outputRange } = randomizer as unknown as {
    outputs?: { low: number; high: number };
    outputRange?: { low: number; high: number };
  };
  if (outputs) return { points: [outputs.low, outputs.high], weight: 1 };
  const cells = 200_000;
  const weight = (outputRange!.high - outputRange!.low) / cells;
  return { points: range(cells).map((i) => outputRange!.low + (i + 0.5) * weight), weight };
}

describe.each([
  ['Duchi', duchiMechanism({ epsilon0: 1 }), Math.tanh(0.5)],
  ['Duchi on [2, 5]', duchiMechanism({ epsilon0: 3, inputRange: { low: 2, high: 5 } }), Math.tanh(1.5)],
  ['piecewise', piecewiseMechanism({ epsilon0: 1 }), 1 - Math.exp(-0.5)],
  ['piecewise, small budget', piecewiseMechanism({ epsilon0: 0.1 }), 1 - Math.exp(-0.05)],
  [
    'piecewise on [2, 5]',
    piecewiseMechanism({ epsilon0: 4, inputRange: { low: 2, high: 5 } }),
    1 - Math.exp(-2),
  ],
] as [string, MeanRandomizer, number][])('%s', (name, randomizer, beta) => {
  const { points, weight } = outputsOf(randomizer);
  const inputs = inputsOf(randomizer);
  const laws = inputs.map((input) => Float64Array.from(points, (z) => weight * randomizer.density(z, input)));
  const precision = points.length === 2 ? 1e-12 : 2e-4;
  const near = (value: number, truth: number): void =>
    expect(Math.abs(value / truth - 1)).toBeLessThan(precision);

  test('density, mean, variance, local budget and total variation', () => {
    const spread = Math.sqrt(randomizer.variance(inputs[2]!));
    laws.forEach((law, i) => {
      near(total(law), 1);
      const mean = law.reduce((sum, mass, y) => sum + mass * points[y]!, 0);
      expect(Math.abs(mean - inputs[i]!) / spread).toBeLessThan(precision);
      expect(randomizer.mean(inputs[i]!)).toBe(inputs[i]);
      const square = law.reduce((sum, mass, y) => sum + mass * (points[y]! - inputs[i]!) ** 2, 0);
      near(square, randomizer.variance(inputs[i]!));
    });
    let largest = 0;
    for (const a of laws)
      for (const b of laws) a.forEach((mass, y) => (largest = Math.max(largest, mass / b[y]!)));
    expect(Math.log(largest) / randomizer.epsilon0).toBeCloseTo(1, 12);
    const { variationRatio } = randomizer.amplification();
    expect(variationRatio!.beta).toBeCloseTo(beta, 12);
    near(total(laws[0]!.map((mass, y) => Math.max(0, mass - laws[4]![y]!))), beta);
  });

  test('the blanket is the infimum and the ends the worst pair; lower bounds are laws', () => {
    const { blanket, homogeneous } = randomizer.amplification();
    const [atoms] = blanket;
    const infimum = laws[0]!.map((_, y) => Math.min(...laws.map((law) => law[y]!)));
    const constant = firstOrderConstant(atoms!.victim0, atoms!.victim1, atoms!.others);
    near(
      constant,
      firstOrderConstant(
        laws[0]!,
        laws[4]!,
        new Float64Array(points.length).fill(total(atoms!.others) / points.length),
      ),
    );
    expect(total(atoms!.others)).toBeLessThanOrEqual(total(infimum) * (1 + 1e-9));
    if (name.startsWith('Duchi')) near(total(atoms!.others), total(infimum));
    for (const a of laws)
      for (const b of laws)
        expect(firstOrderConstant(a, b, infimum)).toBeLessThanOrEqual(constant * (1 + precision));
    for (const lower of homogeneous) {
      for (const masses of [lower.victim0, lower.victim1, lower.others])
        expect(total(masses)).toBeCloseTo(1, 12);
      const { label } = lower;
      const halfway = (inputs[2]! + inputs[4]!) / 2;
      const others = label.includes('halfway')
        ? Float64Array.from(points, (z) => weight * randomizer.density(z, halfway))
        : laws[label.includes('middle') ? 2 : 0]!;
      near(
        firstOrderConstant(lower.victim0, lower.victim1, lower.others),
        firstOrderConstant(laws[0]!, laws[4]!, others),
      );
    }
  });

  test('the sampler draws from the density, and means are unbiased', () => {
    const users = 20_000;
    const stream = RandomStream.fromSeed('two-level').fork(name);
    for (const k of [0, 1, 4]) {
      const messages = randomizer.allocate(users);
      randomizer.randomizeInto(new Float64Array(users).fill(inputs[k]!), messages, stream);
      const error = Math.sqrt(randomizer.variance(inputs[k]!) / users);
      expect(zTest(randomizer.estimateMean(asShuffled(messages)), inputs[k]!, error)).toBeGreaterThan(
        SIGNIFICANCE,
      );
      if (points.length === 2) {
        const ups = messages.columns.value.filter((z) => z === points[1]).length;
        const share = laws[k]![1]!;
        expect(zTest(ups, users * share, Math.sqrt(users * share * (1 - share)))).toBeGreaterThan(
          SIGNIFICANCE,
        );
        continue;
      }
      const table = new Float64Array(points.length + 1);
      laws[k]!.forEach((mass, y) => (table[y + 1] = table[y]! + mass));
      const cdf = (z: number): number => Math.min(1, table[Math.round((z - points[0]!) / weight + 0.5)]!);
      expect(kolmogorovSmirnov(messages.columns.value, cdf)).toBeGreaterThan(SIGNIFICANCE);
    }
  });

  test('values outside the range are moved to its ends', () => {
    const draw = (value: number): number => {
      const messages = randomizer.allocate(1);
      randomizer.randomizeInto(Float64Array.of(value), messages, RandomStream.fromSeed('one'));
      return messages.columns.value[0]!;
    };
    const { low, high } = randomizer.inputRange;
    expect(draw(low - 3)).toBe(draw(low));
    expect(draw(Number.NaN)).toBe(draw(low));
    expect(draw(high + 3)).toBe(draw(high));
  });
});

describe.each([
  [2, 1, 0.5],
  [2, 1, 0.1],
  [3, 2, 0.2],
  [4, 2, 0.01],
  [10, 4, undefined],
  [50, 1, undefined],
  [50, 8, 0.001],
])('PrivUnit in %d dimensions, epsilon0 = %d, cap %s', (dimensions, epsilon0, cap) => {
  const mechanism = privUnit({ dimensions, epsilon0, ...(cap === undefined ? {} : { cap }) });
  const { threshold } = mechanism;
  const half = (dimensions - 1) / 2;
  const logBeta = logGamma(half) + logGamma(0.5) - logGamma(half + 0.5);
  const vector = Float64Array.from({ length: dimensions }, (_, j) => (j % 3) - 0.8);
  const length = Math.hypot(...vector);
  const e = Math.exp(epsilon0);
  const area = mechanism.cap;
  const normaliser = area * e + 1 - area;
  /** Integral over the angle to the first axis of f against the law of its cosine. */
  const average = (f: (cosine: number) => number, from: number, to: number): number =>
    integrateSmooth(
      (angle) => f(Math.cos(angle)) * Math.exp((dimensions - 2) * Math.log(Math.sin(angle)) - logBeta),
      Math.acos(to),
      Math.acos(from),
      400,
    );

  test('cap, density and mean by quadrature', () => {
    expect(average(() => 1, threshold, 1) / area).toBeCloseTo(1, 9);
    const toVector = vector.map((x) => x / length);
    expect(mechanism.density(toVector, vector)).toBeCloseTo(e / normaliser, 9);
    expect(
      mechanism.density(
        toVector.map((x) => -x),
        vector,
      ),
    ).toBeCloseTo(1 / normaliser, 12);
    const mean = (average((t) => e * t, threshold, 1) + average((t) => t, -1, threshold)) / normaliser;
    expect(mechanism.meanLength / mean).toBeCloseTo(1, 8);
    const { beta } = mechanism.amplification().variationRatio!;
    expect(beta).toBeCloseTo((area * (e - 1)) / normaliser, 12);
  });

  test('the sampler draws from the density', () => {
    const users = 6000;
    const stream = RandomStream.fromSeed('priv-unit').fork(dimensions).fork(epsilon0);
    const messages = mechanism.allocate(users);
    mechanism.randomizeInto(
      Float64Array.from({ length: users * dimensions }, (_, i) => vector[i % dimensions]!),
      messages,
      stream,
    );
    const { direction } = messages.columns;
    const cosines = Float64Array.from(
      { length: users },
      (_, i) =>
        range(dimensions).reduce((sum, j) => sum + direction[i * dimensions + j]! * vector[j]!, 0) / length,
    );
    const cells = 4000;
    const table = new Float64Array(cells + 1);
    // By the angle from the far pole, whose law has no pole in two dimensions.
    for (let i = 0; i < cells; i++) {
      const angle = Math.PI * (1 - (i + 0.5) / cells);
      const weight = Math.exp((dimensions - 2) * Math.log(Math.sin(angle)) - logBeta);
      table[i + 1] =
        table[i]! + ((Math.PI / cells) * weight * (Math.cos(angle) >= threshold ? e : 1)) / normaliser;
    }
    const cdf = (t: number): number => {
      const place = (1 - Math.acos(Math.max(-1, Math.min(1, t))) / Math.PI) * cells;
      const cell = Math.min(cells - 1, Math.floor(place));
      return Math.min(1, table[cell]! + (place - cell) * (table[cell + 1]! - table[cell]!));
    };
    expect(kolmogorovSmirnov(cosines, cdf)).toBeGreaterThan(SIGNIFICANCE);
    const estimate = mechanism.estimateMean(asShuffled(messages));
    const square = range(dimensions).reduce((sum, j) => sum + (estimate[j]! - vector[j]! / length) ** 2, 0);
    const expected = mechanism.totalVariance(users);
    // A sum of squares of this many nearly normal errors, the one along the vector at most as wide as all
    // together.
    expect(square / expected).toBeLessThan(40);
    expect(square / expected).toBeGreaterThan(dimensions > 20 ? 0.1 : 1e-8);
    // Directions around the vector are uniform: the unbiased estimate of any other coordinate.
    const across = Float64Array.from({ length: dimensions }, (_, j) =>
      j === 0 ? vector[1]! : j === 1 ? -vector[0]! : 0,
    );
    const error =
      range(dimensions).reduce((sum, j) => sum + across[j]! * estimate[j]!, 0) / Math.hypot(...across);
    expect(zTest(error, 0, Math.sqrt(expected))).toBeGreaterThan(SIGNIFICANCE);
  });

  test('masses of atoms sum to one', () => {
    const { blanket, homogeneous } = mechanism.amplification();
    for (const atoms of [...blanket, ...homogeneous])
      for (const masses of [atoms.victim0, atoms.victim1]) expect(total(masses)).toBeCloseTo(1, 12);
    expect(total(blanket[0]!.others)).toBeCloseTo(1 / normaliser, 12);
    expect(total(homogeneous[0]!.others)).toBeCloseTo(1, 12);
  });
});

test('the default cap of PrivUnit has the least error', () => {
  const parameters = { dimensions: 30, epsilon0: 5 };
  const best = privUnit(parameters);
  for (const factor of [0.8, 1.2])
    expect(privUnit({ ...parameters, cap: best.cap * factor }).totalVariance(1)).toBeGreaterThan(
      best.totalVariance(1),
    );
});

test('PrivUnit: a row without direction stands for the first unit vector; length does not matter', () => {
  const draw = (row: number[]): Float64Array => {
    const mechanism = privUnit({ dimensions: 3, epsilon0: 1, cap: 0.25 });
    const messages = mechanism.allocate(1);
    mechanism.randomizeInto(Float64Array.from(row), messages, RandomStream.fromSeed('row'));
    return messages.columns.direction;
  };
  expect(draw([0, 0, 0])).toEqual(draw([1, 0, 0]));
  expect(draw([0, Number.NaN, 0])).toEqual(draw([1, 0, 0]));
  expect(draw([1e200, 0, 0])).toEqual(draw([1, 0, 0]));
});

test('refusals', () => {
  expect(() => duchiMechanism({ epsilon0: 0 })).toThrow('epsilon0 = 0');
  // Two outputs are all there are.
  expect(duchiMechanism({ epsilon0: 1 }).density(0, 0.3)).toBe(0);
  expect(() => piecewiseMechanism({ epsilon0: 1, inputRange: { low: 1, high: 1 } })).toThrow(
    'inputRange.high = 1',
  );
  expect(() => privUnit({ dimensions: 1, epsilon0: 1 })).toThrow('dimensions = 1');
  expect(() => privUnit({ dimensions: 3, epsilon0: 1, cap: 0.6 })).toThrow('cap = 0.6');
  // On the circle the edge of so small a cap has cosine 1.
  expect(() => privUnit({ dimensions: 2, epsilon0: 1, cap: 1e-12 })).toThrow('cap = 1e-12: must be in');
  expect(privUnit({ dimensions: 16, epsilon0: 1, cap: 1e-12 }).threshold).toBeLessThan(1);
});

describe('the masses of the piecewise mechanism at tiny budgets', () => {
  // (s - 1) / (s (1 + s)) with s = e^(epsilon0 / 2), and tanh(epsilon0 / 4), in fifty digits.
  test.each([
    [1e-9, 2.499999998750000156e-10, 2.5000000000000001557e-10],
    [1e-3, 2.4987502603906263539e-4, 2.4999999479166680208e-4],
  ])('have all their digits: %d', (epsilon0, outside, between) => {
    const { blanket, homogeneous } = piecewiseMechanism({ epsilon0 }).amplification();
    const { victim0, victim1, others } = blanket[0]!;
    for (const masses of [victim0, victim1, others])
      expect(Math.abs(masses[2]! / outside - 1)).toBeLessThan(8 * 2 ** -53);
    // Outputs that neither end makes likely are a window's from the middle, and no output is outside of all.
    const middle = homogeneous[0]!.others;
    expect(middle).toHaveLength(5);
    const high = 1 / (0.5 + 0.5 * Math.exp(-epsilon0) - 0.5 * between * -Math.expm1(-epsilon0));
    expect(Math.abs(middle[4]! / (between * high) - 1)).toBeLessThan(16 * 2 ** -53);
  });
});
