/** The laws that every randomizer of one bounded number keeps. */
import { describe, expect, test } from 'vitest';
import {
  RandomStream,
  integrateSmooth,
  type MeanRandomizer,
  type ShuffledMessages,
  type ValueColumns,
} from '@shuffle-dp/core';
import { kolmogorovSmirnov, zTest } from '@shuffle-dp/core/testkit';
import { clipLaplace, gaussianMechanism, laplaceMechanism } from '@shuffle-dp/randomizers';
import { expectRatiosBetweenEnds } from '../laws/cell-ends.ts';
import { total } from '../laws/enumeration.ts';

/** A correct randomizer fails one of the some 200 statistical tests here with probability below 1e-4. */
const SIGNIFICANCE = 5e-7;

const RANDOMIZERS: [string, MeanRandomizer, outputs: [number, number]][] = [
  ['Laplace on [0, 1]', laplaceMechanism({ epsilon0: 1 }), [-45, 46]],
  ['Laplace on [-2, 3]', laplaceMechanism({ epsilon0: 4, inputRange: { low: -2, high: 3 } }), [-52, 53]],
  ['Gaussian on [0, 1]', gaussianMechanism({ sigma: 0.8 }), [-10, 11]],
  ['Gaussian on [-2, 3]', gaussianMechanism({ sigma: 9, inputRange: { low: -2, high: 3 } }), [-100, 101]],
  ...[0.01, 0.1, 0.5, 1, 3, 10].flatMap((epsilon0) =>
    (['rejection', 'inversion'] as const).map((sampler): [string, MeanRandomizer, [number, number]] => [
      `Clip-Laplace, epsilon0 = ${epsilon0}, by ${sampler}`,
      clipLaplace({ epsilon0, sampler, correction: sampler === 'rejection' ? 'user' : 'average' }),
      [-1, 1],
    ]),
  ),
  [
    'Clip-Laplace on [2, 5] with a shared shrinkage',
    clipLaplace({ epsilon0: 2, inputRange: { low: 2, high: 5 }, shrinkage: 0.1 }),
    [2, 5],
  ],
];

const inputsOf = ({ inputRange: { low, high } }: MeanRandomizer): number[] =>
  [0, 0.3, 0.5, 0.9, 1].map((share) => low + (high - low) * share);

/** The integral of f times the density, by pieces that do not cross the kink for any of the inputs. */
function integrate(
  randomizer: MeanRandomizer,
  input: number,
  [from, to]: readonly [number, number],
  f: (z: number) => number,
): number {
  const kink = kinkOf(randomizer, input, from, to);
  const piece = (a: number, b: number): number => {
    let sum = 0;
    const cells = 40;
    for (let i = 0; i < cells; i++)
      sum += integrateSmooth(
        (z) => f(z) * randomizer.density(z, input),
        a + ((b - a) * i) / cells,
        a + ((b - a) * (i + 1)) / cells,
        16,
      );
    return sum;
  };
  return piece(from, kink) + piece(kink, to);
}

/** Where the density is largest, by golden section on a unimodal function. */
function kinkOf(randomizer: MeanRandomizer, input: number, from: number, to: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  let [a, b] = [from, to];
  for (let step = 0; step < 90; step++) {
    const [x, y] = [b - ratio * (b - a), a + ratio * (b - a)];
    if (logDensity(randomizer, x, input) < logDensity(randomizer, y, input)) a = x;
    else b = y;
  }
  return (a + b) / 2;
}

function logDensity(randomizer: MeanRandomizer, output: number, input: number): number {
  return Math.log(randomizer.density(output, input));
}

const shuffledAs = (value: Float64Array): ShuffledMessages<ValueColumns> =>
  ({ columns: { value }, count: value.length }) as unknown as ShuffledMessages<ValueColumns>;

