/**
 * Which terms of the three-cell sum (expected-excess.ts) matter, and how much the others can add. The sum is
 * an expectation of S_+ over n users' contributions; E (S)_+ 1{m in M} is bounded for every theta > 0 by
 *
 *     E e^(theta S) / (e theta) * Pr[m in M under the law tilted by theta],
 *
 * and the tilted probability by Chernoff's bound in terms of relative entropy. The window is centred where
 * the tilted law has its mean: for small delta that is far from the mean of m.
 */
import { Real, ROUNDOFF } from '@shuffle-dp/core';

/** Bound of the relative error of a telling cell's probability. */
export const CELL_ERROR = 6 * ROUNDOFF;

export interface ExcessProblem {
  readonly users: number;
  /**
   * Probabilities of the first and of the second telling cell, each up to CELL_ERROR of itself; s = cell0 +
   * cell1.
   */
  readonly cell0: number;
  readonly cell1: number;
  /** Probability of the remaining cell; its own number, so that it keeps its digits where it is small. */
  readonly other: number;
  readonly dTelling: number;
  readonly dOther: number;
  readonly gapTelling: number;
  /** Added to every d_m and taken from every gap_m; 0 where there is nothing but the three cells. */
  readonly dConstant: number;
  /** Bounds of the relative errors with which gapTelling and dOther are given. */
  readonly gapError: number;
  readonly otherError: number;
}

/** Variance of m, the number of messages in the telling cells. */
export function variance({ users, cell0, cell1, other }: ExcessProblem): number {
  return users * (cell0 + cell1) * other;
}

export interface Tilt {
  readonly theta: number;
  /** log E e^(theta S). */
  readonly logMoment: number;
  /** What the errors of the problem and of rounding may add to logMoment, and to n times an entropy. */
  readonly margin: number;
  /** Probability of the telling cells under the tilted law, and of the other one. */
  readonly telling: number;
  readonly other: number;
}

/**
 * The theta that minimises the bound E (S)_+ <= E e^(theta S) / (e theta), where S sums the users'
 * contributions: gapTelling, -rho - dTelling or -dOther, less dConstant. Null where S cannot be
 * positive.
 */
export function dominatingTilt(problem: ExcessProblem): Tilt | null {
  const { users, cell0, cell1, other, dTelling, gapTelling, dConstant } = problem;
  if (!(gapTelling > 0 && users * gapTelling > dConstant)) return null;
  const { gain: x0, loss } = largestValues(problem);
  const x1 = -(cell0 / (cell0 + cell1) + dTelling);
  const x2 = -loss;
  // Relative to the first cell: cell0 x0 alone may be too small for a double.
  const tiltedMean = (theta: number): number => {
    const w1 = (cell1 / cell0) * Real.exp(theta * (x1 - x0));
    const w2 = (other / cell0) * Real.exp(theta * (x2 - x0));
    return (x0 + w1 * x1 + w2 * x2) / (1 + w1 + w2);
  };
  let high = 1;
  while (high < Infinity && high * (users * tiltedMean(high) - dConstant) < 1) high *= 4;
  // A gain so small that no double is a tilt for it: the caller sees a moment that is not finite.
  let low = Math.min(high, Number.MAX_VALUE) / 4;
  while (low * (users * tiltedMean(low) - dConstant) > 1) low /= 4;
  for (let step = 0; step < 40 && high > low * (1 + 1e-6); step++) {
    const middle = Math.sqrt(low) * Math.sqrt(high);
    if (middle * (users * tiltedMean(middle) - dConstant) > 1) high = middle;
    else low = middle;
  }
  const theta = Math.max(low, high);
  const w0 = cell0;
  const w1 = cell1 * Real.exp(theta * (x1 - x0));
  const w2 = other * Real.exp(theta * (x2 - x0));
  const total = w0 + w1 + w2;
  // log E e^(theta X) = theta x0 + log total; near 1 the sum is taken of the small parts.
  const logMean =
    theta * Math.max(x0, -x1, -x2) < 0.5
      ? Real.log1p(
          cell0 * Real.expm1(theta * x0) + cell1 * Real.expm1(theta * x1) + other * Real.expm1(theta * x2),
        )
      : theta * x0 + Real.log(total);
  const [telling, rest] = [(w0 + w1) / total, w2 / total];
  // What cells add that are off by some of themselves.
  const cells = CELL_ERROR * (2 + (other > 0 ? rest / other : 0));
  // The rounding of exponents.
  const exponents = theta * x0 + Math.min(REACH, theta * (x0 - x1)) + Math.min(REACH, theta * (x0 - x2));
  return {
    theta,
    logMoment: users * logMean - theta * dConstant,
    margin: 1e-3 + users * (cells + 4 * ROUNDOFF * (4 + exponents)) + 4 * ROUNDOFF * theta * dConstant,
    // A probability that underflows is at most the smallest double.
    telling: Math.max(telling, Number.MIN_VALUE),
    other: other > 0 ? Math.max(rest, Number.MIN_VALUE) : 0,
  };
}

