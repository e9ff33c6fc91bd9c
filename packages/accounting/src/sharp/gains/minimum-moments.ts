/**
 * L(t) = E e^(2 t min(S, S')) of two independent sums of count/2 copies of a gain G each
 * (docs/sharp-bound.md, section 3). With M(z) = E e^(zG)
 *
 *     L(t) = 2t / (2 pi) integral of |M(t + iv)|^count / (t^2 + v^2) dv .
 *
 * Why what is computed is never below it: a normal variable of mean zero is added to each gain, which the
 * theorem allows; the trapezoidal rule adds values of a function that is never negative (Poisson's summation,
 * and |M|^count is a characteristic function for an even count); points that are left out and roundings are
 * counted; between the points of the table log L, which is convex, lies below its chords. All terms are
 * positive, and nothing depends on how many users there are.
 */
import { Real, ROUNDOFF } from '@shuffle-dp/core';
import { logMeanAt, tilt, type TiltedLaw } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { stretchEnd } from '../../blanket/negligible-stretch.ts';
import { CharacteristicRows, ROW_ROUNDINGS, sharedMultiple } from './characteristic-rows.ts';

/**
 * log of the size of terms that are left out, relative to the largest, and of the first image: either adds a
 * millionth.
 */
const [DEPTH, IMAGE_DEPTH] = [16, 14];
/** How closely L is followed; all are bounds. */
export interface Resolution {
  /**
   * Deviation of the noise that is added, over that of the sum: its square is what it adds to the variance.
   */
  readonly smoothing: number;
  /** Between points of the table, over the sum's deviation; chords add an eighth of its square to log L. */
  readonly spacing: number;
  /** Chernoff's bound in place of the integral. */
  readonly exponential?: boolean;
  /**
   * The integral is taken up to so many times the tilt that is asked for; its steps grow with the tilt.
   * Everywhere unless given.
   */
  readonly reach?: number;
}

export const FINE: Resolution = { smoothing: 0.007, spacing: 0.11, reach: 4 };
/** For comparing parameters. */
export const COARSE: Resolution = { smoothing: 0.02, spacing: 0.35, reach: 4 };
/** For most inputs that are not the worst. */
export const SKETCHY: Resolution = { smoothing: 0.04, spacing: 0.5, reach: 4 };
/** For inputs far from the worst: some four times as large in delta, and almost free. */
export const ROUGH: Resolution = { smoothing: 0, spacing: 0.25, exponential: true };

/**
 * Gains of few values make sums of fewer copies a lattice, whose images more noise takes away: up to so much
 * more.
 */
const [MANY_COPIES, MOST_SMOOTHED] = [3000, 1.7];
/** Deviation over root mean square of a gain that is the same everywhere but for rounding. */
const CONSTANT = 1e-7;

/** Up to here, times the sum's deviation, there is one chord from zero on: smaller tilts take many points. */
const FIRST_NODE = 0.6;

export class MinimumMoments {
  readonly #law: LossLaw;
  readonly #count: number;
  readonly #noise: number;
  readonly #spacing: number;
  readonly #firstNode: number;
  readonly #exponential: boolean;
  readonly #furthest: number;
  readonly #isConstant: boolean;
  readonly #nodes: (number | undefined)[] = [0];

  /**
   * @param count even, at least 2
   * @param at about where the moments are asked for: sets the scale of noise and table
   */
  constructor(
    law: LossLaw,
    count: number,
    at: number,
    { smoothing, spacing, exponential = false, reach = Infinity }: Resolution = FINE,
  ) {
    this.#law = law;
    this.#count = count;
    const { mean, secondMoment } = tilt(law, at);
    const deviation = Math.sqrt(count * Math.max(0, secondMoment - mean * mean));
    this.#isConstant = !(deviation > CONSTANT * Math.sqrt(count * secondMoment));
    const few = Math.sqrt(MANY_COPIES / count);
    this.#noise = smoothing * deviation * Math.min(MOST_SMOOTHED, Math.max(1, few));
    // Where ratios are all about 1 it is at one of the points.
    this.#spacing = at / Math.max(1, Math.ceil((at * deviation) / spacing));
    this.#firstNode = Math.ceil(FIRST_NODE / spacing);
    this.#exponential = exponential;
    this.#furthest = reach * at;
  }

  /** From above, at any t >= 0; infinity where it leaves the doubles. */
  logAt(t: number): number {
    if (this.#isConstant) return logPower(this.#law, this.#count, t);
    const position = t / this.#spacing;
    const below = Math.floor(position);
    if (below < this.#firstNode) return (position / this.#firstNode) * this.#node(this.#firstNode);
    const left = this.#node(below);
    return left + (position - below) * (this.#node(below + 1) - left);
  }

  /** The same at so many multiples of a step in a row, which costs a tenth. @param logs is written to */
  setLogs(logs: Float64Array, first: number, step: number): void {
    let [at, left, right] = [NaN, 0, 0];
    for (let i = 0; i < logs.length; i++) {
      const t = (first + i) * step;
      const position = t / this.#spacing;
      const below = Math.floor(position);
      if (this.#isConstant || below < this.#firstNode) {
        logs[i] = this.logAt(t);
        continue;
      }
      if (below !== at) [at, left, right] = [below, this.#node(below), this.#node(below + 1)];
      logs[i] = left + (position - below) * (right - left);
    }
  }

  #node(i: number): number {
    const t = i * this.#spacing;
    return (this.#nodes[i] ??= this.#exponential
      ? // x_+ <= e^(t x - 1) / t takes the place of Lemma 2, of which 1 / (2 t) is counted elsewhere.
        logPower(this.#law, this.#count, t) + Math.LN2 - 1
      : t > this.#furthest
        ? logPower(this.#law, this.#count, t)
        : finite(logMoment(this.#law, this.#count, this.#noise, t), () =>
            logPower(this.#law, this.#count, t),
          ));
  }
}

function finite(value: number, otherwise: () => number): number {
  return value < Infinity ? value : otherwise();
}

/** log of M(t)^count, which L is never above: the smaller of two sums is at most their mean. */
function logPower(law: LossLaw, count: number, t: number): number {
  if (t === 0) return 0;
  const { logMean, logMeanError } = logMeanAt(law, t);
  const log = count * logMean;
  return log + count * logMeanError + 8 * ROUNDOFF * (Math.abs(log) + 64);
}

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
const DEEPEST = 40;

/** Real and imaginary part at a point. */
const parts = new Float64Array(2);

/** Infinity where it leaves the doubles, or takes too many points. */
function logMoment(law: LossLaw, count: number, noise: number, t: number): number {
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
  const blocks = 74 + ROW_ROUNDINGS + weights.length / 64;
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
