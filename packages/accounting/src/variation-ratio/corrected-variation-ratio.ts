/**
 * The variation-ratio parameters (p, beta, q) accounted soundly. The pair of Wang et al. (PVLDB 17(8), 2024)
 * takes the other users' leftover messages for copies of the victim's; only a part of them is. With alpha =
 * beta / (p-1), r = alpha p / q, m = 1 - alpha - p alpha, and Q0, Q1, Q2 the normalised parts (R_0 - R_1)_+,
 * (R_1 - R_0)_+ and p min(R_0, R_1) - max(R_0, R_1) of the victim's two laws,
 *
 *     R_0 = p alpha Q0 + alpha Q1 + m Q2,   R_1 = alpha Q0 + p alpha Q1 + m Q2,
 *     R_x >= max(R_0, R_1) / q = r Q0 + r Q1 + (m/q) Q2 ,
 *
 * so that formula F1 (docs/soundness.md) holds with the cells (r, r, m/q) and nothing else is shared.
 *
 * The result grows with beta, so an upper bound of the total variation will do. Raising beta moves mass of
 * the loss G from its values g2 = (1 - e^eps) q and 0 to g0 = (p - e^eps) q/p and g1 = (1 - p e^eps) q/p, one
 * half each; these lie outside [g2, 0] for e^eps <= p, and E G = 1 - e^eps stays: the new law dominates in
 * the convex order, and with it E (G_1 + … + G_n)_+. At beta = (p-1)/(p+1) and q = p the cells are the
 * stronger clones' (clones.ts), whose number is therefore an upper bound for every epsilon0-LDP randomizer.
 */
import {
  interval,
  logAdd,
  logBinomialPmf,
  ParameterError,
  Real,
  requireInteger,
  requireNonNegative,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
  type VariationRatio,
  ROUNDOFF,
} from '@shuffle-dp/core';
import { blanketDivergence } from '../blanket/privacy-blanket.ts';
import { expectedExcess } from './expected-excess.ts';
import { epsilonAtDelta } from '../privacy-profile.ts';
import { pairCells, variationRatioDivergence, variationRatioEpsilon } from './variation-ratio.ts';
import {
  divergenceProblem,
  fromLogs,
  hasLostCells,
  LARGEST_EPSILON,
  logRatio,
} from './variation-ratio-asymmetric.ts';

/** How much the upper end may exceed the best, relative to it. */
const SEARCH_TOLERANCE = 1e-6;

/**
 * The three cells as blanket atoms; they need q >= 1 + beta.
 * @throws ParameterError as `variationRatioDivergence`, and for q < 1 + beta.
 * @example correctedCells({ p: Math.E, beta: 0.2, q: Math.E }).symmetric // true
 */
