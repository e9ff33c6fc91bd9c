/**
 * The law of the total loss of a product, by transforms. The factors' laws are tilted before they are
 * convolved, so that the tail has relative accuracy, and convolved on a circle that holds what matters of the
 * tilted total: what is wrapped around it is charged by Chernoff's bound.
 */
import { Real, ROUNDOFF, transformSize } from '@shuffle-dp/core';
import { logCentredMoment, tilted } from '../../lattice/tilted-law.ts';
import type { LatticeProduct } from './lattice-product.ts';
import { excessAt, largestWeighed } from './split-excess.ts';
import { convolve, type TiltedFactor } from './tilted-factors.ts';

interface TiltedProduct {
  readonly factors: readonly TiltedFactor[];
  readonly logTotal: number;
  /** In steps. */
  readonly mean: number;
  readonly deviation: number;
}

/**
 * The lattice points of the total that are looked at, from `start` to `end`, around a circle of `size`, and
 * bounds on the mass beyond.
 */
interface Circle {
  readonly size: number;
  readonly start: number;
  readonly end: number;
  readonly above: number;
  readonly below: number;
}

export interface DivergencePart {
  /**
   * Not a number where the tilt leaves the doubles: nothing is known then, and a smaller tilt is as valid.
   */
  readonly value: number;
  /** The share of the value that stands for rounding and for what the circle wraps. */
  readonly charged: number;
  /** Of a lower end: the share that the split may have added, and the end is without. */
  readonly lost: number;
}

/** Under which tilt, for each unit of loss, and for which epsilons a product is convolved. */
export interface Convolution {
  readonly tilt: number;
  readonly from: number;
  readonly to: number;
  /**
   * Of the mass, about, on a circle around which it goes: 0 for none, infinity for what eight deviations
   * leave.
   */
  readonly mostWrapped: number;
}

/** Deviations of the tilted total on either side of its mean that the circle holds. */
const REACH = { upper: 8, lower: 7.7 } as const;
/** By so much the circle grows where too much is wrapped. */
const FURTHER = 1.4;
/**
 * Circles of more points are none: they are asked for where an epsilon lies millions of steps beyond all that
 * is likely.
 */
const LARGEST_CIRCLE = 2 ** 20;
/** Logarithm of a tail that no other power need make smaller. */
const SMALL_TAIL = -25;
/** What a split may have added, and the factors by which masses were weighed in it. */
interface Excess {
  readonly sum: number;
  readonly seen: number;
}
const NOTHING: Excess = { sum: 0, seen: 0 };
/** Factors are carried on for so many points, each with an error of a few units in the last place. */
const STRIDE = 64;

function tiltedProduct({ factors }: LatticeProduct, tiltOfStep: number): TiltedProduct {
  let logTotal = 0;
  let mean = 0;
  let variance = 0;
  const all = factors.map((factor): TiltedFactor => {
    const pairs = factor.labels.map(({ logWeight, sent, unsent }) => {
      const laws = { sent: tilted(sent, tiltOfStep), unsent: tilted(unsent, tiltOfStep) };
      return { ...laws, log: logWeight + laws.sent.logTotal + laws.unsent.logTotal };
    });
    const largest = pairs.reduce((most, { log }) => Math.max(most, log), -Infinity);
    const sum = pairs.reduce((total, { log }) => total + Real.exp(log - largest), 0);
    const labels = pairs.map(({ sent, unsent, log }) => ({
      weight: Real.exp(log - largest) / sum,
      sent,
      unsent,
    }));
    let first = 0;
    let second = 0;
    for (const { weight, sent, unsent } of labels) first += weight * (sent.mean + unsent.mean);
    for (const { weight, sent, unsent } of labels) {
      second += weight * (sent.variance + unsent.variance + (sent.mean + unsent.mean - first) ** 2);
    }
    const log = largest + Real.log(sum);
    logTotal += factor.copies * log;
    mean += factor.copies * first;
    variance += factor.copies * second;
    return { factor, labels };
  });
  return { factors: all, logTotal, mean, deviation: Math.sqrt(variance) };
}

/**
 * Bound on the tilted mass of totals of at least `point` where `sign` is 1, of at most `point` where it is
 * -1: Chernoff's, the best of a few powers.
 */
function tailBound({ factors, mean, deviation }: TiltedProduct, point: number, sign: 1 | -1): number {
  const distance = sign * (point - mean);
  if (!(distance > 0)) return 1;
  let best = 0;
  for (const share of [1, 0.75, 0.5]) {
    const power = (sign * share * distance) / (deviation * deviation);
    let log = -power * point;
    for (const { factor, labels } of factors) {
      let largest = -Infinity;
      const logs = labels.map(({ weight, sent, unsent }) => {
        const value =
          Real.log(weight) +
          power * (sent.mean + unsent.mean) +
          logCentredMoment(sent, power) +
          logCentredMoment(unsent, power);
        largest = Math.max(largest, value);
        return value;
      });
      if (largest === Infinity) return Real.exp(best);
      const sum = logs.reduce((total, value) => total + Real.exp(value - largest), 0);
      log += factor.copies * (largest + Real.log(sum));
    }
    best = Math.min(best, log);
    if (best < SMALL_TAIL) break;
  }
  return Real.exp(best) * (1 + 1e-9);
}

/**
 * The part of the divergence that the product has at finite losses, by its law under `tilt`, at any epsilon
 * from `from` to `to`: from above or from below.
 */
