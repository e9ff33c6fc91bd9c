/**
 * The hockey-stick divergence of a shuffled pair with three cells whose two telling cells need not be equally
 * likely for the other users: Wang et al., "Privacy Amplification via Shuffling: Unified, Simplified, and
 * Tightened" (PVLDB 17(8), 2024), Theorem 5.1. With alpha = beta / (p-1) the victim falls into the cells with
 * probabilities (p alpha, alpha, rest) or (alpha, p alpha, rest), every other user with (r0, r1,
 * 1 - r0 - r1), r_i = p alpha / q_i.
 *
 * If the cells are a partition of a randomizer's outputs and r0, r1 those of one input that all others hold,
 * this is the divergence of an actual pair of neighbours after post-processing, and so a lower bound of the
 * mechanism's delta. We take the partition's probabilities as they are: the paper's rule for choosing the
 * cells is not the best one.
 */
import {
  interval,
  ParameterError,
  Real,
  requireInteger,
  requireNonNegative,
  type Interval,
  type VariationRatio,
  ROUNDOFF,
} from '@shuffle-dp/core';
import { concludedSearch } from './concluded-search.ts';
import type { ExcessProblem } from './dominating-window.ts';
import { estimateLogExcess, expectedExcess, isLong, type Effort } from './expected-excess.ts';
import { epsilonAtDelta } from '../privacy-profile.ts';

/**
 * `p` in (1, infinity], `beta` in [0, (p-1)/(p+1)]; `q0`, `q1` >= 1: the telling cells' ratios to the others'
 * law.
 */
export interface AsymmetricVariationRatio extends Omit<VariationRatio, 'q'> {
  readonly q0: number;
  readonly q1: number;
}

/** Probabilities of the three cells. */
export interface TellingCells {
  readonly p: number;
  /** With all its digits, however near p is to 1. */
  readonly pMinusOne: number;
  /** The victim's probability of the cell that speaks for its input; beta where p is infinite. */
  readonly high: number;
  /** Of the cell that speaks for the other input: high / p. */
  readonly low: number;
  /** Of the remaining cell. */
  readonly rest: number;
  /** Relative error of `rest` by `othersRest`; without it, that of numbers left of 1. */
  readonly restError?: number;
  readonly others0: number;
  readonly others1: number;
  /** 1 - others0 - others1. */
  readonly othersRest: number;
  /** For a lower bound, by how much the victim's two masses of the remaining cell may differ. Default 0. */
  readonly lost?: number;
}

/**
 * The divergence is taken here for every larger epsilon. A pair with infinite p has reached its floor (for
 * r > 1e-100); for finite p it is an upper end.
 */
export const LARGEST_EPSILON = 300;

/** @throws ParameterError naming p, beta, q, q0 or q1. */
export function tellingCells(parameters: AsymmetricVariationRatio): TellingCells {
  const { p, beta, q0, q1, pMinusOne = p - 1 } = parameters;
  if (!(pMinusOne > 0)) throw new ParameterError('p', p, 'greater than 1');
  const betaMax = p === Infinity ? 1 : pMinusOne / (2 + pMinusOne);
  // The largest beta that a caller computes is a rounded number, and of a p that is one it is as far off as
  // p - 1 may be.
  const given = parameters.pMinusOne === undefined ? p / pMinusOne : 1;
  const slack = p === Infinity ? 0 : 4 * ROUNDOFF * (1 + given);
  if (!(beta >= 0 && beta <= betaMax * (1 + slack))) {
    throw new ParameterError('beta', beta, `in [0, (p-1)/(p+1)] = [0, ${betaMax}]`);
  }
  requireRatio('q0', q0);
  requireRatio('q1', q1);
  const remaining = 1 - beta / betaMax;
  const isWhole = Math.abs(remaining) <= slack;
  const rest = isWhole ? 0 : remaining;
  // The cells of a beta taken for the largest one must make up the whole.
  const apart = isWhole ? betaMax : beta;
  const high = p === Infinity ? apart : apart * (p / pMinusOne);
  const low = p === Infinity ? 0 : apart / pMinusOne;
  const others0 = high / q0;
  const others1 = high / q1;
  // Of the sum as the accountants take it: a small remainder must be the rest of that very number.
  const left = 1 - (others0 + others1);
  if (left < -8 * ROUNDOFF) throw tooSmallRatio(parameters, high, 'at least');
  const othersRest = left <= 8 * ROUNDOFF ? 0 : left;
  if (othersRest === 0 && rest > 8 * ROUNDOFF) throw tooSmallRatio(parameters, high, 'more than');
  return { p, pMinusOne, high, low, rest: othersRest === 0 ? 0 : rest, others0, others1, othersRest };
}

/**
 * Another user's two telling cells, high/q0 and high/q1, must fit into its law, and where the victim has a
 * rest leave room for it.
 */
