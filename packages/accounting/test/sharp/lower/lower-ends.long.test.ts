// @module-tag long
/**
 * 5,000 random mechanisms and numbers of users, in parts with seeds of their own that can be run alone: a
 * minute or two each.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEVIATIONS, matrices, sharpAndEqual, SIZES } from '../random-laws.ts';

const PARTS = Array.from({ length: 10 }, (_, part) => part);

describe.each(PARTS)('the sharp bound of random laws, part %i', (part) => {
  test('is never below equal users, whose divergence is exact', () => {
    fc.assert(
      fc.property(matrices, SIZES, DEVIATIONS, (matrix, users, deviations) => {
        const { sharp, equal } = sharpAndEqual(matrix, users, deviations);
        expect(sharp).toBeGreaterThanOrEqual(equal * (1 - 1e-9));
      }),
      { numRuns: 500, seed: 5 + part },
    );
  });
});
