/** Angles that are sums of two others have sines as good as their own. */
import { expect, it } from 'vitest';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { CharacteristicRows, ROW_ROUNDINGS } from '../../src/sharp/gains/characteristic-rows.ts';

const VALUES = [-7.25, -0.5, -1e-5, 3e-7, 0.02, 0.9, 4.5];

/** One value alone: what is summed is its 1 - cos and sin. */
function numbersOf(value: number, multiple: number, before: readonly number[] = []) {
  const law: LossLaw = {
    values: Float64Array.of(value),
    probabilities: Float64Array.of(1),
    magnitudes: Float64Array.of(Math.abs(value)),
  };
  const rows = CharacteristicRows.of(law, 0.013);
  const parts = new Float64Array(2);
  for (const k of before) rows.at(k, Float64Array.of(1), parts);
  rows.at(multiple, Float64Array.of(1), parts);
  return { versine: -parts[0]!, sine: parts[1]!, angle: multiple * rows.step * value };
}

it.each([1, 15, 16, 17, 31, 240, 255, 257, 1003, 4097])('of the %d-th multiple', (multiple) => {
  for (const value of VALUES) {
    const { versine, sine, angle } = numbersOf(value, multiple);
    // Of numbers as small as the angle, or its square, and of an angle that is rounded itself.
    const size = Math.min(2, Math.abs(angle));
    const rounding = 2 ** -53 * (ROW_ROUNDINGS + 4 * Math.abs(angle));
    expect(Math.abs(sine - Math.sin(angle))).toBeLessThanOrEqual(rounding * size);
    expect(Math.abs(versine - 2 * Math.sin(angle / 2) ** 2)).toBeLessThanOrEqual(
      rounding * Math.min(2, size * size),
    );
  }
});

it('of multiples beyond those that are kept, in any order', () => {
  const many = Array.from({ length: 300 }, (_, k) => k + 1);
  for (const multiple of [2003, 777, 2005, 2000, 3]) {
    const { sine, angle } = numbersOf(0.9, multiple, [...many, 999, 2001]);
    expect(Math.abs(sine - Math.sin(angle))).toBeLessThan(1e-14 * (1 + Math.abs(angle)));
  }
});
