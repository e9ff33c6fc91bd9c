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
import { interval, Real, type Interval, ROUNDOFF } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { characteristicAt, CharacteristicWalk, STRIDE } from './characteristic-function.ts';
import { tilt, type TiltedLaw } from './exponential-tilt.ts';
import type { LossLaw } from './loss-law.ts';
import { stretchEnd, type CharacteristicPoint } from './negligible-stretch.ts';

/** log of the size of terms that are left out, relative to the largest. */
const DEPTH = 30;
/** Where more points than this over the root of the gap matter, a few copies decide the sum. */
const MOST_POINTS = 300;
/** So many are affordable where sines follow from their neighbours'. */
const MOST_WALKED = 60_000;
/**
 * Sines, and products where they follow from their neighbours', that one integral may cost: some tenths of a
 * second.
 */
const MOST_SINES = 1.5e7;
/** Of points from which the next one that matters is looked for each takes all sines: of those as well. */
export const MOST_WORK = 3e7;
const MOST_PRODUCTS = 1e8;

/** What a point costs beside its values' sines: its logarithm, its angle and what is made of them. */
const SINES_PER_POINT = 6;
/** So many sines that follow from their neighbours' cost as much as one that is taken. */
const WALKED_PER_SINE = 8;

/** A bracket in units of e^logScale, which may be far below the smallest double. */
export interface ScaledBracket {
  readonly logScale: number;
  readonly bracket: Interval;
}

