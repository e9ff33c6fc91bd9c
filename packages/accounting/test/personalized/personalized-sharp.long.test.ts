import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundOverTruth, laws, shares } from './mixed-budgets.ts';

test('no parameters give less than the worst mixed data set', () => {
  fc.assert(
    fc.property(
      laws,
      shares(4),
      fc.double({ min: 0, max: 0.5, noNaN: true }),
      fc.constantFrom(1, 2, 8),
      (rows, others, epsilon, mostLevels) => {
        expect(boundOverTruth(rows, others, epsilon, mostLevels)).toBeGreaterThanOrEqual(1 - 1e-12);
      },
    ),
    {
      numRuns: 400,
    },
  );
});
