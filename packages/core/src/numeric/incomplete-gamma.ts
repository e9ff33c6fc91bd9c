/**
 * The regularised incomplete gamma functions Q(a, x) and P(a, x), relative error below 1e-11 for a up to 1e6.
 */
import * as Real from './elementary/index.ts';
import { requireNonNegative, requirePositive } from '../arguments.ts';
import { logGamma } from './log-gamma.ts';

/**
 * Q(a, x) = Gamma(a, x) / Gamma(a).
 *
 * @throws ParameterError unless a > 0 and x >= 0
 * @example regularizedGammaTail(1, 2) // 0.135335
 */
export function regularizedGammaTail(a: number, x: number): number {
  requirePositive('a', a);
  requireNonNegative('x', x);
  if (x === 0) return 1;
  const prefactor = Real.exp(a * Real.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - prefactor * lowerSeries(a, x) : prefactor * upperFraction(a, x);
}

/**
 * log P(a, x) for x below a + 1, where P = 1 - Q may have no digits; the caller knows log x, which x may not.
 */
export function logLowerGamma(a: number, x: number, logX: number = Real.log(x)): number {
  return a * logX - x - logGamma(a) + Real.log(lowerSeries(a, x));
}

function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; term > sum * 1e-17; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

/** Modified Lentz. */
function upperFraction(a: number, x: number): number {
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let value = d;
  for (let k = 1; k < 1_000_000; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b || 1e-300);
    c = b + numerator / c || 1e-300;
    const factor = c * d;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}
