/**
 * log L(t) of minimum-moments.ts from above, by the integral itself: the trapezoidal rule adds values of a
 * function that is never negative (Poisson's summation, and |M|^count is a characteristic function for an
 * even count); points that are left out and roundings are counted. All terms are positive, and nothing
 * depends on how many users there are.
 */
import { Real, ROUNDOFF } from '@shuffle-dp/core';
import { tilt, type TiltedLaw } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { stretchEnd } from '../../blanket/negligible-stretch.ts';
import { CharacteristicRows, rowRoundings, sharedMultiple } from './characteristic-rows.ts';

/**
 * log of the size of terms that are left out, relative to the largest, and of the first image: either adds a
 * millionth.
 */
const [DEPTH, IMAGE_DEPTH] = [16, 14];
/**
 * Points of an integral that are looked at. Some hundred do, but for rare gains a million times as large as
 * the usual ones, whose characteristic function does not decay.
 */
const MOST_LOOKS = 4096;
/**
 * A law of which so many integrals more took too many points than did not is given up: it is the law's gains
 * that do so, at any tilt, and thousands of tilts are asked for.
 */
const MOST_FAILURES = 8;
/** Of laws: integrals that took too many points, less those that did not. */
const failures = new WeakMap<LossLaw, number>();

/**
 * Tilts times the sum's deviation there, beyond which Chernoff's bound has to do: only where gains have heavy
 * tails are they asked for, of ratios about the cut, and their integrals take thousands of points.
 */
export const DEEPEST = 40;

/** Real and imaginary part at a point. */
const parts = new Float64Array(2);

/** Infinity where it leaves the doubles, or takes too many points. */
export function logMomentIntegral(law: LossLaw, count: number, noise: number, t: number): number {
  const failed = failures.get(law) ?? 0;
  if (failed >= MOST_FAILURES) return Infinity;
  const tilted = tilt(law, t);
  const spread = Math.sqrt(Math.max(0, tilted.secondMoment - tilted.mean * tilted.mean));
  const deviation = Math.sqrt(count) * spread + noise;
  if (t * deviation > DEEPEST) return Infinity;
  // The first image is about e^(x^2 / 2 - t period) of the whole, x = t deviation.
  const period = deviation * ((t * deviation) / 2 + IMAGE_DEPTH / (t * deviation));
  const rows = CharacteristicRows.of(law, (2 * Math.PI) / period);
  const sum = trapezoid(rows, count, tilted, noise);
  failures.set(law, failed + (sum === Infinity ? 1 : -1));
  const log =
    count * tilted.logMean + (noise * noise * t * t) / 2 + Real.log((t * sum * rows.step) / Math.PI);
  const error = count * tilted.logMeanError + 8 * ROUNDOFF * (Math.abs(count * tilted.logMean) + 64);
  return Number.isNaN(log) ? Infinity : log + error;
}

/**
 * Sum over all multiples v of the step of |M(t + iv) / M(t)|^count e^(-noise^2 v^2 / 2) / (t^2 + v^2), from
 * above.
 */
function trapezoid(rows: CharacteristicRows, count: number, tilted: TiltedLaw, noise: number): number {
  const { step } = rows;
  const { theta: t, weights, magnitude, secondMoment, logMeanError } = tilted;
  const last = Math.ceil(Math.sqrt(2 * DEPTH) / noise / step);
  const negligible = -DEPTH / count;
  const threshold = Real.exp(negligible);
  const blocks = 74 + rowRoundings(last) + weights.length / 64;
  let sum = 0;
  let leftOut = 1 / (step * step * (last + 0.5));
  for (let k = 1, looks = 0; k <= last;) {
    if (++looks > MOST_LOOKS) return Infinity;
    const v = k * step;
    rows.at(k, weights, parts);
    const re = parts[0]!;
    const im = parts[1]!;
    const excess = Math.max(-1, 2 * re + re * re + im * im);
    const rounded = v * magnitude * (1 + Math.abs(im)) + Math.abs(re) + Math.min(2, v * v * secondMoment);
    const uncertain = blocks * ROUNDOFF * rounded + logMeanError * (Math.abs(re) + Math.abs(im));
    // Only what is negligible with all that is not known of it.
    if (Math.sqrt(1 + excess) + uncertain + 1e-13 < threshold) {
      const stretch = { from: k, step, last, threshold, uncertain };
      const point = { re, im, ...rows.slopeAt(k, weights) };
      const next = sharedMultiple(k, stretchEnd(point, tilted, stretch) + 1);
      // The sum of 1 / v^2 over the points from k on.
      leftOut += (1 / (step * step)) * (1 / (k - 0.5) - 1 / (next - 0.5));
      k = next;
      continue;
    }
    const damping = (count / 2) * Real.log1p(excess) - (noise * noise * v * v) / 2;
    const drift = uncertain / (1 + excess);
    const error = Math.min(700, count * drift + 8 * ROUNDOFF * (Math.abs(damping) + 8));
    sum += Real.exp(damping + error) / (t * t + v * v);
    k++;
  }
  return (1 / (t * t) + 2 * sum + 2 * Real.exp(-DEPTH) * leftOut) * (1 + 4 * ROUNDOFF * (last + 16));
}
