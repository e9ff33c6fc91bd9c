/**
 * The cumulant generating function K(theta) = log E e^(theta L) of total losses, and what Chernoff's bound
 * makes of it.
 */
import { Real } from '@shuffle-dp/core';
import { tilted, type LatticeLaw } from '../lattice/tilted-law.ts';
import type { PrivacyLossDistribution } from './privacy-loss-distribution.ts';

/** Equal independent rounds of one distribution. All rounds of a composition have one step. */
export interface LatticeRound {
  readonly distribution: PrivacyLossDistribution;
  /** The finite losses. None where every loss is infinite. */
  readonly law: LatticeLaw;
  readonly count: number;
}

export function latticeRound(distribution: PrivacyLossDistribution, count: number): LatticeRound {
  const { masses, offset } = distribution;
  const places = Float64Array.from(masses.keys()).filter((i) => masses[i]! > 0);
  const law = { points: places.map((i) => offset + i), logMass: places.map((i) => Real.log(masses[i]!)) };
  return { distribution, law, count };
}

export interface Cumulants {
  /** K(theta) of the finite losses, whose total mass may be below 1. */
  readonly log: number;
  /** K'(theta): the mean under the tilted law. */
  readonly mean: number;
  /** K''(theta): its variance. */
  readonly variance: number;
}

/** The cumulants of the sum of all rounds. */
export function cumulants(rounds: readonly LatticeRound[], theta: number): Cumulants {
  let log = 0;
  let mean = 0;
  let variance = 0;
  for (const { distribution, law, count } of rounds) {
    const { step } = distribution;
    if (law.points.length === 0) {
      // No finite total is possible.
      log = -Infinity;
      continue;
    }
    const own = tilted(law, theta * step);
    log += count * own.logTotal;
    mean += count * own.mean * step;
    variance += count * own.variance * step * step;
  }
  return { log, mean, variance };
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
 * The argument x >= 0 at which a rising function crosses 0, from above to a few digits: 0 if it is not
 * negative there, and `most` if it is so up to there.
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
