/**
 * The hockey-stick divergence of two normal laws of deviation 1 whose means are `mu` apart: B. Balle, Y.-X.
 * Wang, "Improving the Gaussian Mechanism for Differential Privacy" (ICML 2018), Theorem 8. It is the same in
 * both directions.
 */
import * as Real from './elementary/index.ts';
import { logSubtract } from './log-space.ts';
import { ROUNDOFF } from './roundoff.ts';
import { logNormalTail, normalQuantile } from './normal-distribution.ts';

/**
 * Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), for mu >= 0 and epsilon >= 0; of NaN it is NaN.
 *
 * @example gaussianDivergence(1, 0) // 0.382925
 */
export function gaussianDivergence(mu: number, epsilon: number): number {
  if (mu === 0) return 0;
  const first = logNormalTail(epsilon / mu - mu / 2);
  const second = epsilon + logNormalTail(epsilon / mu + mu / 2);
  return first <= second ? 0 : Real.exp(logSubtract(first, second));
}

/**
 * The same with its rounding on top, and never 0 for mu > 0: a multiple of the rounding of both tails, whose
 * exponents are as large as their logarithms.
 *
 * @example gaussianDivergenceUpper(1, 0) // 0.382925
 */
export function gaussianDivergenceUpper(mu: number, epsilon: number): number {
  if (mu === 0) return 0;
  const first = logNormalTail(epsilon / mu - mu / 2);
  if (first === -Infinity) return Number.MIN_VALUE;
  const second = epsilon + logNormalTail(epsilon / mu + mu / 2);
  const error = ROUNDINGS * ROUNDOFF * (1 + Math.abs(first) + Math.abs(second) + epsilon);
  const value = Real.exp(logSubtract(first + error, second - error));
  return Math.min(1, value * (1 + 1e-12) + Number.MIN_VALUE);
}

/** Of an argument, its square and the tail, with room to spare. */
const ROUNDINGS = 32;

/**
 * The mu at which the divergence at epsilon = 0 is this total variation, in [0, 1]; at most 14.07.
 *
 * @example gaussianSeparation(0.3829249) // 1
 */
export function gaussianSeparation(totalVariation: number): number {
  // For small arguments the quantile of (1 + x)/2 would lose x.
  if (totalVariation < 1e-4) return totalVariation * Math.sqrt(2 * Math.PI);
  return 2 * normalQuantile(Math.min((1 + totalVariation) / 2, 1 - 1e-12));
}
