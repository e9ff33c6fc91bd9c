/** The certified ends against the truth over all data sets of a few users. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blanketDivergence, certifiedDelta, variationRatioDivergence } from '@shuffle-dp/accounting';
import {
  blanketAtomsOf,
  exhaustiveDivergence,
  homogeneousAtomsOf,
  type RandomizerMatrix,
} from './oracle/exhaustive-divergence.ts';
import {
  hadamardResponseMatrix,
  randomizedResponseMatrix,
  subsetSelectionMatrix,
  unaryEncodingMatrix,
} from './oracle/randomizer-matrices.ts';
import { uniform } from '../../core/test/uniform.ts';

/** Rounding of the enumeration and of F1, relative. */
const ROUNDING = 1e-11;

function certifiedAndTrue(matrix: RandomizerMatrix, users: number, epsilon: number) {
  const profile = {
    variationRatio: null,
    blanket: blanketAtomsOf(matrix),
    homogeneous: homogeneousAtomsOf(matrix),
  };
  return {
    ...certifiedDelta(profile, users, epsilon),
    truth: exhaustiveDivergence(matrix, users, epsilon).delta,
    homogeneous: exhaustiveDivergence(matrix, users, epsilon, (others) =>
      others.every((value) => value === others[0]),
    ).delta,
  };
}

describe('lower end <= truth over all data sets <= upper end', () => {
  test.each([
    ['randomized response over 2 values', randomizedResponseMatrix(2, 1.5), [1, 2, 3, 6]],
    ['randomized response over 3 values', randomizedResponseMatrix(3, 1), [2, 3, 5]],
    ['randomized response over 4 values', randomizedResponseMatrix(4, 2), [2, 4]],
    ['2 of 4 values', subsetSelectionMatrix(4, 2, 1.2), [2, 3]],
    ['Hadamard response', hadamardResponseMatrix(1.4), [2, 4]],
    ['unary encoding', unaryEncodingMatrix(2), [2, 3]],
  ] as const)('%s', (_, matrix, userCounts) => {
    for (const users of userCounts) {
      for (const epsilon of [0, 0.2, 0.7, 1.1]) {
        const { lower, upper, truth, homogeneous } = certifiedAndTrue(matrix, users, epsilon);
        expect(lower).toBeLessThanOrEqual(truth * (1 + ROUNDING) + 1e-15);
        expect(upper).toBeGreaterThanOrEqual(truth * (1 - ROUNDING) - 1e-15);
        // F1 with the law of one value is not merely a bound but that data set's divergence.
        expect(Math.abs(lower - homogeneous)).toBeLessThanOrEqual(ROUNDING * homogeneous + 1e-15);
      }
    }
  });

  const entry = fc.oneof(fc.constant(0), fc.double({ min: 0.05, max: 1, noNaN: true }));
  const row = fc.array(entry, { minLength: 3, maxLength: 3 }).filter((weights) => Math.max(...weights) > 0);
  test('random matrices, zeros included', () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 3, maxLength: 3 }),
        fc.integer({ min: 1, max: 4 }),
        uniform(0, 2),
        (rows, users, epsilon) => {
          const matrix = rows.map((weights) => {
            const total = weights.reduce((sum, weight) => sum + weight, 0);
            return weights.map((weight) => weight / total);
          });
          const { lower, upper, truth, homogeneous } = certifiedAndTrue(matrix, users, epsilon);
          expect(lower).toBeLessThanOrEqual(truth * (1 + ROUNDING) + 1e-15);
          expect(upper).toBeGreaterThanOrEqual(truth * (1 - ROUNDING) - 1e-15);
          // F1 with the law of one value is not merely a bound but that data set's divergence.
          expect(Math.abs(lower - homogeneous)).toBeLessThanOrEqual(ROUNDING * homogeneous + 1e-15);
        },
      ),
      {
        seed: 7,
        numRuns: 80,
      },
    );
  });
});

describe('the variation-ratio pair is not an upper bound', () => {
  test.each([1, 2, 3])('randomized response over 3 values, two users, epsilon0 = %d', (epsilon0) => {
    const p = Math.exp(epsilon0);
    const matrix = randomizedResponseMatrix(3, epsilon0);
    const pair = { p, beta: (p - 1) / (p + 2), q: p };
    for (const share of [0.05, 0.5, 0.95]) {
      const expEpsilon = (p * p + 1) / (p + 1) + share * (p - (p * p + 1) / (p + 1));
      const epsilon = Math.log(expEpsilon);
      const claimed = variationRatioDivergence(pair, 2, epsilon);
      const byHand = (p - expEpsilon) / ((p + 2) * (p + 2));
      expect(claimed.upper / byHand).toBeCloseTo(1, 9);
      const worst = exhaustiveDivergence(matrix, 2, epsilon);
      expect(worst.delta / (p * byHand)).toBeCloseTo(1, 9);
      const blanket = Math.max(
        ...blanketAtomsOf(matrix).map((atoms) => blanketDivergence(atoms, 2, epsilon).upper),
      );
      expect(blanket).toBeGreaterThanOrEqual(worst.delta);
    }
  });

  test('randomized response over 4 values, five users: 160 times the claim', () => {
    const p = Math.exp(2);
    const claimed = variationRatioDivergence({ p, beta: (p - 1) / (p + 3), q: p }, 5, 1.9);
    const truth = exhaustiveDivergence(randomizedResponseMatrix(4, 2), 5, 1.9).delta;
    expect(claimed.upper).toBeCloseTo(1.07e-4, 6);
    expect(truth).toBeCloseTo(1.73e-2, 4);
  });
});