describe.each(RANDOMIZERS)('%s', (name, randomizer, outputs) => {
  const { low, high } = randomizer.inputRange;

  test('density, mean and variance agree by quadrature', () => {
    for (const input of inputsOf(randomizer)) {
      expect(integrate(randomizer, input, outputs, () => 1)).toBeCloseTo(1, 9);
      const mean = randomizer.mean(input);
      const spread = Math.sqrt(randomizer.variance(input));
      expect(Math.abs(integrate(randomizer, input, outputs, (z) => z - mean)) / spread).toBeLessThan(1e-9);
      expect(
        integrate(randomizer, input, outputs, (z) => (z - mean) ** 2) / randomizer.variance(input),
      ).toBeCloseTo(1, 9);
    }
  });

  test('no output tells inputs apart by more than e^epsilon0', () => {
    let largest = 0;
    for (let i = 0; i <= 60; i++) {
      const output = low + ((high - low) * (i - 10)) / 40;
      for (const a of inputsOf(randomizer))
        for (const b of inputsOf(randomizer)) {
          const [first, second] = [randomizer.density(output, a), randomizer.density(output, b)];
          if (first > 0) largest = Math.max(largest, Math.log(first / second));
        }
    }
    expect(largest).toBeLessThanOrEqual(randomizer.epsilon0 * (1 + 1e-12));
    if (randomizer.epsilon0 < Infinity && !name.includes('shrinkage') && !name.includes('rejection'))
      expect(largest).toBeGreaterThan(randomizer.epsilon0 * (1 - 1e-12));
  });

  test('the sampler draws from the density', () => {
    const stream = RandomStream.fromSeed('density').fork(name);
    const users = 20_000;
    for (const input of [low, low + 0.7 * (high - low)]) {
      const messages = randomizer.allocate(users);
      randomizer.randomizeInto(new Float64Array(users).fill(input), messages, stream);
      expect(messages.count).toBe(users);
      const cdf = cumulative(randomizer, input, outputs);
      expect(kolmogorovSmirnov(messages.columns.value, cdf)).toBeGreaterThan(SIGNIFICANCE);
      const mean = messages.columns.value.reduce((sum, z) => sum + z, 0) / users;
      expect(
        zTest(mean, randomizer.mean(input), Math.sqrt(randomizer.variance(input) / users)),
      ).toBeGreaterThan(SIGNIFICANCE);
    }
  });

  test('values outside the range are moved to its ends', () => {
    expect(randomizer.density(0.4 * low + 0.6 * high, high + 7)).toBe(
      randomizer.density(0.4 * low + 0.6 * high, high),
    );
    const draw = (value: number): number => {
      const messages = randomizer.allocate(1);
      randomizer.randomizeInto(Float64Array.of(value), messages, RandomStream.fromSeed('one'));
      return messages.columns.value[0]!;
    };
    expect(draw(low - 3)).toBe(draw(low));
    expect(draw(Number.NaN)).toBe(draw(low));
    expect(draw(high + 3)).toBe(draw(high));
  });

  test('the blanket is the infimum over all inputs and its cells hold what they say', () => {
    const profile = randomizer.amplification();
    const [atoms] = profile.blanket;
    expect(total(atoms!.victim0)).toBeCloseTo(1, 12);
    expect(total(atoms!.victim1)).toBeCloseTo(1, 12);
    expectRatiosBetweenEnds(atoms!);
    for (const { victim0, victim1, others } of profile.homogeneous) {
      for (const masses of [victim0, victim1, others]) expect(total(masses)).toBeCloseTo(1, 12);
    }
    const { variationRatio } = profile;
    if (variationRatio) {
      const variation = total(atoms!.victim0.map((mass, y) => Math.max(0, mass - atoms!.victim1[y]!)));
      expect(variation).toBeCloseTo(variationRatio.beta, 12);
    }
  });

  /** Convex order decides formula F1 for every number of users; see the head of output-cells. */
  test('the ends of the range are the worst pair for the blanket', () => {
    const full = name.includes('rejection')
      ? clipLaplace({ epsilon0: randomizer.epsilon0, correction: 'average' })
      : randomizer;
    if (name.includes('shrinkage')) return;
    const steps = 400;
    const reach = name.includes('Clip') ? 0 : 2;
    const grid = Array.from(
      { length: steps },
      (_, i) => low - reach * (high - low) + ((high - low) * (1 + 2 * reach) * (i + 0.5)) / steps,
    );
    const blanket = grid.map((z) => Math.min(full.density(z, low), full.density(z, high)));
    const weight = ((high - low) * (1 + 2 * reach)) / steps;
    const stopLoss = (a: number, b: number, expEpsilon: number, t: number): number =>
      weight *
      grid.reduce(
        (total, z, i) =>
          total + Math.max(0, full.density(z, a) - expEpsilon * full.density(z, b) - t * blanket[i]!),
        0,
      );
    const inside = [0, 0.2, 0.5, 0.7, 1].map((share) => low + share * (high - low));
    for (const expEpsilon of [1, 1.3, 4]) {
      for (const t of [0, 0.2, 0.5, 1, 2]) {
        const worst = stopLoss(low, high, expEpsilon, t);
        for (const a of inside)
          for (const b of inside)
            // The rule of midpoints with 400 cells is right to about 1e-4.
            expect(stopLoss(a, b, expEpsilon, t)).toBeLessThanOrEqual(worst + 2e-4);
      }
    }
  });
});

/** Distribution function by trapezia on a fine grid around the bulk. */
function cumulative(
  randomizer: MeanRandomizer,
  input: number,
  [from, to]: readonly [number, number],
): (z: number) => number {
  const size = 200_000;
  const step = (to - from) / size;
  const table = new Float64Array(size + 1);
  for (let i = 0; i < size; i++)
    table[i + 1] = table[i]! + step * randomizer.density(from + (i + 0.5) * step, input);
  return (z) => {
    const place = Math.min(size, Math.max(0, (z - from) / step));
    const cell = Math.min(size - 1, Math.floor(place));
    return table[cell]! + (place - cell) * (table[cell + 1]! - table[cell]!);
  };
}

