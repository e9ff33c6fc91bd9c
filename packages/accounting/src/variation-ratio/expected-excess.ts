/**
 * The sum behind every three-cell accountant: with m ~ Bin(n, s) messages in the two telling cells and a ~
 * Bin(m, rho) of them in the first,
 *
 *     E (a - low_m)_+ ,    low_m = rho m + d_m = m - gap_m ,
 *     d_m = dTelling m + dOther (n - m) + dConstant >= 0 ,    gap_m = gapTelling m - dOther (n - m) - dConstant .
 *
 * For one m it is rho gap_m g - d_m T with T = Pr[Bin(m-1, rho) >= k], g = Pr[Bin(m-1, rho) = k-1] and k =
 * floor(low_m) + 1. T and g follow from one m to the next by a multiplication and a division. All is kept
 * relative to the largest term, so results far below the smallest double keep their digits. Sources: the
 * identity is the option form of Wang et al. (PVLDB 17(8), 2024), Theorem 4.8, whose own sum cancels; the
 * window comes from a Chernoff bound around the m that dominates, which is not the mean of m.
 */
import { CompensatedSum, Real, ROUNDOFF } from '@shuffle-dp/core';
import {
  CELL_ERROR,
  dominatingTilt,
  logChernoffBound,
  truncationOf,
  variance,
  windowOf,
  type ExcessProblem,
  type Tilt,
  type Window,
} from './dominating-window.ts';
import { anchorAt, displacementAt, gapAt } from './excess-anchor.ts';
import {
  blockLength,
  GROSS,
  LEFT_OUT,
  NEXT,
  OTHER_PART,
  RESULTS,
  SHIFTED,
  sumBlock,
  TAIL_PART,
  VALUE,
} from './excess-block.ts';
import { integratedExcess, widelyIntegratedExcess, type ExcessBracket } from './excess-integral.ts';

/** The excess is e^logScale times a number within `error` of `value`, plus at most e^logScale `truncated`. */
export interface Excess {
  readonly logScale: number;
  readonly value: number;
  /** Bound of the rounding error. */
  readonly error: number;
  /** Bound of the terms left out; they are not negative. */
  readonly truncated: number;
}

/** Logarithm of the divergence below which it is bounded and no longer summed. */
const SUMMED_FROM = -100_000;
/**
 * Variance of m beyond which a coarse excess is the integral: a sum has some twenty times its root of terms.
 */
const LONGEST_SUM = 1e10;
/** The terms left out are at most this fraction of the sum. */
const TRUNCATION = 1e-13;

/** Logarithm of what is left out at first, relative to the Chernoff bound. */
const DEPTH = 34;

/** The sum, or where it has millions of terms the integral, which knows six digits of it. */
export type Effort = 'fine' | 'coarse';

/**
 * The excess with its error bounds; null where it is exactly 0. Cost: about 20 standard deviations of m, and
 * of a coarse one not more than some milliseconds.
 */
export function expectedExcess(problem: ExcessProblem, effort: Effort = 'fine'): Excess | null {
  const isCoarse = effort === 'coarse' && variance(problem) > LONGEST_SUM;
  const integral = isCoarse ? (integratedExcess(problem) ?? widelyIntegratedExcess(problem)) : null;
  if (integral !== null) return between(integral);
  const tilt = dominatingTilt(problem);
  if (tilt === null) return null;
  if (!Number.isFinite(tilt.logMoment + tilt.margin)) return upTo(gainsAlone(problem));
  // Terms this small overflow the recurrence; the Chernoff bound itself is an upper end, and zero a lower
  // one.
  if (tilt.logMoment < SUMMED_FROM) return upTo(logChernoffBound(tilt));
  // Some ten million terms, for what is mostly far below any delta.
  if (isCoarse) return upTo(Math.min(gainsAlone(problem), logChernoffBound(tilt)));
  if (effort === 'coarse' && startsOf(problem, windowOf(problem, tilt, DEPTH)) > MOST_STARTS) {
    const wide = widelyIntegratedExcess(problem);
    if (wide !== null) return between(wide);
  }
  const excess = summed(problem, tilt);
  const isFinite = Number.isFinite(excess.value + excess.error + excess.truncated);
  return isFinite ? excess : upTo(gainsAlone(problem));
}

function between({ logScale, lower, upper }: ExcessBracket): Excess {
  const error = (upper - lower) / 2 + ROUNDOFF * upper;
  return { logScale, value: (lower + upper) / 2, error, truncated: 0 };
}

/** Starts of the recurrence take ten microseconds each; of a coarse sum, so many at most. */
const MOST_STARTS = 2e4;

/** About how often the recurrence begins again: where T is no more than one subtraction takes, at every m. */
function startsOf(problem: ExcessProblem, { first, last, peak }: Window): number {
  const { ratio } = anchorAt(problem, peak);
  const alone = ratio > 0 && ratio < 1;
  return (last - first) / (alone ? 1 : blockLength(problem, peak, ratio));
}

/** Between 0 and e^log. */
function upTo(log: number): Excess {
  return { logScale: log, value: 0.5, error: 0.5, truncated: 0 };
}

