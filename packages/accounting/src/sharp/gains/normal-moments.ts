/**
 * About what `MinimumMoments` bounds, a hundred times faster: near zero |M(t + iv) / M(t)|^count is e^(-count
 * variance v^2 / 2) (1 + count kappa v^4 / 24), kappa the fourth cumulant, and the integral of that over t^2
 * + v^2 is a normal tail with a correction. For comparing parameters, never for a bound.
 */
import { Real } from '@shuffle-dp/core';
import { tilt } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';
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
  readonly #spacing: number;
  readonly #nodes: (FourCumulants | undefined)[] = [];

  /** @param count about how many copies; @param at about where it is asked for */
  constructor(law: LossLaw, count: number, at: number) {
    this.#law = law;
    this.#spacing = SPACING / Math.sqrt(count * cumulantsOf(law, at).variance);
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
    return (this.#nodes[i] ??= cumulantsOf(this.#law, i * this.#spacing));
  }
}

function cumulantsOf(law: LossLaw, t: number): FourCumulants {
  const { logMean, mean, secondMoment, weights } = tilt(law, t);
  const variance = Math.max(0, secondMoment - mean * mean);
  let fourthMoment = 0;
  let weight = 0;
  for (let i = 0; i < weights.length; i++) {
    fourthMoment += weights[i]! * fourthPower(law.values[i]! - mean);
    weight += weights[i]!;
  }
  fourthMoment += Math.max(0, 1 - weight) * fourthPower(mean);
  return { log: logMean, mean, variance, fourth: fourthMoment - 3 * variance * variance };
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
