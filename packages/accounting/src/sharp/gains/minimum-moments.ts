/**
 * L(t) = E e^(2 t min(S, S')) of two independent sums of count/2 copies of a gain G each
 * (docs/sharp-bound.md, "How it is evaluated"). With M(z) = E e^(zG)
 *
 *     L(t) = 2t / (2 pi) integral of |M(t + iv)|^count / (t^2 + v^2) dv .
 *
 * Why what is computed is never below it: a normal variable of mean zero is added to each gain, which the
 * theorem allows; points of a table are bounds, by moments of the gains where these are closely enough normal
 * (moment-bound.ts), else by the integral (moment-integral.ts); between them log L, which is convex, lies
 * below its chords.
 */
import { ROUNDOFF } from '@shuffle-dp/core';
import { logMeanAt, tilt } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { chosenNoise, logMomentBound } from './moment-bound.ts';
import { DEEPEST, logMomentIntegral } from './moment-integral.ts';

/** How closely L is followed; all are bounds. */
export interface Resolution {
  /**
   * Deviation of the noise that is added, over that of the sum: its square is what it adds to the variance.
   */
  readonly smoothing: number;
  /** Between points of the table, over the sum's deviation; chords add an eighth of its square to log L. */
  readonly spacing: number;
  /** What log L may be too large by where a few moments take the place of the integral, */
  readonly most: number;
  /** and how far points are apart then, as they cost a third: as elsewhere unless given. */
  readonly spacingOfMoments?: number;
  /** Chernoff's bound in place of the integral. */
  readonly exponential?: boolean;
  /**
   * The integral is taken up to so many times the tilt that is asked for; its steps grow with the tilt.
   * Everywhere unless given.
   */
  readonly reach?: number;
}

/** Of bounds that leave less than a hundredth open, among many users. */
export const FINEST: Resolution = { smoothing: 0.007, spacing: 0.11, most: 1e-3, reach: 4 };
/** Some thousandths of the bound more, in half the time. */
export const FINE: Resolution = {
  smoothing: 0.012,
  spacing: 0.22,
  spacingOfMoments: 0.12,
  most: 0.014,
  reach: 4,
};
/** For comparing parameters. */
export const COARSE: Resolution = { smoothing: 0.02, spacing: 0.35, most: 0.03, reach: 4 };
/** For most inputs that are not the worst. */
export const SKETCHY: Resolution = { smoothing: 0.04, spacing: 0.5, most: 0.06, reach: 4 };
/** For inputs far from the worst: almost free, and without moments some four times as large in delta. */
export const ROUGH: Resolution = { smoothing: 0, spacing: 0.25, most: 0, exponential: true };

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
  readonly #furthest: number;
  readonly #isConstant: boolean;
  /** With the noise, at any t; infinity where nothing is known. */
  readonly #pointAt: (t: number) => number;
  readonly #nodes: (number | undefined)[] = [0];

  /**
   * @param count even, at least 2
   * @param at about where the moments are asked for: sets the scale of noise and table
   */
  constructor(
    law: LossLaw,
    count: number,
    at: number,
    { smoothing, exponential = false, reach = Infinity, ...resolution }: Resolution = FINE,
  ) {
    this.#law = law;
    this.#count = count;
    const tilted = tilt(law, at);
    const { mean, secondMoment } = tilted;
    const deviation = Math.sqrt(count * Math.max(0, secondMoment - mean * mean));
    this.#isConstant = !(deviation > CONSTANT * Math.sqrt(count * secondMoment));
    this.#furthest = reach * at;
    let { spacing } = resolution;
    const isDeep = at * deviation > DEEPEST;
    const byMoments = resolution.most > 0 && !isDeep ? chosenNoise(law, count, tilted) : null;
    const few = Math.sqrt(MANY_COPIES / count);
    if (isDeep && !exponential) {
      this.#noise = 0;
      this.#pointAt = () => Infinity;
    } else if (byMoments !== null && byMoments.loss <= resolution.most) {
      this.#noise = byMoments.noise;
      this.#pointAt = (t) => logMomentBound(law, count, byMoments.noise, t);
      spacing = resolution.spacingOfMoments ?? spacing;
    } else if (exponential) {
      // x_+ <= e^(t x - 1) / t takes the place of Lemma 2, of which 1 / (2 t) is counted elsewhere.
      this.#noise = 0;
      this.#pointAt = (t) => logPower(law, count, t) + Math.LN2 - 1;
    } else {
      const noise = smoothing * deviation * Math.min(MOST_SMOOTHED, Math.max(1, few));
      this.#noise = noise;
      this.#pointAt = (t) => logMomentIntegral(law, count, noise, t);
    }
    // Where ratios are all about 1 it is at one of the points.
    this.#spacing = at / Math.max(1, Math.ceil((at * deviation) / spacing));
    this.#firstNode = Math.ceil(FIRST_NODE / spacing);
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
    let at = NaN;
    let left = 0;
    let right = 0;
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
    return (this.#nodes[i] ??= this.#pointOr(t));
  }

  #pointOr(t: number): number {
    const value = t > this.#furthest ? Infinity : this.#pointAt(t);
    if (value < Infinity) return value;
    // Points have one noise: a chord between two is above log L with it.
    return logPower(this.#law, this.#count, t) + (this.#noise * this.#noise * t * t) / 2;
  }
}

/** log of M(t)^count, which L is never above: the smaller of two sums is at most their mean. */
function logPower(law: LossLaw, count: number, t: number): number {
  if (t === 0) return 0;
  const { logMean, logMeanError } = logMeanAt(law, t);
  const log = count * logMean;
  return log + count * logMeanError + 8 * ROUNDOFF * (Math.abs(log) + 64);
}
