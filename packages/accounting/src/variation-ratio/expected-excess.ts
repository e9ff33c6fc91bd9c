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
  dominatingTilt,
  truncationOf,
  variance,
  windowOf,
  type ExcessProblem,
  type Window,
} from './dominating-window.ts';
import { anchorAt, displacementAt, gapAt } from './excess-anchor.ts';
import { blockLength, GROSS, NEXT, OTHER_PART, sumBlock, TAIL_PART, VALUE } from './excess-block.ts';
import { integratedExcess } from './excess-integral.ts';

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

/** The sum, or where it has millions of terms the integral, which knows six digits of it. */
export type Effort = 'fine' | 'coarse';

/**
 * The excess with its error bounds; null where it is exactly 0. Cost: about 20 standard deviations of m, and
 * of a coarse one not more than some milliseconds.
 */
export function expectedExcess(problem: ExcessProblem, effort: Effort = 'fine'): Excess | null {
  const isCoarse = effort === 'coarse' && variance(problem) > LONGEST_SUM;
  const integral = isCoarse ? integratedExcess(problem) : null;
  if (integral !== null) {
    const { logScale, lower, upper } = integral;
    const error = (upper - lower) / 2 + ROUNDOFF * upper;
    return { logScale, value: (lower + upper) / 2, error, truncated: 0 };
  }
  const tilt = dominatingTilt(problem);
  if (tilt === null) return null;
  if (tilt.logMoment < SUMMED_FROM) {
    // Terms this small overflow the recurrence; the Chernoff bound itself is an upper end, and zero a lower
    // one.
    const logScale = tilt.logMoment - 1 - Real.log(tilt.theta) + 1e-3 + problem.users * 1e-15;
    return { logScale, value: 0.5, error: 0.5, truncated: 0 };
  }
  // The Chernoff bound exceeds the sum by about as many times as epsilon has standard deviations, rarely by
  // 40.
  let depth = 34;
  for (let attempt = 0; ; attempt++) {
    const window = windowOf(problem, tilt, depth);
    const sum = sumWindow(problem, window);
    const excess = { ...sum, truncated: truncationOf(problem, tilt, window, sum.logScale) };
    const fraction = excess.truncated / sum.value;
    if (!(fraction > TRUNCATION) || attempt === 3) return excess;
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
  const { first, last, peak } = windowOf(problem, tilt, 34);
  const step = Math.max(1, Math.floor((last - first) / 60));
  const scale = anchorAt(problem, peak).logWeight;
  let sum = 0;
  for (let m = first; m <= last; m += step) {
    const { logWeight, ratio } = anchorAt(problem, m);
    const rho = problem.cell0 / (problem.cell0 + problem.cell1);
    sum += Real.exp(logWeight - scale) * (rho * gapAt(problem, m) - displacementAt(problem, m) * ratio);
  }
  return scale + Real.log(sum * step);
}

/** Whether a full evaluation has so many terms that a search should estimate first. */
export function isLong(problem: ExcessProblem): boolean {
  return variance(problem) > 1e8;
}

function sumWindow(problem: ExcessProblem, window: Window): Omit<Excess, 'truncated'> {
  const logScale = anchorAt(problem, window.peak).logWeight;
  const value = new CompensatedSum();
  let error = 0;
  // Relative errors of s are multiplied by the distance of the dominating m from the mean.
  const { users, cell0, cell1, other } = problem;
  const shift = other === 0 ? 0 : Math.abs(window.peak - users * (cell0 + cell1)) / other + 1;
  const block = new Float64Array(5);
  for (let m = window.first; m <= window.last; m = block[NEXT]!) {
    const anchor = anchorAt(problem, m);
    const length = blockLength(problem, m, anchor.ratio);
    const weight = Real.exp(anchor.logWeight - logScale);
    sumBlock(problem, { from: m, last: Math.min(window.last, m + length - 1), weight, anchor }, block);
    value.add(block[VALUE]!);
    const steps = block[NEXT]! - m;
    const weightError = anchor.logError + 2 * ROUNDOFF * Math.abs(logScale) + 6 * ROUNDOFF * steps;
    // Inside a block T falls by less than e, so rounding errors of T grow by less than e.
    const tailError = 3e-14 + 12 * ROUNDOFF * steps;
    error +=
      (weightError + 6 * ROUNDOFF * shift) * Math.abs(block[VALUE]!) +
      (12 * ROUNDOFF + problem.gapError) * block[GROSS]! +
      tailError * block[TAIL_PART]! +
      problem.otherError * block[OTHER_PART]!;
  }
  return { logScale, value: value.value, error };
}
