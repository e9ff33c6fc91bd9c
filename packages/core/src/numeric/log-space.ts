/** Arithmetic on logarithms of non-negative numbers; -Infinity stands for zero. */
import * as Real from './elementary/index.ts';

/**
 * log(e^a + e^b).
 *
 * @example logAdd(Math.log(2), Math.log(3)) // 1.60944
 */
export function logAdd(a: number, b: number): number {
  if (a === -Infinity) return b;
  if (b === -Infinity) return a;
  if (b === Infinity) return b;
  return a > b ? a + Real.log1p(Real.exp(b - a)) : b + Real.log1p(Real.exp(a - b));
}

/**
 * log(e^a - e^b) for a >= b; NaN for a < b.
 *
 * @example logSubtract(Math.log(5), Math.log(2)) // 1.09861
 */
export function logSubtract(a: number, b: number): number {
  if (b === -Infinity) return a;
  if (a === b) return -Infinity;
  return a + log1mExp(b - a);
}

/**
 * log(1 - e^x) for x <= 0, without cancellation at either end.
 *
 * @example log1mExp(-1e-20) // -46.0517
 */
export function log1mExp(x: number): number {
  return x > -Math.LN2 ? Real.log(-Real.expm1(x)) : Real.log1p(-Real.exp(x));
}

/**
 * log(1 + s) - s for s > -1, without cancellation near 0.
 *
 * @example log1pMinus(1e-8) // -5e-17
 */
export function log1pMinus(s: number): number {
  if (Math.abs(s) > 0.06) return Real.log1p(s) - s;
  // s^2 (-1/2 + s/3 - s^2/4 + …), thirteen terms: the next is below 1e-16 of the first.
  let sum = -1 / 14;
  for (let k = 13; k >= 2; k--) sum = (k % 2 === 0 ? -1 : 1) / k + s * sum;
  return s * s * sum;
}

/**
 * log of the sum of e^v over all values; -Infinity for none.
 *
 * @example logSumExp([-1000, -1000]) // -999.307
 */
export function logSumExp(values: ArrayLike<number>): number {
  let peak = -Infinity;
  for (let i = 0; i < values.length; i++) peak = Math.max(peak, values[i]!);
  if (peak === -Infinity || peak === Infinity) return peak;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += Real.exp(values[i]! - peak);
  return peak + Real.log(sum);
}
