/**
 * The trapezoidal rule of contour-integral.ts: which points of the line matter, what they add, and bounds of
 * what is jumped over, cut off or rounded.
 */
import { Real, ROUNDOFF } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { characteristicAt, CharacteristicWalk, STRIDE } from './characteristic-function.ts';
import type { TiltedLaw } from './exponential-tilt.ts';
import type { LossLaw } from './loss-law.ts';
import { stretchEnd, type CharacteristicPoint } from './negligible-stretch.ts';

/** log of the size of terms that are left out, relative to the largest. */
const DEPTH = 30;
/** Where more points than this over the root of the gap matter, a few copies decide the sum. */
export const MOST_POINTS = 300;
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
/** And for each number of copies. */
const SINES_PER_COUNT = 3;
/** So many sines that follow from their neighbours' cost as much as one that is taken. */
const WALKED_PER_SINE = 8;

/** That an integral costs too much: beyond `reach` on the line more points matter than are affordable. */
export interface TooManyPoints {
  readonly reach: number;
}

/** A random number of copies: of each its share of E M(theta)^N, all shares adding up to 1. */
export interface CountShares {
  /** At least 1, rising. */
  readonly counts: Float64Array;
  readonly shares: Float64Array;
}

/** How far the line goes on which the smoothing leaves something. */
export function reachOf(tau: number): number {
  return Math.sqrt(2 * DEPTH - 8) / tau;
}

/**
 * log of a modulus |M(z)/M(theta)| at which the whole is negligible: the sum over the counts of share *
 * modulus^count is at most e^-DEPTH.
 */
function negligibleModulus({ counts, shares }: CountShares): number {
  let low = -DEPTH / counts[0]!;
  let high = -DEPTH / counts.at(-1)!;
  for (let step = 0; step < BISECTIONS && low < high; step++) {
    const middle = (low + high) / 2;
    let sum = 0;
    for (let j = 0; j < counts.length; j++) sum += shares[j]! * Real.exp(counts[j]! * middle);
    if (sum <= Real.exp(-DEPTH)) low = middle;
    else high = middle;
  }
  return low;
}

const BISECTIONS = 40;

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

export interface TrapezoidSums {
  /** E (S + Z)_+ and the density of S + Z at 0 with their images, over E M(theta)^N. */
  readonly value: number;
  readonly error: number;
  readonly density: number;
  readonly densityError: number;
}

export interface TrapezoidalRule {
  /** Deviation of the smoothing; the unit is a power of two near theta. */
  readonly tau: number;
  readonly unit: number;
  readonly period: number;
  /** As many sines may be taken for each loss. */
  readonly mostExactPoints: number;
  readonly work: Work;
}

export function trapezoid(
  law: LossLaw,
  copies: CountShares,
  saddle: TiltedLaw,
  { tau, unit, period, mostExactPoints, work }: TrapezoidalRule,
): TrapezoidSums | TooManyPoints {
  const { counts, shares } = copies;
  const most = counts.at(-1)!;
  const { theta, magnitude, secondMoment } = saddle;
  const step = (2 * Math.PI) / period;
  const last = Math.ceil(reachOf(tau) / step);
  const negligible = negligibleModulus(copies);
  const threshold = Real.exp(negligible);
  const spread = Math.sqrt(Math.max(0, secondMoment - saddle.mean * saddle.mean));
  // What a modulus changes by per unit of t at most: the deviation of G, and what is not known of G.
  const fastest = Math.sqrt(spread * spread + 1e-13 * secondMoment) + 4 * ROUNDOFF * magnitude;
  const characteristic = new Float64Array(4);
  let walk: CharacteristicWalk | null = null;
  // Where the errors of a walk would be seen in the result, all sines are taken.
  const walks =
    4 * STRIDE * ROUNDOFF * Math.sqrt(most) * magnitude <= 1e-3 * tau * tau * theta * theta * spread;
  const values = law.values.length;
  const perPoint = SINES_PER_POINT + SINES_PER_COUNT * (counts.length - 1);
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
  // Shares add up to 1 but for their rounding.
  let error = (counts.length - 1) * 4 * ROUNDOFF * value;
  let densityError = (counts.length - 1) * 4 * ROUNDOFF * density;
  /** Of partial sums: every addition rounds relative to what it leaves. */
  let [partialSums, partialDensities] = [value, density];
  for (let k = 1, points = 0; k <= last; k++) {
    if (++points > mostPoints || work.sines > mostWork) return { reach: k * step };
    const t = k * step;
    work.sines += perPoint + (walks && points > EXACT_POINTS ? values / WALKED_PER_SINE : values);
    if (walks && points > EXACT_POINTS) {
      walk ??= new CharacteristicWalk(
        law.values,
        saddle.weights,
        step,
        (1e-10 * tau * tau * theta * theta) / most,
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
    const logModulus = Real.log1p(excess) / 2;
    const angle = Real.atan2(im, 1 + re);
    const drift = uncertain / (1 + excess);
    // Re and Im of (theta + i t)^-2, times its modulus squared.
    const turnedRe = across * across - along * along;
    const turnedIm = 2 * across * along;
    for (let j = 0; j < counts.length; j++) {
      const count = counts[j]!;
      const damping = count * logModulus - (width * width * along * along) / 2;
      const size = shares[j]! * Real.exp(damping);
      const phase = count * angle + width * width * across * along;
      Real.sinCos(phase, turn);
      const sin = turn[0]!;
      const cos = turn[1]!;
      value += size * ((turnedRe * cos + turnedIm * sin) / (norm2 * norm2));
      density += size * cos;
      partialSums += Math.abs(value);
      partialDensities += Math.abs(density);
      const relative = Real.expm1(
        Math.min(700, count * drift + 8 * ROUNDOFF * (Math.abs(damping) + Math.abs(phase) + 8)),
      );
      error += (size * relative) / norm2;
      densityError += size * relative;
    }
  }
  const scale = (2 / period) * Real.exp((width * width * across * across) / 2);
  const end = last * apart;
  const cut = Real.exp(-(width * width * end * end) / 2);
  // Errors are themselves sums of so many terms, none of them negative.
  const outward = 1 + 4 * ROUNDOFF * (counts.length * last + 16);
  const valueRounding = ROUNDOFF * (2 * partialSums + 64 * Math.abs(value));
  const densityRounding = ROUNDOFF * (2 * partialDensities + 64 * Math.abs(density));
  return {
    value: (scale * value) / unit / unit,
    error: (scale * (error + cut / (end * apart) + valueRounding) * outward) / unit / unit,
    density: scale * density,
    densityError: scale * (densityError + cut / (width * width * end * apart) + densityRounding) * outward,
  };
}
