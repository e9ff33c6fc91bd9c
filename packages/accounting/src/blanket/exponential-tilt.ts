/** Exponential tilting of a loss law: reweighting by e^(theta G) turns the tail of a sum into its bulk. */
import { CompensatedSum, Real, ROUNDOFF } from '@shuffle-dp/core';
import { GrowingSearch } from './growing-search.ts';
import { silentMass, type LossLaw } from './loss-law.ts';

/** A law reweighted by e^(theta G), normalised. The value 0 carries the remaining weight. */
export interface TiltedLaw {
  readonly theta: number;
  /** log E e^(theta G). */
  readonly logMean: number;
  /** Bound of its absolute rounding error, that of the values included. */
  readonly logMeanError: number;
  readonly weights: Float64Array;
  readonly mean: number;
  readonly secondMoment: number;
  /** Mean of the magnitudes that rounding errors of the values are relative to. */
  readonly magnitude: number;
}

/** Beyond, e to it is taken in two halves. */
const LARGE_EXPONENT = 500;

/** What is left of 1 has few digits where it is less, or none. */
const LITTLE = 1e-8;

/** The mass times e^exponent, which may be a double where e^exponent is none. */
function timesExp(mass: number, exponent: number): number {
  if (exponent <= LARGE_EXPONENT) return mass * Real.exp(exponent);
  const half = Real.exp(exponent / 2);
  return mass * half * half;
}

/** Whether some value's part of E e^(theta G) is too large. */
function leavesDoubles({ values, probabilities }: LossLaw, theta: number): boolean {
  return values.some((value, i) => Real.log(probabilities[i]!) + theta * value > LARGE_EXPONENT);
}

/** @param theta positive */
export function tilt(law: LossLaw, theta: number): TiltedLaw {
  const { values, probabilities, magnitudes } = law;
  const top = Math.max(0, theta * values.at(-1)!);
  const scaled = top > LARGE_EXPONENT && leavesDoubles(law, theta);
  const sum = new CompensatedSum();
  let gross = 0;
  const weights = new Float64Array(values.length);
  if (!scaled && top <= LARGE_EXPONENT) {
    for (let i = 0; i < values.length; i++) {
      const grown = Real.expm1(theta * values[i]!);
      const term = probabilities[i]! * grown;
      // What is left of 1 has few digits where that is little.
      const weight =
        grown > -0.5 ? probabilities[i]! + term : probabilities[i]! * Real.exp(theta * values[i]!);
      weights[i] = weight;
      sum.add(term);
      gross += (Math.abs(term) * 4 + weight * theta * magnitudes[i]! * 6) * ROUNDOFF;
    }
  } else {
    for (let i = 0; i < values.length; i++) {
      const exponent = theta * values[i]!;
      const weight = timesExp(probabilities[i]!, scaled ? exponent - top : exponent);
      weights[i] = weight;
      const term = scaled || exponent > LARGE_EXPONENT ? weight : probabilities[i]! * Real.expm1(exponent);
      sum.add(term);
      gross +=
        (Math.abs(term) * 4 + weight * theta * magnitudes[i]! * 6 + (scaled ? 2 * weight * top : 0)) *
        ROUNDOFF;
    }
  }
  if (scaled) {
    const silent = silentMass(law);
    sum.add(silent.upper * Real.exp(-top));
    gross += (silent.upper - silent.lower) * Real.exp(-top);
  }
  let total = scaled ? sum.value : 1 + sum.value;
  let logMean = scaled ? top + Real.log(sum.value) : Real.log1p(sum.value);
  if (!scaled && !(total > LITTLE)) {
    // E e^(theta G) is the mass without a gain and the weights: nothing cancels, as none is negative.
    const silent = silentMass(law);
    const whole = new CompensatedSum();
    whole.add(silent.upper);
    gross = silent.upper - silent.lower;
    for (let i = 0; i < values.length; i++) {
      whole.add(weights[i]!);
      gross += weights[i]! * (4 + theta * magnitudes[i]! * 6) * ROUNDOFF;
    }
    total = whole.value;
    logMean = Real.log(total);
  }
  let mean = 0;
  let secondMoment = 0;
  let magnitude = 0;
  for (let i = 0; i < values.length; i++) {
    weights[i] = weights[i]! / total;
    mean += weights[i]! * values[i]!;
    secondMoment += weights[i]! * values[i]! * values[i]!;
    magnitude += weights[i]! * magnitudes[i]!;
  }
  // A sum that is scaled has lost what the scale has more.
  const largest = scaled ? top + Math.abs(logMean) : Math.abs(logMean);
  const logMeanError = gross / total + 4 * ROUNDOFF * largest;
  return { theta, logMean, logMeanError, weights, mean, secondMoment, magnitude };
}