export function correctedCells(pair: VariationRatio): LikelihoodAtoms {
  const { high, low, rest, others0, others1 } = pairCells(pair);
  const { beta, q } = pair;
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
 * The blankets of a mechanism, or by F5 the three cells of its parameters where none is known; empty where
 * those say nothing either.
 *
 * @example knownBlankets({ variationRatio: { p: Math.E, beta: 0.2, q: Math.E }, blanket: [], homogeneous: [] }).length // 1
 */
export function knownBlankets({
  blanket,
  variationRatio: pair,
}: AmplificationProfile): readonly LikelihoodAtoms[] {
  return blanket.length > 0 || pair === null || pair.q < 1 + pair.beta ? blanket : [correctedCells(pair)];
}

/**
 * Upper bound of delta(epsilon) of every mechanism with these parameters, as the upper end; the lower end is
 * that of the cells' divergence for up to 100 users or beta = (p-1)/(p+1), and else 0. @throws ParameterError
 *
 * @example correctedVariationRatioDivergence({ p: Math.E, beta: 0.2, q: Math.E }, 1000, 0.2) // { lower: 0, upper: 1.4446e-16 }
 */
export function correctedVariationRatioDivergence(
  parameters: VariationRatio,
  users: number,
  epsilon: number,
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  const cells = correctedCells(parameters);
  if (cells.victim0[2] === 0) return variationRatioDivergence(parameters, users, epsilon, 'coarse');
  if (epsilon >= largestEpsilon(parameters)) return interval(0, 0);
  if (users <= FEW_USERS) return divergenceOfFewUsers(parameters, users, epsilon);
  return blanketDivergence(cells, users, epsilon, { ends: 'upper' });
}

/** log p, at which the divergence ends, from above. */
function largestEpsilon({ p, pMinusOne = p - 1 }: VariationRatio): number {
  return logRatio({ p, pMinusOne }).upper;
}

/** Up to here the sum over the number of shared leftovers is taken in full. */
const FEW_USERS = 100;

/**
 * The bracket of the cells' divergence as a sum over the number of shared leftovers, a binomial count; given
 * it, the other users fall into the two telling cells or show nothing.
 */
function divergenceOfFewUsers(pair: VariationRatio, users: number, epsilon: number): Interval {
  const { q } = pair;
  const cells = pairCells(pair);
  const problem = divergenceProblem(cells, users, epsilon);
  if (problem === null) return interval(0, 0);
  if (hasLostCells(problem)) return fromLogs(interval(-Infinity, Math.min(0, problem.logSingle)));
  const { excess, logFactor, oneSided } = problem;
  const shared = cells.rest / q;
  const cell0 = excess.cell0 / (1 - shared);
  const cell1 = excess.cell1 / (1 - shared);
  // The remainder of that very sum, however small.
  const telling = { cell0, cell1, other: Math.max(0, 1 - (cell0 + cell1)) };
  // Each shared leftover takes (e^eps - 1) q from the sum, in units of kappa.
  const loss = (excess.dOther * cells.othersRest * q) / cells.rest;
  let lower = -Infinity;
  let upper = -Infinity;
  for (let count = 0; count < users; count++) {
    const sum = expectedExcess({
      ...excess,
      users: users - count,
      ...telling,
      dOther: 0,
      dConstant: count * loss,
    });
    if (sum === null) break;
    const log = logBinomialPmf(count, users, shared) + sum.logScale + logFactor;
    // What the shared leftover leaves of 1 has lost digits where it is small, and counts for each of the
    // other users.
    const left = (4 * ROUNDOFF * (users - count)) / (1 - shared);
    const rounding = 1e-12 + left + 80 * ROUNDOFF * Math.abs(log);
    if (sum.value > sum.error) lower = logAdd(lower, log + Real.log(sum.value - sum.error) - rounding);
    upper = logAdd(upper, log + Real.log(sum.value + sum.error + sum.truncated) + rounding);
  }
  return fromLogs(interval(oneSided ? -Infinity : Math.min(0, lower), Math.min(0, upper)));
}

/**
 * Upper bound of epsilon at `delta`, as the upper end, with the conditions of
 * `correctedVariationRatioDivergence`.
 *
 * @example correctedVariationRatioEpsilon({ p: Math.E, beta: 0.2, q: Math.E }, 1000, 1e-6) // { lower: 0, upper: 0.0953175 }
 */
export function correctedVariationRatioEpsilon(
  parameters: VariationRatio,
  users: number,
  delta: number,
): Interval {
  const cells = correctedCells(parameters);
  if (cells.victim0[2] === 0) return variationRatioEpsilon(parameters, users, delta, 'coarse');
  if (delta === 0) return interval(0, parameters.beta === 0 ? 0 : largestEpsilon(parameters));
  const profile = (epsilon: number): Interval =>
    correctedVariationRatioDivergence(parameters, users, epsilon);
  const near = delta > 0 ? fromPublishedPair(parameters, users, delta, profile) : null;
  if (near !== null) return interval(0, near);
  return epsilonAtDelta(profile, delta, {
    epsilonMax: parameters.p === Infinity ? LARGEST_EPSILON : 1.000001 * largestEpsilon(parameters),
    relativeTolerance: SEARCH_TOLERANCE,
  });
}

/**
 * The root by Newton's steps from the published pair's epsilon and with its slope, which differ little where
 * there are many users; null where they do not lead to it.
 */
function fromPublishedPair(
  parameters: VariationRatio,
  users: number,
  delta: number,
  profile: (epsilon: number) => Interval,
): number | null {
  const start = variationRatioEpsilon(parameters, users, delta, 'coarse').upper;
  if (start === Infinity) return null;
  const beyond = variationRatioDivergence(parameters, users, 1.001 * start, 'coarse').upper;
  const steepness = Real.log(delta / beyond) / (0.001 * start);
  if (!(steepness > 0 && steepness < Infinity)) return null;
  let epsilon = start;
  for (let step = 0; step < 5; step++) {
    const excess = Real.log(profile(epsilon).upper / delta);
    const off = excess / (steepness * epsilon);
    if (excess <= 0 && off >= -SEARCH_TOLERANCE) return epsilon;
    epsilon *= 1 + off + 0.3 * SEARCH_TOLERANCE;
    if (!(epsilon > 0 && Math.abs(off) < 0.1)) return null;
  }
  return null;
}
