import { describe, expect, test } from 'vitest';
import { blanketDivergence, certifiedEpsilon } from '@shuffle-dp/accounting';
import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { randomizedResponseAtoms } from './atoms/generalized-randomized-response.ts';

/** E[(G_1 + … + G_n)_+]/n by summing over all counts of atoms. */
function byEnumeration(atoms: LikelihoodAtoms, users: number, epsilon: number): number {
  const expEpsilon = Math.exp(epsilon);
  const values: number[] = [];
  const weights: number[] = [];
  atoms.others.forEach((weight, y) => {
    values.push((atoms.victim0[y]! - expEpsilon * atoms.victim1[y]!) / weight);
    weights.push(weight);
  });
  values.push(0);
  weights.push(Math.max(0, 1 - weights.reduce((sum, weight) => sum + weight, 0)));
  let sum = 0;
  const place = (atom: number, left: number, value: number, probability: number): void => {
    if (atom === values.length - 1) {
      const mass = left === 0 ? 1 : weights[atom]! ** left;
      sum += probability * mass * Math.max(0, value);
      return;
    }
    let coefficient = 1;
    for (let count = 0; count <= left; count++) {
      place(
        atom + 1,
        left - count,
        value + count * values[atom]!,
        probability * coefficient * weights[atom]! ** count,
      );
      coefficient *= (left - count) / (count + 1);
    }
  };
  place(0, users, 0, 1);
  return sum / users;
}

describe('the value of formula F1 lies between both ends', () => {
  test.each([
    [3, 2, 1, 0.3],
    [3, 2, 2, 0.3],
    [3, 2, 20, 0.2],
    [4, 1, 40, 0.1],
    [16, 3, 30, 1],
    [3, 5, 25, 2.5],
  ])(
    'randomized response, d = %d, epsilon0 = %d, %d users, epsilon = %d',
    (domain, epsilon0, users, epsilon) => {
      for (const others of ['blanket', 'third value'] as const) {
        const atoms = randomizedResponseAtoms(domain, epsilon0, others);
        const exact = byEnumeration(atoms, users, epsilon);
        const { lower, upper } = blanketDivergence(atoms, users, epsilon);
        expect(lower).toBeLessThanOrEqual(exact * (1 + 1e-13));
        expect(upper).toBeGreaterThanOrEqual(exact * (1 - 1e-13));
        expect(upper - lower).toBeLessThan(1e-4 * exact);
        const fine = blanketDivergence(atoms, users, epsilon, { relativeGap: 1e-8 });
        expect(fine.upper - fine.lower).toBeLessThan(1e-6 * exact);
      }
    },
  );
});

test('certified intervals of randomized response, n = 10,000, delta = 1e-6', () => {
  // Lattices 16 times finer bracket these values to seven digits.
  const known = [
    [1, 0.018592],
    [3, 0.171457],
  ] as const;
  for (const [epsilon0, expected] of known) {
    const profile = {
      variationRatio: null,
      blanket: [randomizedResponseAtoms(16, epsilon0, 'blanket')],
      homogeneous: [randomizedResponseAtoms(16, epsilon0, 'third value')],
    };
    const { lower, upper } = certifiedEpsilon(profile, 10_000, 1e-6, { epsilon0 });
    expect(lower).toBeLessThanOrEqual(upper);
    expect(Math.abs(lower / expected - 1)).toBeLessThan(3e-4);
    expect(Math.abs(upper / expected - 1)).toBeLessThan(3e-4);
  }
});

test('the interval falls with the number of users and never exceeds the local budget', () => {
  const profile = (epsilon0: number) => ({
    variationRatio: null,
    blanket: [randomizedResponseAtoms(4, epsilon0, 'blanket')],
    homogeneous: [randomizedResponseAtoms(4, epsilon0, 'third value')],
  });
  let before = Infinity;
  for (const users of [1, 2, 10, 100, 1000]) {
    const { lower, upper } = certifiedEpsilon(profile(2), users, 1e-4, { epsilon0: 2 });
    expect(lower).toBeLessThanOrEqual(upper);
    expect(upper).toBeLessThanOrEqual(Math.min(2, before * (1 + 1e-9)));
    before = upper;
  }
});

test('infinite ratios: what nobody else shows is charged in full', () => {
  const clear: LikelihoodAtoms = {
    label: 'in the clear',
    victim0: Float64Array.of(0.3, 0, 0.7),
    victim1: Float64Array.of(0, 0.3, 0.7),
    others: Float64Array.of(0, 0, 1),
    symmetric: true,
  };
  for (const users of [1, 50]) {
    const { lower, upper } = blanketDivergence(clear, users, 1);
    expect(lower).toBeCloseTo(0.3, 9);
    expect(upper).toBeCloseTo(0.3, 9);
  }
});
