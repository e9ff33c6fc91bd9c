// @module-tag long
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOverTruth, MIXED_DATA } from '../mixed-budgets.ts';

test('no parameters give less than the worst mixed data set', () => {
  fc.assert(
    fc.property(...MIXED_DATA, (rows, others, epsilon, mostLevels) => {
      expect(boundOverTruth(rows, others, epsilon, mostLevels)).toBeGreaterThanOrEqual(1 - 1e-12);
    }),
    { numRuns: 400 },
  );
});
