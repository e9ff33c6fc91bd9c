/**
 * E (S)_+ of a sum S of n independent copies of a loss G, as an integral over a vertical line. With M(z) = E
 * e^(zG), any theta > 0 and z = theta + it,
 *
 *     E (S + Z)_+ = 1/(2 pi) integral of M(z)^n e^(tau^2 z^2 / 2) / z^2 dt ,    Z normal with deviation tau,
 *
 * summed by the trapezoidal rule. Why both ends hold (docs/soundness.md, "Numbers"):
 * - Z has mean zero, so E (S)_+ <= E (S + Z)_+ (Jensen); and E (S + Z)_+ - E (S)_+ = E k(S) with k(s) = tau
 *   phi(s/tau) - |s| Phi(-|s|/tau) <= tau phi(s/tau), which is tau^2 times a density under the same integral.
 * - The trapezoidal rule of step 2 pi / L adds sum over j != 0 of e^(theta j L) E (S + Z - j L)_+ (Poisson's
 *   summation): never negative, and below a Chernoff bound that is subtracted from the lower end.
 * - Points where |M(z)/M(theta)|^n is negligible are jumped over (negligible-stretch.ts). What is jumped
 *   over, cut off or rounded is bounded and put outside.
 */
import { interval, logSumExp, Real, type Interval, ROUNDOFF } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { tilt, type TiltedLaw } from './exponential-tilt.ts';
import type { LossLaw } from './loss-law.ts';
import {
  MOST_POINTS,
  reachOf,
  trapezoid,
  type TooManyPoints,
  type TrapezoidalRule,
} from './trapezoidal-rule.ts';

/** A bracket in units of e^logScale, which may be far below the smallest double. */
export interface ScaledBracket {
  readonly logScale: number;
  readonly bracket: Interval;
}

/**
 * Where on the line the integral at this gap ends: an integral that reaches less far cannot be afforded at
 * it.
 */
export function integralReach({ theta }: TiltedLaw, relativeGap: number): number {
  return reachOf(smoothingDeviation(theta, relativeGap));
}

function smoothingDeviation(theta: number, relativeGap: number): number {
  return Math.sqrt(relativeGap) / theta;
}

/**
 * The bracket for `count` copies on the line through the saddle point, about `relativeGap` wide relative to
 * the value; null where losses spread over so many magnitudes that the integral leaves the doubles.
 */
export function contourIntegral(
  law: LossLaw,
  count: number,
  saddle: TiltedLaw,
  relativeGap: number,
  work: Work = { sines: 0 },
): ScaledBracket | TooManyPoints | null {
  const { theta } = saddle;
  const tau = smoothingDeviation(theta, relativeGap);
  const { period, logAlias } = chosenPeriod(law, count, saddle, tau);
  const rule = ruleFor(theta, relativeGap, period, work);
  const sums = trapezoid(law, { counts: Float64Array.of(count), shares: ONE }, saddle, rule);
  if ('reach' in sums) return sums;
  const logScale = count * saddle.logMean;
  const logError = count * saddle.logMeanError + 4 * ROUNDOFF * Math.abs(logScale) + 1e-14;
  const alias = Real.exp(logAlias - logScale);
  const { unit } = rule;
  const gap = (tau * unit * (tau * unit) * (sums.density + sums.densityError)) / unit / unit;
  const upper = (sums.value + sums.error) * Real.exp(logError);
  const lower = (sums.value - sums.error - gap) * Real.exp(-logError) - alias;
  if (!(upper >= 0 && upper < Infinity) || Number.isNaN(lower)) return null;
  return { logScale, bracket: interval(Math.max(0, lower), upper) };
}

const ONE = Float64Array.of(1);

function ruleFor(theta: number, relativeGap: number, period: number, work: Work): TrapezoidalRule {
  return {
    tau: smoothingDeviation(theta, relativeGap),
    unit: 2 ** Math.floor(Math.log2(theta)),
    period,
    mostExactPoints: MOST_POINTS / Math.sqrt(relativeGap),
    work,
  };
}

