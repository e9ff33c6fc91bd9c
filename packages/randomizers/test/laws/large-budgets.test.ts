/**
 * Large local budgets, where 1 minus a probability has no digits left: what accountants are told keeps its
 * ratios.
 */
import { describe, expect, test } from 'vitest';
import {
  blockHadamardResponse,
  collision,
  duchiMechanism,
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  pckvGrr,
  piecewiseMechanism,
  privUnit,
  subsetExponential,
  subsetSelection,
  symmetricUnaryEncoding,
  vectorRandomizedResponse,
  wheel,
} from '@shuffle-dp/randomizers';
import type { AmplificationProfile } from '@shuffle-dp/core';

const domain = 8;

const randomizers: readonly [
  name: string,
  make: (epsilon0: number) => { amplification: () => AmplificationProfile },
][] = [
  ['grr', (epsilon0) => generalizedRandomizedResponse({ domain, epsilon0 })],
  ['hadamard', (epsilon0) => hadamardResponse({ domain, epsilon0 })],
  ['block-hadamard', (epsilon0) => blockHadamardResponse({ domain, epsilon0 })],
  ['subset', (epsilon0) => subsetSelection({ domain, epsilon0, subsetSize: 2 })],
  ['binary-rr', (epsilon0) => symmetricUnaryEncoding({ domain, epsilon0 })],
  ['oue', (epsilon0) => optimizedUnaryEncoding({ domain, epsilon0 })],
  ['local hashing', (epsilon0) => localHashing({ domain, epsilon0 })],
  ['collision, one item', (epsilon0) => collision({ domain, epsilon0, items: 1, buckets: 7 })],
  ['collision, two items', (epsilon0) => collision({ domain, epsilon0, items: 2, buckets: 7 })],
  ['wheel, one item', (epsilon0) => wheel({ domain, epsilon0, items: 1, length: 0.1 })],
  ['wheel, two items', (epsilon0) => wheel({ domain, epsilon0, items: 2, length: 0.1 })],
  ['subset-exponential', (epsilon0) => subsetExponential({ domain, epsilon0, items: 2 })],
  ['pckv-grr', (epsilon0) => pckvGrr({ domain, epsilon0, items: 1 })],
  ['vector-rr, one bit', (epsilon0) => vectorRandomizedResponse({ dimensions: 6, sampled: 1, epsilon0 })],
  ['vector-rr, three bits', (epsilon0) => vectorRandomizedResponse({ dimensions: 6, sampled: 3, epsilon0 })],
  ['duchi', (epsilon0) => duchiMechanism({ epsilon0 })],
  ['piecewise', (epsilon0) => piecewiseMechanism({ epsilon0 })],
  ['priv-unit', (epsilon0) => privUnit({ dimensions: 3, epsilon0, cap: 0.2 })],
];

describe.each(randomizers)('%s', (_, make) => {
  test.each([30, 100, 300])('no two inputs are told apart by more than a budget of %d', (epsilon0) => {
    const { blanket, homogeneous, variationRatio } = make(epsilon0).amplification();
    expect(Math.log(variationRatio!.p) / epsilon0).toBeCloseTo(1, 12);
    for (const { victim0, victim1, others } of [...blanket, ...homogeneous]) {
      victim0.forEach((first, y) => {
        const [least, most] = [Math.min(first, victim1[y]!), Math.max(first, victim1[y]!)];
        // Products of two rare bits leave the doubles at budgets of 300.
        if (most < 1e-250) return;
        expect(Math.log(most / least) / epsilon0).toBeLessThan(1 + 1e-12);
        expect(Math.log(most / others[y]!) / epsilon0).toBeLessThan(1 + 1e-12);
      });
    }
    for (const { victim0, victim1, others } of blanket) {
      others.forEach((mass, y) => {
        expect(mass).toBeLessThanOrEqual(Math.min(victim0[y]!, victim1[y]!) * (1 + 1e-13));
      });
    }
  });
});

test('the least likely messages of Hadamard response keep their probability', () => {
  const { logProbability } = hadamardResponse({ domain: 3, epsilon0: 50 });
  // Index 1 disagrees with the row of value 0; half of the four indices do.
  expect(logProbability!([1], 0)).toBeCloseTo(-50 - Math.LN2, 12);
});

test.each([1, 34, 38, 100, 300])(
  'one category of a subset is randomized response, at a budget of %d',
  (epsilon0) => {
    const subset = subsetSelection({ domain, epsilon0, subsetSize: 1 });
    const response = generalizedRandomizedResponse({ domain, epsilon0 });
    expect(subset.supportProbability.other / response.supportProbability.other).toBeCloseTo(1, 14);
    expect(subset.variance(100, 0) / response.variance(100, 0)).toBeCloseTo(1, 14);
    expect(subset.variance(100, 0.3)).toBeCloseTo(response.variance(100, 0.3), 16);
  },
);
