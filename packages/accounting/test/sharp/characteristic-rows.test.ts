/** Angles that are sums of two others have sines as good as their own. */
import { expect, it } from 'vitest';
import type { LossLaw } from '../../src/blanket/loss-law.ts';
import { CharacteristicRows, rowRoundings } from '../../src/sharp/gains/characteristic-rows.ts';

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

it.each([1, 3, 4, 15, 16, 17, 31, 240, 255, 257, 1003, 4097, 349_525, 1_048_575])(
  'of the %d-th multiple',
  (multiple) => {
    for (const value of VALUES) {
      const { versine, sine, angle } = numbersOf(value, multiple);
      // Of numbers as small as the angle, or its square, and of an angle that is rounded itself.
      const size = Math.min(2, Math.abs(angle));
      const rounding = 2 ** -53 * (rowRoundings(multiple) + 4 * Math.abs(angle));
      expect(Math.abs(sine - Math.sin(angle))).toBeLessThanOrEqual(rounding * size);
      expect(Math.abs(versine - 2 * Math.sin(angle / 2) ** 2)).toBeLessThanOrEqual(
        rounding * Math.min(2, size * size),
      );
    }
  },
);

it('of multiples whose numbers were written over by others', () => {
  const law: LossLaw = {
    values: Float64Array.from({ length: 190 }, (_, i) => (i - 90) / 40),
    probabilities: new Float64Array(190).fill(1 / 190),
    magnitudes: new Float64Array(190).fill(3),
  };
  const rows = CharacteristicRows.of(law, 0.011);
  const weights = law.probabilities;
  const [before, after] = [new Float64Array(2), new Float64Array(2)];
  rows.at(5, weights, before);
  // 190 values with two numbers each: a thousand and a half fit.
  for (let k = 1; k <= 2000; k++) {
    rows.at(k, weights, after);
    const [re, im] = [0, 1].map((part) =>
      law.values.reduce((sum, value, i) => {
        const angle = k * rows.step * value;
        return sum + weights[i]! * (part === 0 ? Math.cos(angle) - 1 : Math.sin(angle));
      }, 0),
    );
    expect(Math.abs(after[0]! - re!)).toBeLessThan(1e-13);
    expect(Math.abs(after[1]! - im!)).toBeLessThan(1e-13);
  }
  rows.at(5, weights, after);
  expect(after).toEqual(before);
});