describe('estimates of the mean', () => {
  const users = 40_000;
  const values = Float64Array.from({ length: users }, (_, i) => (i % 4 === 0 ? 0.9 : -0.6 + (i % 3) * 0.4));
  const truth = values.reduce((total, value) => total + value, 0) / users;

  test.each([
    ['laplace', laplaceMechanism({ epsilon0: 1, inputRange: { low: -1, high: 1 } }), 1],
    ['gaussian', gaussianMechanism({ sigma: 2, inputRange: { low: -1, high: 1 } }), 1],
    ...[0.05, 1, 6].map((epsilon0) => {
      const randomizer = clipLaplace({ epsilon0 });
      return [`clip-laplace ${epsilon0}`, randomizer, randomizer.shrinkage] as const;
    }),
  ] as const)('%s is unbiased', (name, randomizer, shrinkage) => {
    for (const value of [-1, -0.4, 0, 0.77, 1])
      expect(randomizer.mean(value)).toBeCloseTo(shrinkage * value, 12);
    const messages = randomizer.allocate(users);
    randomizer.randomizeInto(values, messages, RandomStream.fromSeed('mean').fork(name));
    const error =
      Math.sqrt(values.reduce((total, value) => total + randomizer.variance(value), 0)) / users / shrinkage;
    expect(zTest(randomizer.estimateMean(shuffledAs(messages.columns.value)), truth, error)).toBeGreaterThan(
      SIGNIFICANCE,
    );
  });

  test('calibration is the inverse of the mean function, and biased where values differ', () => {
    for (const epsilon0 of [0.01, 0.1, 1, 5, 10]) {
      const randomizer = clipLaplace({ epsilon0, correction: 'average' });
      for (let value = -1; value <= 1; value += 1 / 64)
        expect(randomizer.calibrate(randomizer.mean(value))).toBeCloseTo(value, 9);
      expect(randomizer.calibrate(2)).toBe(1);
    }
    const randomizer = clipLaplace({ epsilon0: 4, correction: 'average' });
    const average = (randomizer.mean(1) + randomizer.mean(1) + randomizer.mean(-1)) / 3;
    expect(Math.abs(randomizer.calibrate(average) - 1 / 3)).toBeGreaterThan(0.01);
  });
});

test('the exact local curve of the Gaussian mechanism', () => {
  const randomizer = gaussianMechanism({ sigma: 1 });
  const excess = (epsilon: number): number =>
    integrateSmooth(
      (z) => Math.max(0, randomizer.density(z, 0) - Math.exp(epsilon) * randomizer.density(z, 1)),
      -12,
      0.5 - epsilon,
      256,
    );
  for (const epsilon of [0, 0.5, 2]) expect(randomizer.localDelta(epsilon)).toBeCloseTo(excess(epsilon), 12);
});

test('first-order constants of the blanket atoms against closed forms', () => {
  const constant = (randomizer: MeanRandomizer, which: 'blanket' | 'homogeneous', entry = 0): number => {
    const { victim0, victim1, others } = randomizer.amplification()[which][entry]!;
    return others.reduce((total, w, y) => total + (w > 0 ? (victim0[y]! - victim1[y]!) ** 2 / w : 0), 0);
  };
  for (const epsilon0 of [0.1, 1, 3]) {
    const p = Math.exp(epsilon0);
    const laplace = laplaceMechanism({ epsilon0 });
    const blanket =
      ((p - 1) ** 2 + (p * p - Math.sqrt(p)) / 3 - 2 * (p - Math.sqrt(p)) + Math.sqrt(p) - 1) / p;
    expect(constant(laplace, 'blanket') / blanket).toBeCloseTo(1, 4);
    expect(constant(laplace, 'homogeneous', 1) / ((2 * p + 1 / (p * p)) / 3 - 1)).toBeCloseTo(1, 4);
  }
  for (const sigma of [0.5, 1, 10])
    expect(
      constant(gaussianMechanism({ sigma }), 'homogeneous', 1) / Math.expm1(1 / (sigma * sigma)),
    ).toBeCloseTo(1, 3);
});

test('refusals', () => {
  expect(() => laplaceMechanism({ epsilon0: 0 })).toThrow('epsilon0 = 0: must be a positive number');
  expect(() => laplaceMechanism({ epsilon0: 1, inputRange: { low: 1, high: 1 } })).toThrow(
    'inputRange.high = 1: must be above inputRange.low = 1',
  );
  expect(() => gaussianMechanism({ sigma: 0.01 })).toThrow('sigma = 0.01: must be at least 0.05');
  expect(() => clipLaplace({ epsilon0: 1, shrinkage: 0.9 })).toThrow('shrinkage = 0.9: must be in (0, ');
  expect(() => clipLaplace({ epsilon0: 1, correction: 'average', shrinkage: 0.1 })).toThrow('must be absent');
  expect(() => laplaceMechanism({ epsilon0: 1 }).estimateMean(shuffledAs(new Float64Array(0)))).toThrow(
    'the number of messages = 0',
  );
});