/** Logarithm of the expected sum of what is positive of every user's contribution, from above. */
function gainsAlone({ users, cell0, gapTelling, gapError }: ExcessProblem): number {
  const log = Real.log(users) + Real.log(cell0) + Real.log(gapTelling);
  return log + Real.log1p(gapError) + CELL_ERROR + 4 * ROUNDOFF * Math.abs(log);
}

function summed(problem: ExcessProblem, tilt: Tilt): Excess {
  // The Chernoff bound exceeds the sum by about as many times as epsilon has standard deviations, rarely by
  // 40.
  let depth = DEPTH;
  for (let attempt = 0; ; attempt++) {
    const window = windowOf(problem, tilt, depth);
    const { leftOut, ...sum } = sumWindow(problem, window);
    const outside = truncationOf(problem.users, tilt, window, sum.logScale);
    const excess = { ...sum, truncated: outside + leftOut };
    const fraction = outside / sum.value;
    const isOpen = fraction > TRUNCATION && sum.value > sum.error;
    if (!isOpen || attempt === 3) return excess;
    depth += Real.log(fraction / TRUNCATION) + 1;
  }
}

/**
 * The excess from about 60 evenly spaced m: for smooth sums of very many terms right to many digits, but
 * without any guarantee. For searches that a certified evaluation concludes.
 */
export function estimateLogExcess(problem: ExcessProblem): number {
  const tilt = dominatingTilt(problem);
  if (tilt === null) return -Infinity;
  if (!Number.isFinite(tilt.logMoment)) return gainsAlone(problem);
  const { first, last, peak } = windowOf(problem, tilt, DEPTH);
  const step = Math.max(1, Math.floor((last - first) / 60));
  const scale = anchorAt(problem, peak).logWeight;
  let sum = 0;
  for (let m = first; m <= last; m += step) {
    const { logWeight, ratio } = anchorAt(problem, m);
    const rho = problem.cell0 / (problem.cell0 + problem.cell1);
    const term = rho * gapAt(problem, m) - displacementAt(problem, m) * ratio;
    sum += Real.exp(logWeight - scale) * Math.max(0, term);
  }
  return scale + Real.log(sum * step);
}

/** Whether a full evaluation has so many terms that a search should estimate first. */
export function isLong(problem: ExcessProblem): boolean {
  return variance(problem) > 1e8;
}

interface WindowSum extends Omit<Excess, 'truncated'> {
  /** Bound of what thresholds that are off by one leave out inside the window. */
  readonly leftOut: number;
}

function sumWindow(problem: ExcessProblem, window: Window): WindowSum {
  const logScale = anchorAt(problem, window.peak).logWeight;
  const value = new CompensatedSum();
  let error = 0;
  let leftOut = 0;
  // Relative errors of s are multiplied by the distance of m from its mean.
  const { users, cell0, cell1, other } = problem;
  const mean = users * (cell0 + cell1);
  const block = new Float64Array(RESULTS);
  for (let m = window.first; m <= window.last; m = block[NEXT]!) {
    const anchor = anchorAt(problem, m);
    const length = blockLength(problem, m, anchor.ratio);
    const weight = Real.exp(anchor.logWeight - logScale);
    sumBlock(problem, { from: m, last: Math.min(window.last, m + length - 1), weight, anchor }, block);
    value.add(block[VALUE]!);
    const steps = block[NEXT]! - m;
    const weightError =
      anchor.logError +
      2 * ROUNDOFF * Math.abs(logScale) +
      6 * ROUNDOFF * steps +
      CELL_ERROR +
      oddsError(problem) * (largestDisplacement(problem, m, steps) + 2);
    const shiftError = other === 0 ? 0 : CELL_ERROR / other;
    const furthest = Math.max(Math.abs(m - mean), Math.abs(m + steps - 1 - mean));
    // First-order errors grow so much where they are not small.
    const growth = Real.exp(weightError + shiftError * furthest);
    // Inside a block T falls by less than e, so rounding errors of T grow by less than e. Those of the odds
    // are multiplied by T / g.
    const tailError = 3e-14 + 12 * ROUNDOFF * steps + 3 * (4 * ROUNDOFF + oddsError(problem)) * anchor.ratio;
    const added =
      (12 * ROUNDOFF + problem.gapError) * block[GROSS]! +
      tailError * block[TAIL_PART]! +
      problem.otherError * block[OTHER_PART]!;
    const weighed = weightError * Math.abs(block[VALUE]!) + shiftError * Math.abs(block[SHIFTED]!);
    error += growth * (added + weighed);
    leftOut += growth * block[LEFT_OUT]!;
  }
  return { logScale, value: value.value, error, leftOut };
}

/** Relative, of cell0 / cell1: two cells that are the same number are so because they are equal. */
function oddsError({ cell0, cell1 }: ExcessProblem): number {
  return cell0 === cell1 ? 0 : 2 * CELL_ERROR;
}

/**
 * The distance of the threshold from its mean in m … m + steps, by which an error of the odds is multiplied.
 */
function largestDisplacement(problem: ExcessProblem, m: number, steps: number): number {
  return Math.max(displacementAt(problem, m), displacementAt(problem, m + steps));
}
