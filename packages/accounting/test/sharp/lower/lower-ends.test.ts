import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEVIATIONS, matrices, sharpAndEqual, SIZES } from '../random-laws.ts';

describe('the sharp bound of random laws', () => {
  test('is never below equal users, whose divergence is exact', () => {
    fc.assert(
      fc.property(matrices, SIZES, DEVIATIONS, (matrix, users, deviations) => {
        const { sharp, equal } = sharpAndEqual(matrix, users, deviations);
        expect(sharp).toBeGreaterThanOrEqual(equal * (1 - 1e-9));
      }),
      // The long test has 5,000.
      { numRuns: 10, seed: 5 },
    );
  });
});
