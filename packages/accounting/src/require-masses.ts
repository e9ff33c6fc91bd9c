/**
 * Whether hand-made masses are masses at all: formula F1 gives a number for any numbers. Apart from
 * masses-fault.ts, whose words a page that accounts for known mechanisms need not load.
 */
import { ParameterError, type AmplificationProfile } from '@shuffle-dp/core';

/** Of sums of masses. */
const TOLERANCE = 1e-9;

/**
 * What is wrong with them `massesFault` tells. Whether `others` are a blanket is not asked: messages of
 * nobody need not be.
 * @throws ParameterError for masses that are none
 */
export function requireMasses({ blanket, homogeneous }: AmplificationProfile): void {
  for (const { label, victim0, victim1, others } of [...blanket, ...homogeneous]) {
    const areMasses = (masses: Float64Array, least: number): boolean => {
      let sum = 0;
      for (const mass of masses) sum = mass >= 0 ? sum + mass : Number.NaN;
      return masses.length === victim0.length && sum >= least - TOLERANCE && sum <= 1 + TOLERANCE;
    };
    if (!(areMasses(victim0, 1) && areMasses(victim1, 1) && areMasses(others, 0)))
      throw new ParameterError('masses', label, 'numbers from 0 on that sum to 1, or of others to less');
  }
}
