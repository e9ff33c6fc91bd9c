import { expect, it } from 'vitest';
import { leastRelativeVariance, shareOfSquared } from '../../src/trials/error-measure.ts';

it('errors of normal estimates vary so much at least', () => {
  // Of independent standard normal errors: variance 2 over mean 1 for squares, 1 - 2/pi over 2/pi for
  // absolute values.
  expect(leastRelativeVariance('total-squared', 10)).toBeCloseTo(0.2, 15);
  expect(leastRelativeVariance('per-item', 10)).toBeCloseTo(0.2, 15);
  expect(leastRelativeVariance('total-variation', 10)).toBeCloseTo(0.05707963267948966, 15);
  expect(leastRelativeVariance('maximum', 10)).toBeCloseTo(0.05707963267948966, 15);
});

it('only squared errors follow from the squared error', () => {
  expect(shareOfSquared('per-item', 4)).toBe(0.25);
  expect(shareOfSquared('total-squared', 4)).toBe(1);
  expect(shareOfSquared('maximum', 4)).toBeNull();
  expect(shareOfSquared('total-variation', 4)).toBeNull();
});
