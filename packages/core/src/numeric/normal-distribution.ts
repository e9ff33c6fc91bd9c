/** The standard normal distribution. Relative error below 1e-13 everywhere, tails included. */
import * as Real from './elementary/index.ts';
import { requireOpenUnit } from '../arguments.ts';
import { exactProduct, minus } from './double-double.ts';
import { integrateSmooth } from './gauss-legendre.ts';
import { HALF_LOG_TWO_PI } from './log-gamma.ts';

/** 1 / sqrt(2 pi). */
const INVERSE_SQRT_TWO_PI = 0.398942280401432677939946059934;
/** Below this the series around zero, above it the continued fraction of Mills' ratio. */
const SERIES_UP_TO = 3;

/**
 * Density at z.
 *
 * @example normalPdf(0) // 0.398942
 */
export function normalPdf(z: number): number {
  return INVERSE_SQRT_TWO_PI * Real.exp(-0.5 * z * z);
}

/**
 * Pr[Z > z].
 *
 * @example normalTail(2) // 0.0227501
 */
export function normalTail(z: number): number {
  if (z < 0) return 1 - normalTail(-z);
  return z < SERIES_UP_TO ? 0.5 - centralMass(z) : normalPdf(z) * millsRatio(z);
}

/**
 * log Pr[Z > z], finite up to z = 1e154, whose square is a double.
 *
 * @example logNormalTail(40) // -804.608
 */
export function logNormalTail(z: number): number {
  if (z < 0) return Real.log1p(-normalTail(-z));
  if (z < SERIES_UP_TO) return Real.log(normalTail(z));
  return Real.log(millsRatio(z)) - 0.5 * z * z - HALF_LOG_TWO_PI;
}

/** Pr[0 < Z < z] = pdf(z) (z + z^3/3 + z^5/(3*5) + …): positive terms only. */
function centralMass(z: number): number {
  let term = z;
  let sum = z;
  for (let k = 3; term > sum * 1e-17; k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return normalPdf(z) * sum;
}

/** Pr[Z > z] / pdf(z) by its continued fraction 1/(z + 1/(z + 2/(z + 3/…))), from the inside out. */
function millsRatio(z: number): number {
  const depth = Math.ceil(24 + 700 / (z * z));
  let denominator = z;
  for (let k = depth; k >= 1; k--) denominator = z + k / denominator;
  return 1 / denominator;
}

/**
 * The z with Pr[Z <= z] = p, for p in (0, 1).
 *
 * @throws ParameterError
 * @example normalQuantile(0.975) // 1.95996
 */
export function normalQuantile(p: number): number {
  requireOpenUnit('p', p);
  if (p > 0.5) return -lowerQuantile(1 - p);
  return lowerQuantile(p);
}

/** For p at most 1/2: a first guess, then Newton on the logarithm of the tail, which is concave. */
function lowerQuantile(p: number): number {
  if (p === 0.5) return 0;
  const target = Real.log(p);
  let z = Math.sqrt(Math.max(0, -2 * target - Real.log(Math.max(1, -4 * target)) - 0.5));
  for (let step = 0; step < 60; step++) {
    const tail = logNormalTail(z);
    const slope = -Real.exp(-0.5 * z * z - HALF_LOG_TWO_PI - tail);
    const change = (tail - target) / slope;
    z -= change;
    if (Math.abs(change) <= 1e-15 * Math.max(1, Math.abs(z))) break;
  }
  return -z;
}

/** Cells of at most so many deviations are integrated; the rule is exact there to some roundoffs. */
const NARROW = 0.25;
const ORDER = 12;

/**
 * Pr[from < centre + deviation Z < to] for a standard normal Z. Of cells of at most a quarter of a deviation,
 * up to 35 deviations from the centre, the relative error is below 20 roundoffs; of others it is that of a
 * difference of tails, which would lose ten thousands of roundoffs in narrow ones, and more where such masses
 * are subtracted to tell inputs apart.
 *
 * @param deviation positive; the ends may be infinite
 * @example normalMass(0, 1, -1, 1) // 0.682689
 */
export function normalMass(centre: number, deviation: number, from: number, to: number): number {
  if (to - from > NARROW * deviation) {
    const [low, high] = [(from - centre) / deviation, (to - centre) / deviation];
    return low + high > 0 ? normalTail(low) - normalTail(high) : normalTail(-high) - normalTail(-low);
  }
  // The middle of the cell in deviations, and what rounding left of it: its square is an exponent.
  const ends = exactSum(from, to);
  const place = exactSum(ends.high, -2 * centre);
  const middle = place.high / (2 * deviation);
  const rest =
    (minus(place.high, exactProduct(middle, 2 * deviation)) + place.low + ends.low) / (2 * deviation);
  const square = exactProduct(middle, middle);
  const density = normalPdf(middle) * (1 - (0.5 * square.low + middle * rest));
  const half = (to - from) / (2 * deviation);
  return density * integrateSmooth((z) => Real.exp(-z * (middle + 0.5 * z)), -half, half, ORDER);
}

/** The sum of two numbers, and what rounding it left. */
function exactSum(a: number, b: number): { readonly high: number; readonly low: number } {
  const high = a + b;
  const other = high - a;
  return { high, low: a - (high - other) + (b - other) };
}
