/**
 * Masses of cells under normal laws. A difference of two tails loses what both have in common, thousands of
 * roundoffs for cells of a hundredth of a deviation; differences of such masses, which tell inputs apart, lose
 * more.
 */
import * as Real from './elementary/index.ts';
import { exactProduct, minus } from './double-double.ts';
import { integrateSmooth } from './gauss-legendre.ts';
import { normalTail } from './normal-distribution.ts';

/** Cells of at most so many deviations are integrated; the rule is exact there to some roundoffs. */
const NARROW = 0.25;
const ORDER = 12;
const INVERSE_SQRT_TWO_PI = 0.398942280401432677939946059934;

/**
 * Pr[from < centre + deviation Z < to] for a standard normal Z. Of cells of at most a quarter of a deviation,
 * up to 35 deviations from the centre, the relative error is below 20 roundoffs; of others it is that of a
 * difference of tails.
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
  const density =
    INVERSE_SQRT_TWO_PI * Real.exp(-0.5 * square.high) * (1 - (0.5 * square.low + middle * rest));
  const half = (to - from) / (2 * deviation);
  return density * integrateSmooth((z) => Real.exp(-z * (middle + 0.5 * z)), -half, half, ORDER);
}

/** The sum of two numbers, and what rounding it left. */
function exactSum(a: number, b: number): { readonly high: number; readonly low: number } {
  const high = a + b;
  const other = high - a;
  return { high, low: a - (high - other) + (b - other) };
}
