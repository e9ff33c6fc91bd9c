import { expect, test } from 'vitest';
import { privUnit } from '@shuffle-dp/randomizers';

// Where p = e^epsilon0 is large, in 2 dimensions 1 less the mean's length is (pi c)^2 / 6 + 1 / (c p) at a
// cap c, and in 3 it is c + 1 / (c p).
test.each([
  [2, 28, Math.cbrt(3 / (Math.PI * Math.PI * Math.exp(28))), Math.PI ** 2 / 3],
  [2, 40, Math.cbrt(3 / (Math.PI * Math.PI * Math.exp(40))), Math.PI ** 2 / 3],
  [3, 40, Math.exp(-20), 0],
  [3, 50, Math.exp(-25), 0],
])('PrivUnit: the best cap and its error in %d dimensions at %d', (dimensions, epsilon0, cap, square) => {
  const mechanism = privUnit({ dimensions, epsilon0 });
  expect(mechanism.cap / cap).toBeCloseTo(1, 4);
  const error = (square === 0 ? 2 * cap : square * cap * cap) + 2 / (cap * Math.exp(epsilon0));
  expect(mechanism.totalVariance(1) / error).toBeCloseTo(1, 4);
});

test.each([2, 3, 4, 5, 10])('PrivUnit: no mean is longer than 1 in %d dimensions', (dimensions) => {
  for (const epsilon0 of [10, 28, 40, 100, 700, 1000]) {
    const { meanLength, totalVariance } = privUnit({ dimensions, epsilon0 });
    expect(meanLength).toBeLessThan(1);
    expect(totalVariance(1)).toBeGreaterThan(0);
  }
});
