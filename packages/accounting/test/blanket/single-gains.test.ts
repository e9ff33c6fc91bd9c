import { expect, it } from 'vitest';
import { expectedPositiveSum } from '../../src/blanket/expected-positive-sum.ts';

it.each([2, 3, 5])('of %d copies one gains, and the others show no loss', (count) => {
  const [gains, loses] = [1e-9, 0.15];
  const law = {
    values: Float64Array.of(-3, 1),
    probabilities: Float64Array.of(loses, gains),
    magnitudes: Float64Array.of(3, 1),
    silent: 1 - gains - loses,
  };
  const { logScale, bracket } = expectedPositiveSum(law, count, 0.7, 'dilation');
  const one = count * gains;
  // That another gains as well changes nothing to these digits.
  const exact = one * (1 - loses) ** (count - 1);
  const scale = Math.exp(logScale);
  expect(bracket.lower * scale).toBeGreaterThan(exact * (1 - 1e-6));
  expect(bracket.lower * scale).toBeLessThanOrEqual(exact * (1 + 1e-6));
  expect(bracket.upper * scale).toBeGreaterThanOrEqual(exact);
  expect(bracket.upper * scale).toBeLessThan(one * (1 + 1e-6));
});
