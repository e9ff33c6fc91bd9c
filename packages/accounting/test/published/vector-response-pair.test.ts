import { expect, test } from 'vitest';
import { vectorResponsePair } from '../../src/published/vector-response-bound.ts';

// Total variations of rows of kept and flipped bits, by hand: one bit kept at 0.9 is 0.9 - 0.1; three bits
// kept at 3/4 are (27 - 9 + 27 - 1) / 64.
test.each([
  [1, 0.9, 0.8],
  [2, 0.75, 0.5],
  [3, 0.75, 0.6875],
])('beta of %d bits kept with probability %d', (sampled, keep, beta) => {
  expect(vectorResponsePair({ sampled, keep }).beta).toBeCloseTo(beta, 14);
});