function tooSmallRatio(
  { q0, q1, beta }: AsymmetricVariationRatio,
  high: number,
  atLeast: 'at least' | 'more than',
): ParameterError {
  const room = `of another user's messages the share beta p / ((p - 1) q) falls into each of two cells, at beta = ${beta}`;
  return q0 === q1
    ? new ParameterError('q', q0, `${atLeast} 2 beta p / (p - 1) = ${2 * high}: ${room}`)
    : new ParameterError('q0', q0, `larger, or q1 = ${q1} must: ${room}`);
}

/** log p, which is the epsilon at delta 0, rounded outward. */
export function logRatio({ p, pMinusOne }: Pick<TellingCells, 'p' | 'pMinusOne'>): Interval {
  if (p === Infinity) return interval(Infinity, Infinity);
  const log = p < 2 ? Real.log1p(pMinusOne) : Real.log(p);
  return interval(log * (1 - 4 * ROUNDOFF), log * (1 + 4 * ROUNDOFF));
}

function requireRatio(name: string, value: number): void {
  if (!(value >= 1 && value < Infinity)) throw new ParameterError(name, value, 'at least 1 and finite');
}

/** delta = kappa / n times the excess. */
export interface DivergenceProblem {
  /** log delta of one user, above which the others' messages never raise it. */
  readonly logSingle: number;
  readonly logFactor: number;
  /** epsilon is within rounding of log p or beyond the largest, so that only an upper end is known. */
  readonly oneSided: boolean;
  readonly excess: ExcessProblem;
}

/**
 * The victim's first law against its second; exchange others0 and others1 for the reverse. Null where the
 * divergence is exactly 0.
 */
export function divergenceProblem(
  cells: TellingCells,
  users: number,
  epsilon: number,
): DivergenceProblem | null {
  const { p, pMinusOne, high, low, rest, others0, others1, othersRest, lost = 0 } = cells;
  const { restError = rest > 0 ? (6 * ROUNDOFF) / rest + (6 * ROUNDOFF) / othersRest : 0 } = cells;
  if (high === 0) return null;
  const capped = Math.min(epsilon, LARGEST_EPSILON);
  const factor = Real.exp(capped);
  // p - e^epsilon, as the difference of what both exceed 1 by: near 1 they have no more digits than these
  // have.
  const ahead = pMinusOne - Real.expm1(capped);
  const uncertain = p === Infinity ? 0 : 16 * ROUNDOFF * (pMinusOne + Real.expm1(capped));
  if (ahead < -uncertain || (epsilon > capped && epsilon > logRatio(cells).upper)) return null;
  const oneSided = p < Infinity && (ahead < 2 * uncertain || epsilon > capped);
  const margin = Math.max(ahead, 2 * uncertain);
  // In units of e^epsilon, which would take a ratio of large p or q out of the doubles.
  const growth = -Real.expm1(-capped);
  // By high, which keeps its digits where low = high / p leaves the doubles.
  const gain0 = (high * (p === Infinity ? 1 : margin / p)) / factor / others0;
  // high - low e^-epsilon, whose parts are the same number where p is near 1.
  const loss1 = (high * (p === Infinity ? 1 : (pMinusOne + growth) / p) + lost) / others1;
  const kappa = gain0 + loss1;
  const telling = others0 + others1;
  const single = high * (p === Infinity ? 1 : (margin / p) * (1 + uncertain / margin));
  return {
    logSingle: Real.log(single + 4 * Number.MIN_VALUE) + 8 * ROUNDOFF * (1 + Math.abs(Real.log(single))),
    logFactor: Real.log(kappa) + capped - Real.log(users),
    oneSided,
    excess: {
      users,
      cell0: others0,
      cell1: others1,
      other: othersRest,
      dTelling: ((high + low) * growth + lost) / (telling * kappa),
      dOther: othersRest > 0 ? (growth * rest + lost) / (othersRest * kappa) : 0,
      gapTelling: gain0 / kappa,
      dConstant: 0,
      gapError: p === Infinity ? 0 : uncertain / margin,
      otherError: restError,
    },
  };
}

/** Natural logarithm of the divergence, from a problem that is not null. */
export function logDelta(problem: DivergenceProblem, effort?: Effort): Interval {
  const most = Math.min(0, problem.logSingle);
  if (hasLostCells(problem)) return interval(-Infinity, most);
  const excess = expectedExcess(problem.excess, effort);
  if (excess === null) return interval(-Infinity, -Infinity);
  const { value, error, truncated } = excess;
  const log = problem.logFactor + excess.logScale;
  // Numbers that left the doubles tell nothing, nor would an expectation that is negative.
  if (Number.isNaN(log) || !(value + error + truncated >= 0)) return interval(-Infinity, most);
  // The cells, and kappa with them, are given to some units in the last place, to which the divergence is
  // proportional.
  const rounding = 8 * ROUNDOFF * (6 + Math.abs(problem.logFactor) + Math.abs(excess.logScale));
  return interval(
    value > error && !problem.oneSided ? Math.min(most, log + Real.log(value - error) - rounding) : -Infinity,
    Math.min(most, log + Real.log(value + error + truncated) + rounding),
  );
}

