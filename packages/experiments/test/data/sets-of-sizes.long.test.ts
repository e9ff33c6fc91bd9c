// @module-tag long
/** Sets of different sizes among more blankets than the ordinary test lists. */
import { expect, it } from 'vitest';
import { listedEnds, SIZES } from './sets-within-bracket.ts';

it('dummy, 3 users, 3 blankets: within the certified bracket', () => {
  const { above, below, lower } = listedEnds('dummy', 3, 3);
  expect(above.largest).toBeLessThanOrEqual(SIZES.delta * (1 + 1e-9));
  expect(lower === 0 || below.largest >= SIZES.delta * (1 - 1e-9)).toBe(true);
  expect(below.ofSizes).toBeGreaterThan(SIZES.delta / 5);
});
