/**
 * About what `MinimumMoments` bounds, a hundred times faster: near zero |M(t + iv) / M(t)|^count is e^(-count
 * variance v^2 / 2) (1 + count kappa v^4 / 24), kappa the fourth cumulant, and the integral of that over t^2
 * + v^2 is a normal tail with a correction. For comparing parameters, never for a bound.
 */
import { Real } from '@shuffle-dp/core';
import { silentMass, type LossLaw } from '../../blanket/loss-law.ts';
import { quintic, type Cumulants } from './quintic.ts';
import { scaledTail } from './tail-table.ts';

/**
 * Points of the table over the sum's deviation, between which a polynomial has the slopes and bends of both.
 */
const SPACING = 0.5;

/** log L(t) = log E e^(2 t min(S, S')), however found. */
export interface LogMoments {
  logAt(t: number): number;
}

interface FourCumulants extends Cumulants {
  readonly fourth: number;
}

/** Larger corrections tell that there ought to be more of them. */
const MOST_CORRECTED = 1;

/** For any number of copies of one gain: what is tabulated does not depend on it. */
export class NormalMoments {
  readonly #law: LossLaw;
  readonly #silent: number;
  readonly #spacing: number;
  readonly #nodes: (FourCumulants | undefined)[] = [];

  /** @param count about how many copies; @param at about where it is asked for */
  constructor(law: LossLaw, count: number, at: number) {
    this.#law = law;
    this.#silent = silentMass(law).upper;
    this.#spacing = SPACING / Math.sqrt(count * cumulantsOf(law, this.#silent, at).variance);
  }

  /** @param count copies of the gain in both sums */
  of(count: number): LogMoments {
    return { logAt: (t) => this.#logAt(count, t) };
  }

  #logAt(count: number, t: number): number {
    const position = t / this.#spacing;
    const below = Math.floor(position);
    const [left, right] = [this.#node(below), this.#node(below + 1)];
    const share = position - below;
    const log = count * quintic(left, right, share, this.#spacing).log;
    const variance = left.variance + share * (right.variance - left.variance);
    const x = t * Math.sqrt(count * variance);
    const tail = scaledTail(x);
    const fourth = left.fourth + share * (right.fourth - left.fourth);
    const corrected = correction(x, x - tail.slope, fourth / (24 * count * variance * variance));
    const moment = log + Math.LN2 + tail.log + corrected;
    return Number.isNaN(moment) ? Infinity : moment;
  }

  #node(i: number): FourCumulants {
    return (this.#nodes[i] ??= cumulantsOf(this.#law, this.#silent, i * this.#spacing));
  }
}

/** Of a tilted law, not divided by their sum: a search tilts ten thousand times. */
let weights = new Float64Array(256);

/** @param silent probability of 0 beside the values */
function cumulantsOf({ values, probabilities }: LossLaw, silent: number, t: number): FourCumulants {
  if (weights.length < values.length) weights = new Float64Array(values.length);
  const top = Math.max(0, t * values.at(-1)!);
  const unseen = silent * Real.exp(-top);
  let total = unseen;
  let [first, second] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    const weight = probabilities[i]! * Real.exp(t * value - top);
    weights[i] = weight;
    total += weight;
    first += weight * value;
    second += weight * value * value;
  }
  const mean = first / total;
  const variance = Math.max(0, second / total - mean * mean);
  let fourth = unseen * fourthPower(mean);
  for (let i = 0; i < values.length; i++) fourth += weights[i]! * fourthPower(values[i]! - mean);
  return { log: top + Real.log(total), mean, variance, fourth: fourth / total - 3 * variance * variance };
}

function fourthPower(x: number): number {
  return x * x * (x * x);
}

/**
 * log of 1 + excess times the mean of v^4 over a normal law's e^(-v^2 / 2) / (x^2 + v^2), which is x^4 + (1 -
 * x^2) x h with the hazard h of the normal law at x.
 */
function correction(x: number, hazard: number, excess: number): number {
  const mean = Math.max(0, fourthPower(x) + (1 - x * x) * x * hazard);
  return Real.log1p(Math.min(MOST_CORRECTED, Math.max(-0.5, excess * mean)));
}
