/**
 * Laws of whole numbers, reweighted by e^(tilt point) and divided by their total: a tail is the bulk of a
 * tilted law, and keeps its digits when it is transformed. Composition and sets of items add up losses this
 * way.
 */
import { Real } from '@shuffle-dp/core';

export interface LatticeLaw {
  /** Whole numbers; some atoms may share one. */
  readonly points: Float64Array;
  /** log of the masses, which may be below the doubles. */
  readonly logMass: Float64Array;
}

/** A lattice law tilted by exp(tilt point) and divided by its total. */
export interface TiltedLaw<Law extends LatticeLaw = LatticeLaw> {
  readonly law: Law;
  readonly masses: Float64Array;
  readonly logTotal: number;
  /** In steps. */
  readonly mean: number;
  /** In squared steps. */
  readonly variance: number;
}

/**
 * @param tilt for each step of the lattice
 * @param masses room for those of the result, which is overwritten: for searches, which keep none
 */
export function tilted<Law extends LatticeLaw>(
  law: Law,
  tilt: number,
  masses = new Float64Array(law.points.length),
): TiltedLaw<Law> {
  const { points, logMass } = law;
  let largest = -Infinity;
  for (let i = 0; i < points.length; i++) largest = Math.max(largest, logMass[i]! + tilt * points[i]!);
  let total = 0;
  let first = 0;
  for (let i = 0; i < points.length; i++) {
    const mass = Real.exp(logMass[i]! + tilt * points[i]! - largest);
    masses[i] = mass;
    total += mass;
    first += mass * points[i]!;
  }
  const mean = first / total;
  let second = 0;
  for (let i = 0; i < points.length; i++) {
    masses[i]! /= total;
    second += masses[i]! * (points[i]! - mean) ** 2;
  }
  return { law, masses, logTotal: largest + Real.log(total), mean, variance: second };
}

/**
 * Powers of points follow from those before them, but for every so many; of points so near to each other,
 * and where they are far from the ends of the doubles.
 */
const [ANEW, NEAR, SMALL, LARGE] = [16, 64, 1e-250, 1e250];

/** log E exp(power (loss - mean)), the loss in steps: infinity where it overflows, never too small. */
export function logCentredMoment({ law: { points }, masses, mean }: TiltedLaw, power: number): number {
  // From one point to another, by their distance; 0 where it was not asked for.
  const powers = new Float64Array(2 * NEAR + 1);
  let sum = 0;
  let own = 0;
  for (let i = 0; i < points.length; i++) {
    const distance = i % ANEW > 0 ? points[i]! - points[i - 1]! : Infinity;
    if (Math.abs(distance) <= NEAR && own > SMALL && own < LARGE)
      own *= powers[distance + NEAR]! || (powers[distance + NEAR] = Real.exp(power * distance));
    else own = Real.exp(power * (points[i]! - mean));
    // What underflows is not nothing, and where its power overflows nothing is known.
    sum += Math.max(masses[i]!, Number.MIN_VALUE) * own;
  }
  // Sixteen powers in a row err by a hundredth of that.
  return Real.log(sum) + 1e-12;
}
