/** Quantiles of the gamma law, far tails included. */
import * as Real from './elementary/index.ts';
import { requirePositive } from '../arguments.ts';
import { ParameterError } from '../errors.ts';
import { logLowerGamma, regularizedGammaTail } from './incomplete-gamma.ts';
import { logGamma } from './log-gamma.ts';
import { normalQuantile } from './normal-distribution.ts';
import { bracketRoot } from './root.ts';

/**
 * From here on the cube root is normal to 1e-9 at tails down to 1e-10 (E. B. Wilson, M. M. Hilferty, PNAS 17,
 * 1931).
 */
const WILSON_HILFERTY_FROM = 1e6;
const TOLERANCE = { absoluteTolerance: 1e-12, relativeTolerance: 0 };

/**
 * The logarithm of the x with Pr[X <= x] = p ('below') or Pr[X > x] = p ('above') for X of the gamma law with
 * this shape and scale 1. The logarithm, because small shapes have quantiles that underflow. Error below
 * 1e-9.
 * @throws ParameterError unless p is in (0, 1/2] and the shape positive
 */
export function logGammaQuantile(p: number, shape: number, side: 'below' | 'above'): number {
  requirePositive('shape', shape);
  if (!(p > 0 && p <= 0.5)) throw new ParameterError('p', p, 'in (0, 1/2]');
  if (shape >= WILSON_HILFERTY_FROM) {
    const z = side === 'below' ? normalQuantile(p) : -normalQuantile(p);
    const spread = 1 / (9 * shape);
    return Real.log(shape) + 3 * Real.log(1 - spread + z * Math.sqrt(spread));
  }
  const logP = Real.log(p);
  if (side === 'below') {
    // Pr[X <= x] < x^shape / Gamma(shape + 1), so the quantile is above what this bound gives.
    const low = (logP + logGamma(shape + 1)) / shape;
    const high = Real.log(shape + 1);
    return bracketRoot((y) => logLowerGamma(shape, Real.exp(y), y) - logP, low - 1e-9, high, TOLERANCE).lower;
  }
  let high = Real.log(shape + 2);
  const excess = (y: number): number => logP - Real.log(regularizedGammaTail(shape, Real.exp(y)));
  while (excess(high) < 0) high += 0.5;
  let low = Math.min(high - 1, Real.log(shape) - 1);
  while (excess(low) > 0) low -= 2;
  return bracketRoot(excess, low, high, TOLERANCE).upper;
}
