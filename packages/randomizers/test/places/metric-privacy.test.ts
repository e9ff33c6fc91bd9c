/** Metric privacy: the planar Laplace mechanism and the laws of losses on the line and in the plane. */
import { describe, expect, test } from 'vitest';
import {
  RandomStream,
  integrateSmooth,
  type AmplificationProfile,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { kolmogorovSmirnov, zTest } from '@shuffle-dp/core/testkit';
import {
  generalMetricProfile,
  laplaceMechanism,
  lineLaplaceProfile,
  planarLaplace,
  planarLaplaceProfile,
} from '@shuffle-dp/randomizers';
import { expectRatiosBetweenEnds } from '../laws/cell-ends.ts';
import { total } from '../laws/enumeration.ts';

/** Correct code fails one of the 20 statistical tests here with probability below 1e-5. */
const SIGNIFICANCE = 1e-7;

/** u K1(u) by the integral of e^(-u cosh t) u cosh t. */
const besselTerm = (u: number): number => {
  let sum = 0;
  for (let k = 0; k < 140; k++)
    sum += integrateSmooth((t) => Math.exp(-u * Math.cosh(t)) * u * Math.cosh(t), k / 4, (k + 1) / 4, 12);
  return sum;
};

function expectConsistent(
  { variationRatio, blanket, homogeneous }: AmplificationProfile,
  reach: number,
): void {
  const [atoms] = blanket;
  for (const masses of [atoms!.victim0, atoms!.victim1, homogeneous[0]!.others])
    expect(total(masses)).toBeCloseTo(1, 12);
  const variation = total(atoms!.victim0.map((mass, y) => Math.max(0, mass - atoms!.victim1[y]!)));
  expect(variation / variationRatio!.beta).toBeCloseTo(1, 10);
  expect(total(atoms!.others) / (Math.exp(-reach) * (1 + variation))).toBeCloseTo(1, 10);
  expectRatiosBetweenEnds(atoms!);
}

describe.each([0.01, 0.5, 2, 10])('separation %d', (separation) => {
  const reach = 1.5 * separation;

  test('the line: masses, cells and total variation', () => {
    const profile = lineLaplaceProfile({ separation, reach });
    expectConsistent(profile, reach);
    const { p, beta, q } = profile.variationRatio!;
    expect(p).toBe(Math.exp(separation));
    expect(beta).toBeCloseTo(1 - Math.exp(-separation / 2), 14);
    expect(q).toBe(Math.exp(reach));
  });

  test('the plane: masses, cells, and total variation as an integral of a Bessel function', () => {
    const profile = planarLaplaceProfile({ separation, reach });
    expectConsistent(profile, reach);
    let beta = 0;
    const pieces = 8;
    for (let k = 0; k < pieces; k++)
      // In the square of u, at which u K1(u) has a logarithm.
      beta += integrateSmooth(
        (s) => besselTerm((s * s * separation) / 2) * s * separation,
        k / pieces,
        (k + 1) / pieces,
        16,
      );
    expect(profile.variationRatio!.beta / ((2 / Math.PI) * beta)).toBeCloseTo(1, 8);
  });

  test('the three inputs of the general lower end keep their distances', () => {
    const [atoms] = generalMetricProfile({ separation, reach }).homogeneous;
    const { victim0, victim1, others } = atoms!;
    const largest = (a: Float64Array, b: Float64Array): number =>
      Math.max(...a.map((mass, y) => Math.abs(Math.log(mass / b[y]!))));
    for (const masses of [victim0, victim1, others]) expect(total(masses)).toBeCloseTo(1, 12);
    expect(largest(victim0, victim1)).toBeCloseTo(separation, 10);
    expect(largest(victim0, others)).toBeCloseTo(reach, 10);
    expect(largest(victim1, others)).toBeCloseTo(reach, 10);
  });

  test('the general row is above both', () => {
    const { beta } = generalMetricProfile({ separation, reach }).variationRatio!;
    expect(beta).toBeCloseTo((Math.exp(separation) - 1) / (Math.exp(separation) + 1), 12);
    for (const profile of [lineLaplaceProfile, planarLaplaceProfile])
      expect(profile({ separation, reach }).variationRatio!.beta).toBeLessThan(beta);
  });
});

test('with all users between the two inputs the line is the Laplace mechanism', () => {
  const line = lineLaplaceProfile({ separation: 1, reach: 1 });
  const laplace = laplaceMechanism({ epsilon0: 1 }).amplification();
  expect(line.variationRatio!.beta).toBeCloseTo(laplace.variationRatio!.beta, 14);
  expect(line.variationRatio!.q).toBeCloseTo(laplace.variationRatio!.q, 14);
  // Knowing the law of the others, not the distances alone, gives more.
  expect(total(line.blanket[0]!.others)).toBeLessThan(total(laplace.blanket[0]!.others));
});

test('planar Laplace: distances, angles, means, and losses of messages', () => {
  const users = 20_000;
  const mechanism = planarLaplace({ epsilonPerUnit: 0.5, separation: 4, reach: 6 });
  expect(mechanism.epsilon0).toBe(2);
  const place = [3, -2] as const;
  const messages = mechanism.allocate(users);
  mechanism.randomizeInto(
    { x: new Float64Array(users).fill(place[0]), y: new Float64Array(users).fill(place[1]) },
    messages,
    RandomStream.fromSeed('plane'),
  );
  const { x, y } = messages.columns;
  const distances = x.map((value, i) => Math.hypot(value - place[0], y[i]! - place[1]));
  const distanceLaw = (r: number): number => 1 - (1 + r / 2) * Math.exp(-r / 2);
  expect(kolmogorovSmirnov(distances, distanceLaw)).toBeGreaterThan(SIGNIFICANCE);
  const angles = x.map((value, i) => Math.atan2(y[i]! - place[1], value - place[0]));
  expect(kolmogorovSmirnov(angles, (angle) => angle / (2 * Math.PI) + 0.5)).toBeGreaterThan(SIGNIFICANCE);
  const mean = mechanism.estimateMean(messages as unknown as ShuffledMessages<never>);
  const error = Math.sqrt(mechanism.variance / users);
  expect(zTest(mean.x, place[0], error)).toBeGreaterThan(SIGNIFICANCE);
  expect(zTest(mean.y, place[1], error)).toBeGreaterThan(SIGNIFICANCE);
  const mass = integrateSmooth((r) => 2 * Math.PI * r * mechanism.density(r), 0, 100, 128);
  expect(mass).toBeCloseTo(1, 10);
  // Losses of the messages against a place 4 units away, with the law of the atoms; its mass point by point
  // is small.
  const { victim0, cellEnds } = mechanism.amplification().blanket[0]!;
  const steps = Array.from(victim0, (weight, i) => ({
    loss: Math.log(cellEnds!.ratio0End[i]! / cellEnds!.ratio1End[i]!),
    weight,
  })).sort((a, b) => a.loss - b.loss);
  const losses = x.map((value, i) => {
    const other = Math.hypot(value - place[0] - 4, y[i]! - place[1]);
    return (other - distances[i]!) / 2;
  });
  for (const level of [-1.9, -1, 0, 0.7, 1.8]) {
    const share = steps.filter(({ loss }) => loss <= level).reduce((sum, { weight }) => sum + weight, 0);
    const below = losses.filter((loss) => loss <= level).length;
    // One cell more or less.
    const cell = 0.004;
    expect(Math.abs(below / users - share)).toBeLessThan(cell + 6 * Math.sqrt((share * (1 - share)) / users));
  }
});

test('refusals', () => {
  expect(() => lineLaplaceProfile({ separation: 2, reach: 1 })).toThrow(
    'reach = 1: must be from separation = 2',
  );
  expect(() => planarLaplace({ epsilonPerUnit: 0, separation: 1 })).toThrow('epsilonPerUnit = 0');
  expect(() => generalMetricProfile({ separation: 701, reach: 702 })).toThrow('separation = 701');
});

test.each([1e-6, 1.9099237719392325e-5, 0.01])(
  'no output is likelier by more than a separation of %d, however far away the others are',
  (separation) => {
    for (const { victim0, victim1 } of lineLaplaceProfile({ separation, reach: 520.9 }).homogeneous) {
      const logs = Array.from(victim0, (mass, y) => Math.abs(Math.log(mass / victim1[y]!)));
      expect(Math.max(...logs.filter((log) => log < Infinity)) - separation).toBeLessThan(4e-16);
    }
  },
);
