import { describe, expect, test } from 'vitest';
import { capThreshold } from '../../src/vectors/spherical-cap.ts';

/** By how much the share of a cap is off that has this edge in place of the true one. */
function shareOff(cap: number, threshold: number, truth: number): number {
  return Math.abs(threshold / truth - 1) * (0.5 - cap);
}

describe('the cap of a stated share', () => {
  test.each([0.25, 0.3, 0.49, 0.4999, 0.49999999, 0.499999999999])(
    'is that of space at a share of %d',
    (cap) => {
      expect(shareOff(cap, capThreshold(3, cap), 2 * (0.5 - cap))).toBeLessThan(3e-16);
    },
  );

  // Sixty digits: the share between 0 and the edge, 1/2 less the cap, solved by Newton's method.
  test.each([
    [10, 0.4999999, 8.5902924124066844086e-8],
    [1000, 0.499999999, 7.9326060013647607656e-11],
    [65_536, 0.46, 0.00039232369546003967151],
    [65_536, 0.499999, 9.7916287543226345008e-9],
    [65_536, 0.499999999999, 9.7914121469035183937e-15],
  ])('has its share to the last digit in %d dimensions at %d', (dimensions, cap, truth) => {
    expect(shareOff(cap, capThreshold(dimensions, cap), truth)).toBeLessThan(3e-16);
  });
});