/** That an integral costs too much: beyond `reach` on the line more points matter than are affordable. */
export interface TooManyPoints {
  readonly reach: number;
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

function reachOf(tau: number): number {
  return Math.sqrt(2 * DEPTH - 8) / tau;
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
  const spread = Math.sqrt(Math.max(0, saddle.secondMoment - saddle.mean * saddle.mean));
  const tau = smoothingDeviation(theta, relativeGap);
  const deviation = Math.sqrt(count) * spread + tau;
  const logMain = count * saddle.logMean + smoothing(tau, theta) - Real.log(theta * theta * deviation * 2.51);
  const { period, logAlias } = chosenPeriod(law, count, { theta, tau, deviation }, logMain);
  const unit = 2 ** Math.floor(Math.log2(theta));
  const rule = { tau, unit, period, mostExactPoints: MOST_POINTS / Math.sqrt(relativeGap), work };
  const sums = trapezoid(law, count, saddle, spread, rule);
  if ('reach' in sums) return sums;
  const logScale = count * saddle.logMean;
  const logError = count * saddle.logMeanError + 4 * ROUNDOFF * Math.abs(logScale) + 1e-14;
  const alias = Real.exp(logAlias - logScale);
  const gap = (tau * unit * (tau * unit) * (sums.density + sums.densityError)) / unit / unit;
  const upper = (sums.value + sums.error) * Real.exp(logError);
  const lower = (sums.value - sums.error - gap) * Real.exp(-logError) - alias;
  if (!(upper >= 0 && upper < Infinity) || Number.isNaN(lower)) return null;
  return { logScale, bracket: interval(Math.max(0, lower), upper) };
}

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
  { theta, tau, deviation }: { readonly theta: number; readonly tau: number; readonly deviation: number },
  logMain: number,
): { period: number; logAlias: number } {
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

/**
 * Whether |M(z)/M(theta)| is above the threshold at some point beyond `most`, about: so many must be summed.
 */
function mattersBeyond(
  most: number,
  logThreshold: number,
  { values }: LossLaw,
  { weights }: TiltedLaw,
  { step, last }: { readonly step: number; readonly last: number },
): boolean {
  const characteristic = new Float64Array(4);
  let before = 1;
  for (let k = 1; k <= last; k = Math.ceil(k * 1.2)) {
    characteristicAt(values, weights, k * step, characteristic);
    const [re, im] = [characteristic[0]!, characteristic[1]!];
    if (0.5 * Real.log1p(Math.max(-1, 2 * re + re * re + im * im)) >= logThreshold) {
      // One is enough: further out come angles of which doubles know nothing.
      if (k > most) return true;
      before = k;
    } else if (k > 4 * before) break;
  }
  return false;
}

/** Points at which sines are taken one by one; of more, most follow from their neighbours'. */
const EXACT_POINTS = 48;

/** Sine and cosine of one angle. */
const turn = new Float64Array(2);

function pointOf([re = 0, im = 0, slopeRe = 0, slopeIm = 0]: Float64Array): CharacteristicPoint {
  return { re, im, slopeRe, slopeIm };
}

interface TrapezoidSums {
  /** E (S + Z)_+ and the density of S + Z at 0 with their images, over e^(n log M(theta)). */
  readonly value: number;
  readonly error: number;
  readonly density: number;
  readonly densityError: number;
}

interface TrapezoidalRule {
  /** Deviation of the smoothing; the unit is a power of two near theta. */
  readonly tau: number;
  readonly unit: number;
  readonly period: number;
  /** As many sines may be taken for each loss. */
  readonly mostExactPoints: number;
  readonly work: Work;
}

function trapezoid(
  law: LossLaw,
  count: number,
  saddle: TiltedLaw,
  spread: number,
  { tau, unit, period, mostExactPoints, work }: TrapezoidalRule,
): TrapezoidSums | TooManyPoints {
  const { theta, magnitude, secondMoment } = saddle;
  const step = (2 * Math.PI) / period;
  const last = Math.ceil(reachOf(tau) / step);
  const negligible = -DEPTH / count;
  const threshold = Real.exp(negligible);
  // What a modulus changes by per unit of t at most: the deviation of G, and what is not known of G.
  const fastest = Math.sqrt(spread * spread + 1e-13 * secondMoment) + 4 * ROUNDOFF * magnitude;
  const characteristic = new Float64Array(4);
  let walk: CharacteristicWalk | null = null;
  // Where the errors of a walk would be seen in the result, all sines are taken.
  const walks =
    4 * STRIDE * ROUNDOFF * Math.sqrt(count) * magnitude <= 1e-3 * tau * tau * theta * theta * spread;
  const values = law.values.length;
  const mostTaken = Math.min(mostExactPoints, MOST_SINES / values);
  const mostPoints = walks ? Math.max(Math.min(MOST_WALKED, MOST_PRODUCTS / values), mostTaken) : mostTaken;
  if (last > mostPoints && mattersBeyond(mostPoints, negligible, law, saddle, { step, last }))
    return { reach: mostPoints * step };
  const mostWork = Math.min(work.most ?? Infinity, work.sines + MOST_WORK);
  // The line in a power of two near theta, which rounds nothing: z^4 of a small z leaves the doubles.
  const across = theta / unit;
  const width = tau * unit;
  const apart = step / unit;
  let value = 0.5 / (across * across);
  let density = 0.5;
  let error = 0;
  let densityError = 0;
  /** Of partial sums: every addition rounds relative to what it leaves. */
  let [partialSums, partialDensities] = [value, density];
  for (let k = 1, points = 0; k <= last; k++) {
    if (++points > mostPoints || work.sines > mostWork) return { reach: k * step };
    const t = k * step;
    work.sines += SINES_PER_POINT + (walks && points > EXACT_POINTS ? values / WALKED_PER_SINE : values);
    if (walks && points > EXACT_POINTS) {
      walk ??= new CharacteristicWalk(
        law.values,
        saddle.weights,
        step,
        (1e-10 * tau * tau * theta * theta) / count,
      );
      walk.at(k, characteristic);
    } else characteristicAt(law.values, saddle.weights, t, characteristic);
    const blocks = 74 + law.values.length / 64 + (walk ? 4 * STRIDE : 0);
    const re = characteristic[0]!;
    const im = characteristic[1]!;
    const excess = Math.max(-1, 2 * re + re * re + im * im);
    const rounded =
      blocks *
      ROUNDOFF *
      (t * magnitude * (1 + Math.abs(im)) + Math.abs(re) + Math.min(2, t * t * secondMoment));
    // All weights are divided by M(theta), which where it is far below 1 has lost digits.
    const divided = saddle.logMeanError * (Math.abs(re) + Math.abs(im));
    const uncertain = rounded + divided + (walk ? 4 * walk.leftOut : 0);
    // Only what is negligible with all that is not known of it.
    const clear = threshold - Math.sqrt(1 + excess) - uncertain - 1e-13;
    if (clear > 0) {
      // The modulus changes by at most the deviation of G per unit of t, which takes no sines to know; a walk
      // goes by powers of two.
      const free = Math.floor(clear / (fastest * step));
      const walked = Math.min(last, k + 2 ** Math.floor(Math.log2(free + 1)) - 1);
      let end = walked;
      if (walk === null || walked < k + WALKED_PER_SINE) {
        if (walk !== null) {
          characteristicAt(law.values, saddle.weights, t, characteristic);
          work.sines += values;
        }
        end = stretchEnd(pointOf(characteristic), saddle, { from: k, step, last, threshold, uncertain });
      }
      // Sum of 1/t^2 over the points k to end.
      error += Real.exp(-DEPTH) * (1 / (apart * apart)) * (1 / (k - 0.5) - 1 / (end + 0.5));
      densityError += Real.exp(-DEPTH) * (end - k + 1);
      k = end;
      continue;
    }
    const along = t / unit;
    const norm2 = across * across + along * along;
    const damping = (count / 2) * Real.log1p(excess) - (width * width * along * along) / 2;
    const size = Real.exp(damping);
    const phase = count * Real.atan2(im, 1 + re) + width * width * across * along;
    Real.sinCos(phase, turn);
    const sin = turn[0]!;
    const cos = turn[1]!;
    // Re of (cos + i sin) / (theta + i t)^2.
    const real = ((across * across - along * along) * cos + 2 * across * along * sin) / (norm2 * norm2);
    value += size * real;
    density += size * cos;
    partialSums += Math.abs(value);
    partialDensities += Math.abs(density);
    const drift = uncertain / (1 + excess);
    const relative = Real.expm1(
      Math.min(700, count * drift + 8 * ROUNDOFF * (Math.abs(damping) + Math.abs(phase) + 8)),
    );
    error += (size * relative) / norm2;
    densityError += size * relative;
  }
  const scale = (2 / period) * Real.exp((width * width * across * across) / 2);
  const end = last * apart;
  const cut = Real.exp(-(width * width * end * end) / 2);
  // Errors are themselves sums of so many terms, none of them negative.
  const outward = 1 + 4 * ROUNDOFF * (last + 16);
  const valueRounding = ROUNDOFF * (2 * partialSums + 64 * Math.abs(value));
  const densityRounding = ROUNDOFF * (2 * partialDensities + 64 * Math.abs(density));
  return {
    value: (scale * value) / unit / unit,
    error: (scale * (error + cut / (end * apart) + valueRounding) * outward) / unit / unit,
    density: scale * density,
    densityError: scale * (densityError + cut / (width * width * end * apart) + densityRounding) * outward,
  };
}
