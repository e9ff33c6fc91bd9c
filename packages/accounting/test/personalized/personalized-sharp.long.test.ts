import { fc, test } from '@fast-check/vitest';
import { expect } from 'vitest';
import { boundOverTruth, laws, shares } from './mixed-budgets.ts';

test.prop([laws, shares(4), fc.double({ min: 0, max: 0.5, noNaN: true }), fc.constantFrom(1, 2, 8)], {
  numRuns: 400,
})('no parameters give less than the worst mixed data set', (rows, others, epsilon, mostLevels) => {
  expect(boundOverTruth(rows, others, epsilon, mostLevels)).toBeGreaterThanOrEqual(1 - 1e-12);
});