/** Numbers of copies, rising, and the logarithm of what each counts. */
export interface WeighedCounts {
  readonly counts: Float64Array;
  readonly logWeights: Float64Array;
}

/** An upper end in units of e^logScale, which may be far below the smallest double. */
export interface ScaledUpper {
  readonly logScale: number;
  readonly upper: number;
}

/**
 * Upper end of the sum over the counts of weight * E (S)_+, S of so many copies, by one integral for all:
 * under it M(z)^n is replaced by the sum of weight * M(z)^n, and what the rule adds is not negative for any
 * of them.
 *
 * @param saddle of a count about which the sum lies: any gives a bound
 */
export function mixedContourIntegral(
  law: LossLaw,
  { counts, logWeights }: WeighedCounts,
  saddle: TiltedLaw,
  relativeGap: number,
  work: Work = { sines: 0 },
): ScaledUpper | TooManyPoints | null {
  const { theta, logMean, logMeanError } = saddle;
  const tau = smoothingDeviation(theta, relativeGap);
  const logs = counts.map((count, j) => logWeights[j]! + count * logMean);
  const logScale = logSumExp(logs);
  const shares = logs.map((log) => Real.exp(log - logScale));
  // Images of counts that hardly count may be seen.
  const seen = counts.filter((_, j) => shares[j]! > SEEN);
  const period = Math.max(
    ...[seen[0]!, seen.at(-1)!].map((count) => chosenPeriod(law, count, saddle, tau).period),
  );
  const rule = ruleFor(theta, relativeGap, period, work);
  const sums = trapezoid(law, { counts, shares }, saddle, rule);
  if ('reach' in sums) return sums;
  const largest = logs.reduce((most, log) => Math.max(most, Math.abs(log)), Math.abs(logScale));
  const logError =
    counts.at(-1)! * (logMeanError + 4 * ROUNDOFF * Math.abs(logMean)) + 8 * ROUNDOFF * largest + 1e-13;
  const upper = (sums.value + sums.error) * Real.exp(logError);
  return upper >= 0 && upper < Infinity ? { logScale, upper } : null;
}

const SEEN = 1e-6;

/** The log of E e^(at Z) for the smoothing Z, normal of deviation tau. */
function smoothing(tau: number, at: number): number {
  return (tau * tau * at * at) / 2;
}

/**
 * The period L of the trapezoidal rule at which the images j L add about 1e-8 of the value at most, and the
 * log of a bound of what they add: e^(theta j L) E (S + Z - j L)_+ <= E e^(theta' (S + Z))
 * e^((theta - theta') j L) / (e theta').
 */
function chosenPeriod(
  law: LossLaw,
  count: number,
  { theta, logMean, mean, secondMoment }: TiltedLaw,
  tau: number,
): { period: number; logAlias: number } {
  const deviation = Math.sqrt(count) * Math.sqrt(Math.max(0, secondMoment - mean * mean)) + tau;
  const logMain = count * logMean + smoothing(tau, theta) - Real.log(theta * theta * deviation * 2.51);
  const goal = logMain - 18;
  const excess = (other: number): number =>
    Math.max(1, count * tilt(law, other).logMean + smoothing(tau, other) - 1 - Real.log(other) - goal);
  let above = Infinity;
  let below = Infinity;
  for (const factor of [2, 3, 4.2, 6, 8.5, 12, 20]) {
    const shift = factor / deviation;
    above = Math.min(above, excess(theta + shift) / shift);
    if (shift < 0.95 * theta) below = Math.min(below, excess(theta - shift) / shift);
  }
  for (const part of [0.5, 0.8, 0.95]) below = Math.min(below, excess(theta * (1 - part)) / (part * theta));
  // At this period each first image is at most e^goal; those further out sum to less than it.
  const period = Math.max(above, below, 1 / theta, deviation);
  return { period, logAlias: goal + Real.log(8) };
}
