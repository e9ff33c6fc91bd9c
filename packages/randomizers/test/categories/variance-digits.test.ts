/** Variances at budgets at which 1 less the probability of the own value is zero in doubles. */
import { expect, test } from 'vitest';
import {
  blockHadamardResponse,
  generalizedRandomizedResponse,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';

const domain = 6;
const epsilon0 = 80;
const q = Math.exp(-epsilon0);

// Of one message, which supports the value of its user but with this probability.
test.each([
  ['randomized response', generalizedRandomizedResponse({ domain, epsilon0 }), (domain - 1) * q],
  ['subsets of one', subsetSelection({ domain, epsilon0, subsetSize: 1 }), (domain - 1) * q],
  ['symmetric unary encoding', symmetricUnaryEncoding({ domain, epsilon0 }), Math.exp(-epsilon0 / 2)],
])('%s: a value that all hold is missed as often as the law says', (_name, oracle, missed) => {
  expect(oracle.variance(1, 1) / missed).toBeCloseTo(1, 12);
});

test.each([1, 2, 4])('Hadamard response with %d blocks', (blocks) => {
  const oracle = blockHadamardResponse({ domain, epsilon0, blocks });
  // With probability 2 B q the index is uniform. Then it scores 1 or -1 in one of B blocks, and 0 in others.
  expect(oracle.variance(1, 1, 1) / (2 * blocks * q * (1 + 1 / blocks))).toBeCloseTo(1, 12);
});
