/**
 * E (G + G')_+ of two copies of a loss. For every value of one the values of the other that leave the sum
 * positive are those above a threshold, so that sums over the largest values give it: time grows with the
 * number of values, where an integral or a list of pairs takes its square.
 */
import { interval, ROUNDOFF, type Interval } from '@shuffle-dp/core';
import { silentMass, type LossLaw } from './loss-law.ts';

/** Logarithms of masses, and masses that sum to 1 within rounding. */
const RELATIVE = 1e-12;

/**
 * Encloses E (G + G')_+. Wide where the sums that are positive are small beside their terms.
 *
 * @param single encloses E (G)_+
 */
export function ofTwoCopies(law: LossLaw, single: Interval): Interval {
  const { values, probabilities, magnitudes } = law;
  const kinds = values.length;
  /** Over the values from an index on: mass, mean, mean of what is added up, of the values' own errors. */
  const mass = new Float64Array(kinds + 1);
  const moment = new Float64Array(kinds + 1);
  const size = new Float64Array(kinds + 1);
  const error = new Float64Array(kinds + 1);
  for (let i = kinds - 1; i >= 0; i--) {
    const probability = probabilities[i]!;
    mass[i] = mass[i + 1]! + probability;
    moment[i] = moment[i + 1]! + probability * values[i]!;
    size[i] = size[i + 1]! + probability * Math.abs(values[i]!);
    error[i] = error[i + 1]! + probability * errorOf(magnitudes[i]!);
  }
  /** The largest that any of the values up to an index may be. */
  const most = new Float64Array(kinds);
  for (let i = 0; i < kinds; i++)
    most[i] = Math.max(most[i - 1] ?? -Infinity, values[i]! + errorOf(magnitudes[i]!));
  let sum = 0;
  let uncertainty = 0;
  // The larger a value, the more values of the other leave the sum positive, and the more may do so.
  let [positive, possible] = [kinds, kinds];
  for (let i = 0; i < kinds; i++) {
    const [value, probability] = [values[i]!, probabilities[i]!];
    while (positive > 0 && values[positive - 1]! + value > 0) positive--;
    while (possible > 0 && most[possible - 1]! + most[i]! > 0) possible--;
    sum += probability * (moment[positive]! + value * mass[positive]!);
    const terms = size[positive]! + Math.abs(value) * mass[positive]!;
    const own = error[possible]! + errorOf(magnitudes[i]!) * mass[possible]!;
    uncertainty += probability * ((kinds + 8) * ROUNDOFF * terms + own);
  }
  // What underflows is not nothing.
  uncertainty += 4 * kinds * (kinds + 8) * Number.MIN_VALUE;
  const silent = silentMass(law);
  return interval(
    Math.max(0, (sum - uncertainty) * (1 - RELATIVE) + 2 * silent.lower * single.lower * (1 - RELATIVE)),
    (sum + uncertainty) * (1 + RELATIVE) + 2 * silent.upper * single.upper * (1 + RELATIVE),
  );
}

/** By how much a value may be wrong. */
function errorOf(magnitude: number): number {
  return 4 * ROUNDOFF * magnitude;
}
