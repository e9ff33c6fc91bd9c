/**
 * The variation-ratio accountant: the divergence of the shuffled pair of Wang et al., "Privacy Amplification
 * via Shuffling: Unified, Simplified, and Tightened" (PVLDB 17(8), 2024), Theorems 4.7 and 4.8, as a bracket.
 *
 * The pair is evaluated exactly; whether it bounds a mechanism is another matter. It does where beta =
 * (p-1)/(p+1), or p is infinite and beta = 1; elsewhere its message class "neither" is counted as if all
 * users shared it, and exact data sets exceed it (docs/soundness.md). Use the blanket accountant for a
 * certified bound.
 *
 * Where we differ: the sum is Theorem 4.8's in the option form, whose terms are not negative, in a window
 * around the number of clones that dominates; omitted and rounded parts are bounded and go outward.
 */
import {
  exactly,
  ParameterError,
  requireInteger,
  requireNonNegative,
  requireProbability,
  type Interval,
  type VariationRatio,
} from '@shuffle-dp/core';
import { concludedSearch } from './concluded-search.ts';
import { isLong, type Effort } from './expected-excess.ts';
import { epsilonAtDelta } from '../privacy-profile.ts';
import {
  divergenceProblem,
  fromLogs,
  LARGEST_EPSILON,
  logDelta,
  logEstimate,
  logRatio,
  tellingCells,
  type TellingCells,
} from './variation-ratio-asymmetric.ts';

/** Users up to here: n and n - 1 are distinct integers with room for their multiples. */
export const MOST_COUNTED = 1e13;

/**
 * Bracket of the divergence of the pair at e^epsilon; the pair is symmetric, so this is its delta(epsilon).
 * `users` counts the victim, up to 1e13. Relative width below 1e-9 down to delta = 1e-300, except within
 * rounding of epsilon = log p, where the divergence vanishes. A coarse one of more than some 1e10 users is
 * known to 1e-6 of itself.
 * @throws ParameterError for p <= 1, beta > (p-1)/(p+1), q < max(1, 2 beta p/(p-1)), users < 1, epsilon < 0.
 * @example variationRatioDivergence({ p: Math.E, beta: 0.2, q: Math.E }, 1000, 0.2) // { lower: 2.01779e-17, upper: 2.01779e-17 }
 */
export function variationRatioDivergence(
  parameters: VariationRatio,
  users: number,
  epsilon: number,
  effort?: Effort,
): Interval {
  return fromLogs(logVariationRatioDivergence(parameters, users, epsilon, effort));
}

/**
 * The same as natural logarithms, for divergences too small for a double; -Infinity stands for 0.
 *
 * @example logVariationRatioDivergence({ p: Math.E, beta: 0.2, q: Math.E }, 1000, 0.2) // { lower: -38.4419, upper: -38.4419 }
 */
export function logVariationRatioDivergence(
  parameters: VariationRatio,
  users: number,
  epsilon: number,
  effort?: Effort,
): Interval {
  requireInteger('users', users, 1, MOST_COUNTED);
  requireNonNegative('epsilon', epsilon);
  return logDivergence(pairCells(parameters), users, epsilon, effort);
}

/**
 * Bracket of the smallest epsilon with divergence at most `delta`; the upper end is infinite where p is and
 * delta is below the floor that many users leave. Time: some ten evaluations, three for very many users.
 * @throws ParameterError as `variationRatioDivergence`, and for delta outside [0, 1].
 * @example variationRatioEpsilon({ p: Math.E, beta: 0.2, q: Math.E }, 1000, 1e-6) // { lower: 0.0945683, upper: 0.0945683 }
 */
export function variationRatioEpsilon(
  parameters: VariationRatio,
  users: number,
  delta: number,
  effort?: Effort,
): Interval {
  requireInteger('users', users, 1, MOST_COUNTED);
  requireProbability('delta', delta);
  const cells = pairCells(parameters);
  const profile = (epsilon: number): Interval => fromLogs(logDivergence(cells, users, epsilon, effort));
  const atZero = divergenceProblem(cells, users, 0);
  if (atZero === null) return exactly(0);
  // Where p is infinite, the outcome without a single other message keeps the divergence positive.
  if (delta === 0) return logRatio(cells);
  if (delta > 0 && isLong(atZero.excess)) {
    const bracket = concludedSearch((epsilon) => logEstimate(cells, users, epsilon), profile, delta);
    if (bracket) return bracket;
  }
  return epsilonAtDelta(profile, delta, {
    epsilonMax: cells.p === Infinity ? LARGEST_EPSILON : 1.000001 * logRatio(cells).upper,
  });
}

/**
 * The pair's three cells, in the victim's two laws and in another user's. @throws ParameterError naming p,
 * beta or q.
 */
export function pairCells({ q, ...victim }: VariationRatio): TellingCells {
  if (!(q >= 1 && q < Infinity)) throw new ParameterError('q', q, 'at least 1 and finite');
  return tellingCells({ ...victim, q0: q, q1: q });
}

function logDivergence(cells: TellingCells, users: number, epsilon: number, effort?: Effort): Interval {
  const problem = divergenceProblem(cells, users, epsilon);
  return problem === null ? exactly(-Infinity) : logDelta(problem, effort);
}
