/**
 * Whether hand-made masses are masses at all: formula F1 gives a number for any numbers. Apart from
 * masses-fault.ts, whose words a page that accounts for known mechanisms need not load.
 */
import { ParameterError, Real, type AmplificationProfile } from '@shuffle-dp/core';

/** Of sums of masses, and of masses: rounding alone, as what is missing may tell two values apart. */
export const MASS_ROUNDING = 1e-12;
/** Of the logarithm of their ratios. */
const RATIO_TOLERANCE = 1e-6;

/**
 * What is wrong with them `massesFault` tells. Whether `others` are a blanket is not asked: messages of
 * nobody need not be.
 * @param epsilon0 the local budget that is stated: what the victim's masses show beyond it contradicts it
 * @throws ParameterError for masses that are none, or a budget that is not theirs
 */
export function requireMasses({ blanket, homogeneous }: AmplificationProfile, epsilon0: number): void {
  const most = Real.exp(epsilon0 + RATIO_TOLERANCE);
  for (const { label, victim0, victim1, others } of [...blanket, ...homogeneous]) {
    const areMasses = (masses: Float64Array, least: number): boolean => {
      let sum = 0;
      for (const mass of masses) sum = mass >= 0 ? sum + mass : Number.NaN;
      return masses.length === victim0.length && sum >= least - MASS_ROUNDING && sum <= 1 + MASS_ROUNDING;
    };
    const areLaws =
      areMasses(victim0, 1) &&
      areMasses(victim1, 1) &&
      areMasses(others, 0) &&
      // Without a budget the product is no number where a mass is 0.
      !victim0.some(
        (mass, i) => mass > most * victim1[i]! + MASS_ROUNDING || victim1[i]! > most * mass + MASS_ROUNDING,
      );
    if (!areLaws)
      throw new ParameterError(
        'masses',
        label,
        'numbers from 0 on that sum to 1, or of others to less, in ratios up to e^epsilon0',
      );
  }
}
