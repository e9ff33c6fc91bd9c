/**
 * The variation-ratio parameters (p, beta, q) accounted soundly. The pair of Wang et al. (PVLDB 17(8), 2024) takes the
 * other users' leftover messages for copies of the victim's; only a part of them is. With alpha = beta / (p-1),
 * r = alpha p / q, m = 1 - alpha - p alpha, and Q0, Q1, Q2 the normalised parts (R_0 - R_1)_+, (R_1 - R_0)_+ and
 * p min(R_0, R_1) - max(R_0, R_1) of the victim's two laws,
 *
 *     R_0 = p alpha Q0 + alpha Q1 + m Q2,   R_1 = alpha Q0 + p alpha Q1 + m Q2,
 *     R_x >= max(R_0, R_1) / q = r Q0 + r Q1 + (m/q) Q2 ,
 *
 * so that formula F1 (docs/soundness.md) holds with the cells (r, r, m/q) and nothing else is shared.
 *
 * The result grows with beta, so an upper bound of the total variation will do. Raising beta moves mass of the loss G
 * from its values g2 = (1 - e^eps) q and 0 to g0 = (p - e^eps) q/p and g1 = (1 - p e^eps) q/p, one half each; these
 * lie outside [g2, 0] for e^eps <= p, and E G = 1 - e^eps stays: the new law dominates in the convex order, and with
 * it E (G_1 + … + G_n)_+. At beta = (p-1)/(p+1) and q = p the cells are the stronger clones' (clones.ts), whose
 * number is therefore an upper bound for every epsilon0-LDP randomizer.
 */
import {
  interval,
  ParameterError,
  requireInteger,
  requireNonNegative,
  type Interval,
  type LikelihoodAtoms,
  type VariationRatio,
} from '@shuffle-dp/core';
import { blanketDivergence } from './privacy-blanket.ts';
import { epsilonAtDelta } from './privacy-profile.ts';
import { variationRatioDivergence, variationRatioEpsilon } from './variation-ratio.ts';
import { tellingCells } from './variation-ratio-asymmetric.ts';

/** An evaluation costs up to a second for millions of users; this is how much the upper end may exceed the best. */
const SEARCH_TOLERANCE = 1e-6;

/**
 * The three cells as blanket atoms; they need q >= 1 + beta.
 * @throws ParameterError as `variationRatioDivergence`, and for q < 1 + beta.
 */
export function correctedCells({ p, beta, q }: VariationRatio): LikelihoodAtoms {
  const { high, low, rest, others0, others1 } = tellingCells({ p, beta, q0: q, q1: q });
  if (q < (1 + beta) * (1 - 1e-12)) throw new ParameterError('q', q, `at least 1 + beta = ${1 + beta}`);
  return {
    label: 'corrected variation-ratio cells',
    victim0: Float64Array.of(high, low, rest),
    victim1: Float64Array.of(low, high, rest),
    others: Float64Array.of(others0, others1, rest / q),
    symmetric: true,
  };
}

/**
 * Upper bound of delta(epsilon) of every mechanism with these parameters: [0, upper]; the exact bracket of the
 * cells' divergence where beta = (p-1)/(p+1). @throws ParameterError
 */
export function correctedVariationRatioDivergence(
  parameters: VariationRatio,
  users: number,
  epsilon: number,
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  const cells = correctedCells(parameters);
  if (cells.victim0[2] === 0) return variationRatioDivergence(parameters, users, epsilon);
  if (epsilon >= Math.log(parameters.p) * (1 + 1e-15)) return interval(0, 0);
  return blanketDivergence(cells, users, epsilon, { ends: 'upper' });
}

/** Upper bound of epsilon at `delta`: [0, upper], with the conditions of `correctedVariationRatioDivergence`. */
export function correctedVariationRatioEpsilon(
  parameters: VariationRatio,
  users: number,
  delta: number,
): Interval {
  const cells = correctedCells(parameters);
  if (cells.victim0[2] === 0) return variationRatioEpsilon(parameters, users, delta);
  return epsilonAtDelta((epsilon) => correctedVariationRatioDivergence(parameters, users, epsilon), delta, {
    epsilonMax: parameters.p === Infinity ? 700 : 1.000001 * Math.log(parameters.p),
    relativeTolerance: SEARCH_TOLERANCE,
  });
}
