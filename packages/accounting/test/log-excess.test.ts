import { describe, expect, test } from 'vitest';
import { logExcess } from '@shuffle-dp/accounting';

describe('what a divergence is above a delta', () => {
  test.each([
    [1e-7, 1e-6, -Math.LN10],
    [1, 0, Infinity],
    [0, 0, 0],
    [1e-6, 1e-6, 0],
  ])('%d above %d is %d', (divergence, delta, excess) => {
    expect(logExcess(divergence, delta)).toBeCloseTo(excess, 12);
    expect(logExcess(divergence, delta, -Infinity)).toBeCloseTo(excess, 12);
  });

  test('has a floor where one is asked for, and none else', () => {
    expect(logExcess(0, 1)).toBe(-800);
    expect(logExcess(-1e-30, 1)).toBe(-800);
    expect(logExcess(0, 1, -Infinity)).toBe(-Infinity);
  });

  test('says of what is no number nothing', () => {
    expect(logExcess(NaN, 1e-6)).toBeNaN();
  });

  test('has the sign of the comparison, where logarithms are one', () => {
    for (const delta of [0.01, 1e-3, 1e-6, 0.4]) {
      const above = delta * (1 + Number.EPSILON);
      expect(above).toBeGreaterThan(delta);
      expect(logExcess(above, delta)).toBeGreaterThan(0);
      expect(logExcess(delta, above)).toBeLessThanOrEqual(0);
    }
  });
});
