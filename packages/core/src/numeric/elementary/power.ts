/** Powers. */
import { exactProduct } from '../double-double.ts';
import { exp } from './exponential.ts';
import { log } from './logarithm.ts';

/**
 * Whole powers by squaring with twice the digits, halves by a root beside; others by the exponential of the
 * logarithm, with an error of as many units in the last place as that has nats.
 *
 * @param base not negative unless the exponent is whole
 * @example Real.power(1.1, 10) // 2.59374
 */
export function power(base: number, exponent: number): number {
  if (exponent < 0) return 1 / power(base, -exponent);
  const whole = Math.floor(exponent);
  const rest = exponent - whole;
  if (rest === 0) return wholePower(base, exponent);
  return rest === 0.5 ? wholePower(base, whole) * Math.sqrt(base) : exp(exponent * log(base));
}

function wholePower(base: number, exponent: number): number {
  let high = 1;
  let low = 0;
  let [square, squareLow] = [base, 0];
  for (let rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) [high, low] = product(high, low, square, squareLow);
    if (rest > 1) [square, squareLow] = product(square, squareLow, square, squareLow);
  }
  return high + low;
}

/** Of two sums, each of a double and of what it lacks. */
function product(a: number, aLow: number, b: number, bLow: number): [high: number, low: number] {
  const { high, low } = exactProduct(a, b);
  // Beyond 2^996 the halves of a factor overflow, below 2^-969 they are cut.
  const isSafe = Math.abs(high) < 2 ** 990 && Math.abs(high) > 2 ** -960;
  return isSafe ? [high, low + (a * bLow + aLow * b)] : [a * b, 0];
}
