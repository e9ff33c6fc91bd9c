/** The cumulant generating function K(theta) = log E e^(theta L) of total losses, and what Chernoff's bound makes of it. */
import { Real } from '@shuffle-dp/core';
import type { PrivacyLossDistribution } from './privacy-loss-distribution.ts';

/** Equal independent rounds of one distribution. All rounds of a composition have one step. */
export interface LatticeRound {
  readonly distribution: PrivacyLossDistribution;
  readonly count: number;
}

export interface Cumulants {
  /** K(theta) of the finite losses, whose total mass may be below 1. */
  readonly log: number;
  /** K'(theta): the mean under the tilted law. */
  readonly mean: number;
  /** K''(theta): its variance. */
  readonly variance: number;
}

/** Of the sum of all rounds. */
export function cumulants(rounds: readonly LatticeRound[], theta: number): Cumulants {
  let log = 0;
  let mean = 0;
  let variance = 0;
  for (const { distribution, count } of rounds) {
    const own = roundCumulants(distribution, theta);
    log += count * own.log;
    mean += count * own.mean;
    variance += count * own.variance;
  }
  return { log, mean, variance };
}

/** Of one round. */
export function roundCumulants(distribution: PrivacyLossDistribution, theta: number): Cumulants {
  const { masses, offset, step } = distribution;
  let top = -Infinity;
  for (let i = 0; i < masses.length; i++) {
    if (masses[i]! > 0) top = Math.max(top, Real.log(masses[i]!) + theta * (offset + i) * step);
  }
  // A distribution of infinite losses alone: no finite total is possible.
  if (top === -Infinity) return { log: -Infinity, mean: 0, variance: 0 };
  let total = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < masses.length; i++) {
    const loss = (offset + i) * step;
    const weight = tiltedMass(masses[i]!, theta * loss - top);
    total += weight;
    first += weight * loss;
    second += weight * loss * loss;
  }
  const mean = first / total;
  return { log: top + Real.log(total), mean, variance: Math.max(0, second / total - mean * mean) };
}

/** mass e^exponent, also where the factor alone would overflow. */
export function tiltedMass(mass: number, exponent: number): number {
  if (mass === 0) return 0;
  return exponent < 600 ? mass * Real.exp(exponent) : Real.exp(Real.log(mass) + exponent);
}

/** Least and largest finite total, in steps. */
export function supportOf(rounds: readonly LatticeRound[]): readonly [least: number, most: number] {
  let least = 0;
  let most = 0;
  for (const { distribution, count } of rounds) {
    const { masses, offset } = distribution;
    least += count * offset;
    most += count * (offset + masses.length - 1);
  }
  return [least, most];
}

/**
 * The argument x >= 0 at which a rising function crosses 0, from above to a few digits: 0 if it is not negative there, and
 * `most` if it is so up to there.
 * @param scale where to look first
 */
export function crossing(f: (x: number) => number, scale: number, most: number): number {
  if (!(f(0) < 0)) return 0;
  let low = 0;
  let high = Math.min(scale, most);
  while (f(high) < 0) {
    if (high === most) return most;
    low = high;
    high = Math.min(2 * high, most);
  }
  for (let step = 0; step < 60 && high - low > 1e-6 * high; step++) {
    const middle = (low + high) / 2;
    if (f(middle) < 0) low = middle;
    else high = middle;
  }
  return high;
}
