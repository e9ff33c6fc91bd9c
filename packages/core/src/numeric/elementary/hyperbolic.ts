/** Hyperbolic functions, by e^x - 1. */
import { exp, expm1 } from './exponential.ts';
import { log1p } from './logarithm.ts';

/** From here on e^-x is nothing beside e^x. */
const LARGE = 22;

/** @example Real.sinh(1) // 1.1752 */
export function sinh(x: number): number {
  if (Math.abs(x) > LARGE) return Math.sign(x) * halfExp(Math.abs(x));
  const less = expm1(Math.abs(x));
  return (Math.sign(x) * (less + less / (less + 1))) / 2;
}

/** @example Real.cosh(1) // 1.54308 */
export function cosh(x: number): number {
  if (Math.abs(x) > LARGE) return halfExp(Math.abs(x));
  const grown = exp(Math.abs(x));
  return (grown + 1 / grown) / 2;
}

/** e^x / 2, which may be finite where e^x is not. */
function halfExp(x: number): number {
  return x < 709 ? exp(x) / 2 : (exp(x / 2) / 2) * exp(x / 2);
}

/** @example Real.tanh(1) // 0.761594 */
export function tanh(x: number): number {
  if (Math.abs(x) > LARGE) return Math.sign(x);
  const less = expm1(2 * Math.abs(x));
  return (Math.sign(x) * less) / (less + 2);
}

/** @example Real.atanh(0.5) // 0.549306 */
export function atanh(x: number): number {
  return (Math.sign(x) * log1p((2 * Math.abs(x)) / (1 - Math.abs(x)))) / 2;
}
