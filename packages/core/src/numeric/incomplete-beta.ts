/**
 * The regularised incomplete beta function I_x(a, b): relative error below 1e-12 in the bulk, 1e-9 far out in
 * logs.
 */
import * as Real from './elementary/index.ts';
import { requirePositive, requireProbability } from '../arguments.ts';
import { gaussLegendre } from './gauss-legendre.ts';
import { HALF_LOG_TWO_PI, logGamma, stirlingCorrection } from './log-gamma.ts';
import { log1mExp, log1pMinus } from './log-space.ts';

/**
 * I_x(a, b) for x in [0, 1] and a, b > 0; 0 where it underflows.
 *
 * @throws ParameterError
 * @example regularizedIncompleteBeta(0.5, 2, 1) // 0.25
 */
export function regularizedIncompleteBeta(x: number, a: number, b: number): number {
  return Real.exp(logRegularizedIncompleteBeta(x, a, b));
}

/**
 * log I_x(a, b) for a, b > 0.
 *
 * @throws ParameterError
 * @example logRegularizedIncompleteBeta(0.5, 2000, 1) // -1386.29
 */
export function logRegularizedIncompleteBeta(x: number, a: number, b: number): number {
  requireProbability('x', x);
  requirePositive('a', a);
  requirePositive('b', b);
  if (x === 0) return -Infinity;
  if (x === 1) return 0;
  if (x <= a / (a + b)) return lowerPart(x, 1 - x, a, b);
  return log1mExp(lowerPart(1 - x, x, b, a));
}

/** log I_x(a, b) for x below the mean, y = 1 - x. */
function lowerPart(x: number, y: number, a: number, b: number): number {
  const logPrefactor =
    a * Real.log(x) + b * (x < 0.5 ? Real.log1p(-x) : Real.log(y)) - logBeta(a, b) - Real.log(a);
  return logPrefactor + Real.log(continuedFraction(x, a, b));
}

function logBeta(a: number, b: number): number {
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 40) return logGamma(small) + logGamma(large) - logGamma(a + b);
  // log Gamma(large) - log Gamma(large + small) with the large parts cancelled by hand.
  const ratio = (large - 0.5) * Real.log1p(small / large) + small * Real.log(a + b) - small;
  return logGamma(small) - ratio + correctionAt(large) - correctionAt(a + b);
}

/** Stirling's correction of log Gamma at a real x of at least 16. */
function correctionAt(x: number): number {
  return x >= 16 ? stirlingCorrection(x) : logGamma(x) - (x - 0.5) * Real.log(x) + x - HALF_LOG_TWO_PI;
}

/** Modified Lentz evaluation; converges fast for x below the mean. */
function continuedFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / guard(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guard(1 + even * d);
    c = guard(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guard(1 + odd * d);
    c = guard(1 + odd / c);
    const factor = d * c;
    value *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return value;
}

/** Lentz's method must not divide by zero. */
function guard(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}

/**
 * I_x(a, b) divided by x^a y^(b-1) / (a B(a, b)), for x below the mean of a very wide beta law and y = 1 - x:
 * the factor between a binomial tail and its first probability. Gauss-Legendre on the part of the integral
 * that carries mass. `margin` is (a - 1) y - (b - 1) x: the exponent's linear part, which the caller forms in
 * doubled precision because it cancels to a millionth of its terms.
 */
export function wideIncompleteBetaRatio(a: number, b: number, x: number, y: number, margin: number): number {
  const slope = margin / (x * y);
  const curvature = (a - 1) / (x * x) + (b - 1) / (y * y);
  // Where the exponent has fallen by 45 (slope u + curvature u^2 / 2 = 45), and some more for its higher
  // terms.
  const reach = Math.min(x, (1.4 * 90) / (slope + Math.sqrt(slope * slope + 90 * curvature)));
  const { nodes, weights } = gaussLegendre(96);
  let sum = 0;
  for (let i = 0; i < nodes.length; i++) {
    const u = (reach * (1 + nodes[i]!)) / 2;
    const exponent = -slope * u + (a - 1) * log1pMinus(-u / x) + (b - 1) * log1pMinus(u / y);
    sum += weights[i]! * Real.exp(exponent);
  }
  return ((sum * reach) / 2) * (a / x);
}