/** Probabilities and values below it are near the end of the doubles, where they lose digits. */
const SMALLEST = 1e-290;

/** Where the sum's numbers leave the doubles, so that nothing is said but what one user bounds. */
export function hasLostCells({ logFactor, excess }: DivergenceProblem): boolean {
  const { cell0, cell1, gapTelling } = excess;
  return !(Math.min(cell0, cell1, gapTelling) > SMALLEST && logFactor < Infinity);
}

/** From logarithms to numbers, outwards by the smallest double too: no positive end underflows to 0. */
export function fromLogs({ lower, upper }: Interval): Interval {
  const high = upper === -Infinity ? 0 : Math.min(1, Real.exp(upper) * (1 + 4 * ROUNDOFF) + Number.MIN_VALUE);
  return interval(Math.max(0, Math.min(1, Real.exp(lower) * (1 - 4 * ROUNDOFF)) - Number.MIN_VALUE), high);
}

export type Direction = 'first against second' | 'second against first';

/**
 * Bracket of the divergence at e^epsilon in one direction. `users` counts the victim.
 * @throws ParameterError as `tellingCells`, and for users < 1 or epsilon < 0.
 */
export function asymmetricVariationRatioDivergence(
  parameters: AsymmetricVariationRatio,
  users: number,
  epsilon: number,
  direction: Direction,
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  const cells = tellingCells(parameters);
  return oneDirection(direction === 'first against second' ? cells : reversed(cells), users, epsilon);
}

function oneDirection(cells: TellingCells, users: number, epsilon: number, effort?: Effort): Interval {
  const problem = divergenceProblem(cells, users, epsilon);
  return problem === null ? interval(0, 0) : fromLogs(logDelta(problem, effort));
}

/** The victim's inputs the other way round. */
function reversed(cells: TellingCells): TellingCells {
  return { ...cells, others0: cells.others1, others1: cells.others0 };
}

/** The worse direction from the cells' probabilities. */
export function tellingCellsDivergence(
  cells: TellingCells,
  users: number,
  epsilon: number,
  effort?: Effort,
): Interval {
  const forward = oneDirection(cells, users, epsilon, effort);
  const reverse = oneDirection(reversed(cells), users, epsilon, effort);
  return interval(Math.max(forward.lower, reverse.lower), Math.max(forward.upper, reverse.upper));
}

/** Bracket of the smallest epsilon at which both directions of the divergence are at most `delta`. */
export function asymmetricVariationRatioEpsilon(
  parameters: AsymmetricVariationRatio,
  users: number,
  delta: number,
): Interval {
  requireInteger('users', users, 1);
  return tellingCellsEpsilon(tellingCells(parameters), users, delta);
}

/** Where one evaluation is a sum of millions of terms, and no estimate shows the root. */
const LONG_SEARCH = { relativeTolerance: 1e-9, slowTolerance: 1e-3 };

/** The same from the cells' probabilities. */
export function tellingCellsEpsilon(
  cells: TellingCells,
  users: number,
  delta: number,
  effort?: Effort,
): Interval {
  const profile = (epsilon: number): Interval => tellingCellsDivergence(cells, users, epsilon, effort);
  const atZero = divergenceProblem(cells, users, 0);
  // The outcome without a single message of the second cell has the ratio p.
  if (delta === 0) return atZero === null ? interval(0, 0) : logRatio(cells);
  const long = atZero !== null && isLong(atZero.excess);
  if (long) {
    const estimate = (epsilon: number): number => logWorseEstimate(cells, users, epsilon);
    const bracket = concludedSearch(estimate, profile, delta);
    if (bracket) return bracket;
  }
  return epsilonAtDelta(profile, delta, long ? LONG_SEARCH : {});
}

/** About log delta, in the worse direction. */
export function logWorseEstimate(cells: TellingCells, users: number, epsilon: number): number {
  return Math.max(logEstimate(cells, users, epsilon), logEstimate(reversed(cells), users, epsilon));
}

/** About log delta, in one direction. */
export function logEstimate(cells: TellingCells, users: number, epsilon: number): number {
  const problem = divergenceProblem(cells, users, epsilon);
  if (problem === null) return -Infinity;
  if (hasLostCells(problem)) return problem.logSingle;
  return Math.min(problem.logSingle, problem.logFactor + estimateLogExcess(problem.excess));
}
