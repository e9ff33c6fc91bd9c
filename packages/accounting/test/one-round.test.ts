import { describe, expect, test } from 'vitest';
import { blanketEpsilon, certifiedDelta, certifiedEpsilon } from '@shuffle-dp/accounting';
import type { AmplificationProfile, LikelihoodAtoms } from '@shuffle-dp/core';
import { randomizedResponseAtoms } from './atoms/generalized-randomized-response.ts';
import { hadamardResponseAtoms } from './atoms/hadamard-response.ts';
import { laplaceAtoms } from './atoms/laplace.ts';
import { localHashingAtoms } from './atoms/local-hashing.ts';
import { subsetSelectionAtoms } from './atoms/subset-selection.ts';
import { symmetricUnaryEncodingAtoms } from './atoms/unary-encoding.ts';

function profileOf(blanket: LikelihoodAtoms, ...homogeneous: LikelihoodAtoms[]): AmplificationProfile {
  return { variationRatio: null, blanket: [blanket], homogeneous };
}

// Within 2 units of the last digit written; the values of randomized response also by summing over all
// counts.
describe('intervals at n = 10,000, delta = 1e-6', () => {
  const subset = (size: number, domain: number, epsilon0: number): AmplificationProfile =>
    profileOf(
      subsetSelectionAtoms(domain, size, epsilon0, 'blanket'),
      subsetSelectionAtoms(domain, size, epsilon0, 'third value'),
    );
  const response = (epsilon0: number): AmplificationProfile =>
    profileOf(
      randomizedResponseAtoms(16, epsilon0, 'blanket'),
      randomizedResponseAtoms(16, epsilon0, 'third value'),
    );
  const hashing = (range: number, epsilon0: number): AmplificationProfile =>
    profileOf(
      localHashingAtoms(range, epsilon0, 'blanket'),
      localHashingAtoms(range, epsilon0, 'third value'),
    );
  const hadamard = (epsilon0: number): AmplificationProfile =>
    profileOf(hadamardResponseAtoms(epsilon0, 'blanket'), hadamardResponseAtoms(epsilon0, 'sum'));
  const unary = (epsilon0: number): AmplificationProfile =>
    profileOf(
      symmetricUnaryEncodingAtoms(epsilon0, 'blanket'),
      symmetricUnaryEncodingAtoms(epsilon0, 'third value'),
    );
  const laplace = (epsilon0: number): AmplificationProfile =>
    profileOf(laplaceAtoms(epsilon0, 'blanket'), laplaceAtoms(epsilon0, 'first value'));

  test.each([
    ['randomized response, 16 values', 1, response(1), 0.01859, 0.01859],
    ['randomized response, 16 values', 2, response(2), 0.06749, 0.06749],
    ['randomized response, 16 values', 3, response(3), 0.17145, 0.17146],
    ['randomized response, 16 values', 4, response(4), 0.36158, 0.36159],
    ['4 of 16 values', 1, subset(4, 16, 1), 0.02808, 0.03038],
    ['34 of 128 values', 1, subset(34, 128, 1), 0.02702, 0.0298],
    ['15 of 128 values', 2, subset(15, 128, 2), 0.07467, 0.07884],
    ['2 of 128 values', 4, subset(2, 128, 4), 0.26804, 0.26919],
    ['hashing onto 4', 1, hashing(4, 1), 0.02673, 0.02934],
    ['hashing onto 8', 2, hashing(8, 2), 0.07493, 0.07968],
    ['Hadamard response', 1, hadamard(1), 0.02973, 0.02974],
    ['Hadamard response', 3, hadamard(3), 0.15525, 0.15631],
    ['unary encoding', 1, unary(1), 0.02648, 0.03069],
    ['unary encoding', 4, unary(4), 0.33651, 0.36107],
    ['Laplace noise', 1, laplace(1), 0.0313, 0.03784],
    ['Laplace noise', 4, laplace(4), 0.24451, 0.3281],
  ])('%s, epsilon0 = %d', (_, epsilon0, profile, lowest, highest) => {
    const { lower, upper } = certifiedEpsilon(profile, 10_000, 1e-6, { epsilon0 });
    expect(Math.abs(lower - lowest)).toBeLessThan(1e-5);
    expect(Math.abs(upper - highest)).toBeLessThan(1e-5);
  });
});

test('the interval falls with the number of users and never exceeds the local budget', () => {
  const profile = profileOf(
    randomizedResponseAtoms(4, 2, 'blanket'),
    randomizedResponseAtoms(4, 2, 'third value'),
  );
  let before = 2;
  for (const users of [1, 2, 10, 100, 1000, 1e6, 1e9]) {
    const { lower, upper } = certifiedEpsilon(profile, users, 1e-4, { epsilon0: 2 });
    expect(lower).toBeLessThanOrEqual(upper);
    expect(upper).toBeLessThanOrEqual(before * (1 + 1e-6));
    before = upper;
  }
});

test('delta at the certified epsilon is delta', () => {
  const profile = profileOf(laplaceAtoms(2, 'blanket'), laplaceAtoms(2, 'first value'));
  const { lower, upper } = certifiedEpsilon(profile, 20_000, 1e-7, { epsilon0: 2 });
  expect(certifiedDelta(profile, 20_000, upper).upper).toBeLessThanOrEqual(1e-7);
  expect(certifiedDelta(profile, 20_000, lower).lower).toBeGreaterThan(1e-7);
  expect(certifiedDelta(profile, 20_000, upper * 0.999).upper).toBeGreaterThan(1e-7);
  expect(certifiedDelta(profile, 20_000, 2, { epsilon0: 2 })).toEqual({ lower: 0, upper: 0 });
});

test('of several entries the worst decides', () => {
  const weak = randomizedResponseAtoms(4, 2, 'blanket');
  const strong = randomizedResponseAtoms(4, 1, 'blanket');
  const alone = blanketEpsilon([weak], 1000, 1e-6).upper;
  expect(blanketEpsilon([strong, weak], 1000, 1e-6).upper).toBe(alone);
  expect(blanketEpsilon([weak, strong], 1000, 1e-6).upper).toBe(alone);
});