/** The same without the weights and what is made of them, at a third of the cost. */
export function logMeanAt(law: LossLaw, theta: number): Pick<TiltedLaw, 'logMean' | 'logMeanError'> {
  const { values, probabilities, magnitudes } = law;
  if (theta * values.at(-1)! > LARGE_EXPONENT) return tilt(law, theta);
  const sum = new CompensatedSum();
  let gross = 0;
  for (let i = 0; i < values.length; i++) {
    const term = probabilities[i]! * Real.expm1(theta * values[i]!);
    sum.add(term);
    gross += (Math.abs(term) * 4 + (term + probabilities[i]!) * theta * magnitudes[i]! * 6) * ROUNDOFF;
  }
  if (!(1 + sum.value > LITTLE)) return tilt(law, theta);
  const logMean = Real.log1p(sum.value);
  return { logMean, logMeanError: gross / (1 + sum.value) + 4 * ROUNDOFF * Math.abs(logMean) };
}

/**
 * The theta > 0 that minimises count log E e^(theta G) - 2 log theta, to a few digits: the saddle point of
 * the integral for E (G_1 + … + G_count)_+. Null where no value is positive, or none so that doubles tell.
 */
export function saddlePoint(law: LossLaw, count: number): TiltedLaw | null {
  const most = law.values.at(-1) ?? 0;
  if (!(most > 0)) return null;
  const silent = silentMass(law).upper;
  const search = new GrowingSearch((theta) => count * theta * tiltedMean(law, theta, silent), 2);
  search.closeIn(gaussianSaddle(law, count));
  let high = 1 / most;
  if (search.isBeyond(high)) {
    while (search.isBeyond(high / 8)) high /= 8;
  } else {
    do high *= 2;
    while (high < Infinity && !search.isBeyond(high));
    if (high === Infinity) return null;
  }
  let low = high / 8;
  for (let step = 0; step < 30 && high > low * 1.001; step++) {
    const middle = Math.sqrt(low * high);
    if (search.isBeyond(middle)) high = middle;
    else low = middle;
  }
  return tilt(law, Math.sqrt(low * high));
}

/** Where it would be if the tilted mean grew in a line. Of values far apart it is far from that. */
function gaussianSaddle({ values, probabilities }: LossLaw, count: number): number {
  let [mean, square] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    mean += probabilities[i]! * values[i]!;
    square += probabilities[i]! * values[i]! * values[i]!;
  }
  const variance = square - mean * mean;
  const root = Math.sqrt(mean * mean + (8 * variance) / count);
  // Of the two forms of one number the one in which nothing cancels.
  return mean < 0 ? (root - mean) / (2 * variance) : 4 / (count * (root + mean));
}

/** About the mean of the tilted law, which one exponential of each value tells. */
function tiltedMean({ values, probabilities }: LossLaw, theta: number, silent: number): number {
  const top = Math.max(0, theta * values.at(-1)!);
  let [total, moment] = [silent * Real.exp(-top), 0];
  for (let i = 0; i < values.length; i++) {
    const weight = probabilities[i]! * Real.exp(theta * values[i]! - top);
    total += weight;
    moment += weight * values[i]!;
  }
  return moment / total;
}