/** What the first telling cell adds, and the other one takes: for the largest sum within their errors. */
function largestValues(problem: ExcessProblem): { readonly gain: number; readonly loss: number } {
  const { gapTelling, dOther, gapError, otherError } = problem;
  return { gain: gapTelling * (1 + gapError), loss: dOther * Math.max(0, 1 - otherError) };
}

/** Exponents beyond it leave nothing of e^-x. */
const REACH = 750;

export interface Window {
  readonly first: number;
  readonly last: number;
  readonly peak: number;
  /** What is left out below and above is at most the Chernoff bound times e^-depth, or exactly nothing. */
  readonly openBelow: boolean;
  readonly openAbove: boolean;
}

/** The m whose relative entropy from the tilted law, times n, is at most `depth`, and where gap_m > 0. */
export function windowOf(problem: ExcessProblem, tilt: Tilt, depth: number): Window {
  const { users, other, dConstant } = problem;
  if (other === 0) return { first: users, last: users, peak: users, openBelow: false, openAbove: false };
  // A gap within its error of 0 may be positive, and its m by far the likeliest of those that are.
  const { gain, loss } = largestValues(problem);
  const zero = (loss * users + dConstant) / (gain + loss);
  const positiveFrom = Math.max(1, Math.ceil(zero * (1 - 8 * ROUNDOFF)));
  const centre = users * tilt.telling;
  const below = edge(users, tilt, depth, centre, 0);
  const above = edge(users, tilt, depth, centre, users);
  const first = Math.min(users, Math.max(positiveFrom, Math.floor(below)));
  const last = Math.min(users, Math.max(first, Math.ceil(above)));
  const peak = Math.min(last, Math.max(first, Math.round(centre)));
  return { first, last, peak, openBelow: first > positiveFrom, openAbove: last < users };
}

/** Between `centre` and `end`, a point whose divergence is at least `depth`, or the end itself. */
function edge(users: number, tilt: Tilt, depth: number, centre: number, end: number): number {
  if (entropyFrom(end, users, tilt) <= depth) return end;
  let inside = centre;
  let outside = end;
  for (let step = 0; step < 60 && Math.abs(outside - inside) > 0.5; step++) {
    const middle = (inside + outside) / 2;
    if (entropyFrom(middle, users, tilt) < depth) inside = middle;
    else outside = middle;
  }
  return outside;
}

function entropyFrom(m: number, users: number, tilt: Tilt): number {
  const first = m > 0 ? m * Real.log(m / (users * tilt.telling)) : 0;
  const second = m < users ? (users - m) * Real.log((users - m) / (users * tilt.other)) : 0;
  return first + second;
}

/** Logarithm of Chernoff's bound of the excess. */
export function logChernoffBound({ theta, logMoment, margin }: Tilt): number {
  return logMoment - 1 - Real.log(theta) + margin;
}

/** Bound of the terms outside the window, relative to e^logScale. */
export function truncationOf(users: number, tilt: Tilt, window: Window, logScale: number): number {
  const log = logChernoffBound(tilt) + tilt.margin - logScale;
  let bound = 0;
  if (window.openBelow) bound += Real.exp(log - entropyFrom(window.first, users, tilt));
  if (window.openAbove) bound += Real.exp(log - entropyFrom(window.last, users, tilt));
  return bound;
}
