import { test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { DEVIATIONS, matrices, sharpAndEqual, SIZES } from './random-laws.ts';

describe('the sharp bound of random laws', () => {
  test.prop([matrices, SIZES, DEVIATIONS], { numRuns: 30, seed: 5 })(
    'is never below equal users, whose divergence is exact',
    (matrix, users, deviations) => {
      const { sharp, equal } = sharpAndEqual(matrix, users, deviations);
      expect(sharp).toBeGreaterThanOrEqual(equal * (1 - 1e-9));
    },
  );
});
