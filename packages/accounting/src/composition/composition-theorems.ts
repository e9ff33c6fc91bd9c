/**
 * What numerical composition is compared with: theorems that know of each round its (epsilon, delta), its
 * Renyi divergence or its variance, and not its whole loss. All but the Gaussian limit are upper bounds.
 */
import {
  exactly,
  gaussianDivergence,
  minimizeUnimodal,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  requireProbability,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import { shuffledRenyiDivergence } from '../published/renyi.ts';
import { roundSources, type CompositionRounds, type RoundSource } from './round-source.ts';

/**
 * Basic composition: upper bound of epsilon, the sum of the rounds' own at equal shares of delta.
 * @throws ParameterError as `composedEpsilon`
 * @example basicCompositionEpsilon([{ pair: { p: Math.E, beta: 0.2, q: Math.E }, users: 1000, count: 4 }], 1e-6) // 0.412405
 */
export function basicCompositionEpsilon(rounds: readonly CompositionRounds[], delta: number): number {
  requireProbability('delta', delta);
  return basicEpsilon(roundSources(rounds), delta);
}

/** As `basicCompositionEpsilon`, of rounds and a delta that are checked already. */
export function basicEpsilon(sources: readonly RoundSource[], delta: number): number {
  const share = delta / countOf(sources);
  return sources.reduce((sum, source) => sum + source.count * source.epsilonAt(share).upper, 0);
}

/** Number of all rounds. */
export function countOf(sources: readonly RoundSource[]): number {
  return sources.reduce((sum, { count }) => sum + count, 0);
}

/**
 * Advanced composition: P. Kairouz, S. Oh, P. Viswanath, "The Composition Theorem for Differential Privacy"
 * (ICML 2015), Theorem 3.5 without its third term,
 *
 *   epsilon = sum e_i tanh(e_i / 2) + sqrt(2 log(1/d) sum e_i^2)  at  delta = d + sum d_i,
 *
 * with the best split of delta between d and the equal d_i, and never above basic composition.
 * @throws ParameterError as `composedEpsilon`
 * @example advancedCompositionEpsilon([{ pair: { p: Math.E, beta: 0.2, q: Math.E }, users: 1000, count: 4 }], 1e-6) // 0.412405
 */
export function advancedCompositionEpsilon(rounds: readonly CompositionRounds[], delta: number): number {
  requireProbability('delta', delta);
  const sources = roundSources(rounds);
  const basic = basicEpsilon(sources, delta);
  if (delta === 0) return basic;
  const count = countOf(sources);
  if (count === 1) return basic;
  /**
   * `odds`: log of what the rounds get over what the theorem gets; `epsilons` of a round of each source, at a
   * share of delta.
   */
  const epsilonFor = (odds: number, epsilons: readonly ((share: number) => number)[]): number => {
    const share = delta / (1 + Real.exp(-odds)) / count;
    const slack = delta / (1 + Real.exp(odds));
    let drift = 0;
    let squares = 0;
    sources.forEach((source, i) => {
      const epsilon = epsilons[i]!(share);
      drift += source.count * epsilon * Real.tanh(epsilon / 2);
      squares += source.count * epsilon * epsilon;
    });
    return drift + Math.sqrt(-2 * Real.log(slack) * squares);
  };
  // No split gives a round more than all of delta, nor the theorem: where that is above basic, so is any.
  const whole = sources.map((source) => source.epsilonAt(delta / count).upper);
  const drift = sources.reduce((sum, one, i) => sum + one.count * whole[i]! * Real.tanh(whole[i]! / 2), 0);
  const squares = sources.reduce((sum, one, i) => sum + one.count * whole[i]! ** 2, 0);
  if (drift + Math.sqrt(-2 * Real.log(delta) * squares) >= basic) return basic;
  // Any split is valid, so the best one is looked for on estimates.
  const estimates = sources.map((source) => estimatedEpsilon(source, delta / count));
  const best = minimizeUnimodal((odds) => epsilonFor(odds, estimates), LEAST_ODDS, -LEAST_ODDS, 0.1).x;
  const proved = sources.map((source) => (share: number) => source.epsilonAt(share).upper);
  return Math.min(basic, epsilonFor(best, proved));
}

const LEAST_ODDS = -20;

/**
 * About epsilon at deltas up to `most`: epsilon^2 is nearly linear in log delta, so a parabola through three
 * of its values.
 */
function estimatedEpsilon(source: RoundSource, most: number): (delta: number) => number {
  const logs = [LEAST_ODDS, 0.25 * LEAST_ODDS, 0] as const;
  const squares = logs.map((log) => source.epsilonAt(most * Real.exp(log)).upper ** 2);
  return (delta) => {
    const log = Real.log(delta / most);
    let square = 0;
    logs.forEach((at, i) => {
      const others = logs.filter((_, k) => k !== i);
      square += others.reduce((part, other) => (part * (log - other)) / (at - other), squares[i]!);
    });
    return Math.sqrt(Math.max(0, square));
  };
}

/**
 * Advanced composition in its first form: C. Dwork, A. Roth, "The Algorithmic Foundations of Differential
 * Privacy" (2014), Theorem 3.20,
 *
 *   epsilon = sum e_i (e^(e_i) - 1) + sqrt(2 log(1/d) sum e_i^2)  at  delta = d + sum d_i,
 *
 * with half of delta for d and equal d_i. An upper bound, above that of Kairouz et al. and, for large e_i,
 * above basic composition.
 * @throws ParameterError as `composedEpsilon`; delta must be positive
 * @example dworkCompositionEpsilon([{ pair: { p: Math.E, beta: 0.2, q: Math.E }, users: 1000, count: 4 }], 1e-6) // 1.20286
 */
export function dworkCompositionEpsilon(rounds: readonly CompositionRounds[], delta: number): number {
  requireProbability('delta', requirePositive('delta', delta));
  const sources = roundSources(rounds);
  const share = delta / 2 / countOf(sources);
  let drift = 0;
  let squares = 0;
  for (const source of sources) {
    const epsilon = source.epsilonAt(share).upper;
    drift += source.count * epsilon * Real.expm1(epsilon);
    squares += source.count * epsilon * epsilon;
  }
  return drift + Math.sqrt(-2 * Real.log(delta / 2) * squares);
}

const LARGEST_ORDER = 4096;

/**
 * Renyi composition of `count` rounds of an epsilon0-LDP randomizer among `users`: the bound of Girgis et al.
 * (CCS 2021) for each round, added up at each integer order and converted by C. Canonne, G. Kamath, T.
 * Steinke, "The Discrete Gaussian for Differential Privacy" (NeurIPS 2020), Proposition 12. The proof of the
 * first was not re-derived here.
 * @throws ParameterError for epsilon0 <= 0, users or count below 1, or delta outside [0, 1]
 * @example renyiCompositionEpsilon(1, 1000, 4, 1e-6) // 0.983965
 */
export function renyiCompositionEpsilon(
  epsilon0: number,
  users: number,
  count: number,
  delta: number,
): number {
  requireInteger('count', count, 1);
  requireProbability('delta', delta);
  let best = count * epsilon0;
  for (let order = 2; order <= LARGEST_ORDER; order = Math.max(order + 1, Math.floor(order * 1.05))) {
    const divergence = count * shuffledRenyiDivergence(epsilon0, users, order);
    const conversion = -(Real.log(delta) + Real.log(order)) / (order - 1) + Real.log1p(-1 / order);
    best = Math.min(best, Math.max(0, divergence + conversion));
    // Past the best order the divergence explodes.
    if (divergence > 4 * best) break;
  }
  return best;
}

export interface GaussianRounds {
  readonly atoms: LikelihoodAtoms;
  readonly users: number;
  readonly count: number;
}

/**
 * The limit of many users: each round is a Gaussian mechanism of squared signal V / n, V = sum (P - Q)^2 / W,
 * and these add up. A heuristic, neither an upper nor a lower bound.
 * @throws ParameterError for users or count below 1, delta outside [0, 1], or outputs that only the victim
 * can give
 */
export function gaussianLimitEpsilon(rounds: readonly GaussianRounds[], delta: number): number {
  requireProbability('delta', delta);
  let signal = 0;
  for (const { atoms, users, count } of rounds) {
    requireInteger('users', users, 1);
    requireInteger('count', count, 1);
    signal += (count * chiSquared(atoms)) / users;
  }
  if (delta === 0) return signal > 0 ? Infinity : 0;
  const mu = Math.sqrt(signal);
  return epsilonAtDelta((epsilon) => exactly(gaussianDivergence(mu, epsilon)), delta).upper;
}

function chiSquared({ victim0, victim1, others }: LikelihoodAtoms): number {
  let sum = 0;
  for (let y = 0; y < others.length; y++) {
    const difference = victim0[y]! - victim1[y]!;
    if (difference === 0) continue;
    if (others[y] === 0)
      throw new ParameterError(`others[${y}]`, 0, 'positive where the victim shows itself');
    sum += difference ** 2 / others[y]!;
  }
  return sum;
}