export function convolvedDivergence(
  product: LatticeProduct,
  { tilt, from, to, mostWrapped }: Convolution,
): (epsilon: number) => DivergencePart {
  const { side, step, waves, weights, least, most, copies, excess, error } = product;
  const tiltedLaws = tiltedProduct(product, tilt * step);
  const { mean, deviation, logTotal } = tiltedLaws;
  const circleOf = (reach: number): Circle => {
    // Losses below `from` are none of the divergence, so the circle may begin about there.
    const first = from / step - (side === 'lower' ? excess.reach : 0);
    const bottom = Math.max(least, Math.floor(Math.min(mean - reach * deviation, first)));
    const top = Math.min(most, Math.ceil(Math.max(mean, to / step) + reach * deviation));
    const wraps = mostWrapped > 0 && transformSize(top - bottom + 1) < transformSize(most - least + 1);
    const size = transformSize(wraps ? top - bottom + 1 : most - least + 1);
    const start = wraps ? bottom : least;
    const end = Math.min(most, start + size - 1);
    const above = end < most ? tailBound(tiltedLaws, end + 1, 1) : 0;
    // An upper end only grows by what is wrapped into it from there.
    const below = side === 'lower' && start > least ? tailBound(tiltedLaws, start - 1, -1) : 0;
    return { size, start, end, above, below };
  };
  let reach: number = REACH[side];
  let circle = circleOf(reach);
  // The tails of few messages are long.
  while ((circle.above + circle.below) * weights > mostWrapped && circle.size <= LARGEST_CIRCLE)
    circle = circleOf((reach *= FURTHER));
  const { size, start, end, above, below } = circle;
  // Chernoff's bound of all losses above epsilon: the tilted masses are 1 together.
  if (size > LARGEST_CIRCLE)
    return (epsilon) => {
      const rounding = 1e-9 + 16 * ROUNDOFF * (Math.abs(logTotal) + tilt * Math.abs(epsilon));
      const most = weights * Real.exp(logTotal - tilt * epsilon + rounding);
      return { value: side === 'upper' ? most : 0, charged: 1, lost: 0 };
    };
  const law = convolve(tiltedLaws.factors, waves, size);
  const shareOfStep = -Real.expm1(-step);
  const keptOfStep = Real.exp(-step);
  const weightOfStep = Real.exp(-tilt * step);
  const peak = side === 'upper' ? 0 : largestWeighed(excess, tilt);
  /** In units of the scale below. What is weighed by less than nothing would hide as much of it. */
  const excessAround = (epsilon: number): Excess => {
    if (excess.most === 0) return NOTHING;
    let [sum, seen] = [waves.below === 0 ? 0 : waves.below * peak, 0];
    const middle = Math.floor(epsilon / step);
    const last = Math.min(end, middle + 1 + excess.reach);
    for (let point = Math.max(start, middle - excess.reach); point <= last; point++) {
      const distance = point * step - epsilon;
      const factor = excessAt(excess, distance) * Real.exp(-tilt * distance);
      sum += factor * Math.max(0, law[(point - least) & (size - 1)]!);
      seen += factor;
    }
    return { sum: sum * (1 + 3 * error), seen };
  };

  return (epsilon) => {
    // Terms of the sum in units of `scale`, which may be far below the smallest double.
    let sum = 0;
    let seen = 0;
    let point = Math.max(start, Math.floor(epsilon / step) + 1);
    while (point <= end && point * step <= epsilon) point++;
    while (point <= end) {
      // 1 - exp(-beyond) and exp(-tilt beyond), exactly and then from point to point.
      const beyond = point * step - epsilon;
      let share = -Real.expm1(-beyond);
      let weight = Real.exp(-tilt * beyond);
      for (const last = Math.min(end, point + STRIDE - 1); point <= last; point++) {
        const factor = share * weight;
        const mass = law[(point - least) & (size - 1)]!;
        // Waves that are left out may leave a little less than nothing, which a lower end has to count.
        sum += factor * (side === 'upper' ? Math.max(0, mass) : mass);
        seen += factor;
        share = shareOfStep + share * keptOfStep;
        weight *= weightOfStep;
      }
    }
    // A lower end is without what the split may have added.
    const less = side === 'upper' ? NOTHING : excessAround(epsilon);
    // Entries of a convolution err by less than 1e-15, and by as much again for every further factor.
    const roundoff =
      3e-15 * (copies + 2) * weights * (seen + less.seen) + 1e-12 * (Math.max(0, sum) + less.sum);
    // Upper: what lies beyond the circle's end has at most the factor there; what is wrapped into it only
    // adds. Lower: what is wrapped into the circle has at most the largest factor, and what the circle lacks
    // may weigh less than nothing.
    const wrapped =
      side === 'upper'
        ? above * Real.exp(-tilt * Math.max(0, end * step - epsilon))
        : 2 * (above + below) * (1 / (1 + tilt) + peak);
    // And what lies beyond epsilon is rounded as that is.
    const charge = roundoff + weights * (wrapped + 4 * ROUNDOFF * Math.abs(epsilon));
    const scale = Real.exp(logTotal - tilt * epsilon);
    const rounding = 16 * ROUNDOFF * (Math.abs(logTotal) + tilt * Math.abs(epsilon));
    const value =
      side === 'upper'
        ? (sum + charge) * (1 + rounding)
        : Math.max(0, sum - less.sum - charge) * Math.max(0, 1 - rounding);
    return { value: value * scale, charged: charge / value, lost: less.sum / sum };
  };
}
