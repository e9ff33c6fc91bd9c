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
import {
  CompensatedSum,
  integrateSmooth,
  log1pMinus,
  logBinomialPmf,
  Real,
  ROUNDOFF,
} from '@shuffle-dp/core';
import {
  dominatingTilt,
  truncationOf,
  variance,
  windowOf,
  type ExcessProblem,
  type Window,
} from './dominating-window.ts';
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

const LONGEST_BLOCK = 4096;
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

function displacementAt({ users, dTelling, dOther, dConstant }: ExcessProblem, m: number): number {
  return dTelling * m + dOther * (users - m) + dConstant;
}

function gapAt({ users, gapTelling, dOther, dConstant }: ExcessProblem, m: number): number {
  return gapTelling * m - dOther * (users - m) - dConstant;
}

/** The state of the recurrence at one m, computed afresh. */
interface Anchor {
  /** floor(low_m) + 1, at most m. */
  readonly threshold: number;
  /** log of Pr[Bin(n, s) = m] g. */
  readonly logWeight: number;
  /** T / g. */
  readonly ratio: number;
  /** Bound of the absolute error of logWeight. */
  readonly logError: number;
}

function anchorAt(problem: ExcessProblem, m: number): Anchor {
  const { cell0, cell1, other } = problem;
  const telling = cell0 + cell1;
  const rho = cell0 / telling;
  const threshold = m + 1 - Math.max(1, Math.ceil(gapAt(problem, m)));
  // By the rarer of two cells, whose probability keeps its digits where the other one's rounds to 1: here,
  // and below.
  const logMass = other === 0 ? 0 : logMassOf(problem, m);
  const logPoint =
    rho > 0.5
      ? logBinomialPmf(m - threshold, m - 1, cell1 / telling)
      : logBinomialPmf(threshold - 1, m - 1, rho);
  return {
    threshold,
    logWeight: logMass + logPoint,
    ratio: tailRatio(m - 1, threshold, cell0 / cell1),
    logError: 6e-13 + 8 * ROUNDOFF * (Math.abs(logMass) + Math.abs(logPoint)),
  };
}

function logMassOf({ users, cell0, cell1, other }: ExcessProblem, m: number): number {
  return other < 0.5 ? logBinomialPmf(users - m, users, other) : logBinomialPmf(m, users, cell0 + cell1);
}

/**
 * Pr[Bin(N, rho) >= k] / Pr[Bin(N, rho) = k - 1], of rho by its odds rho/(1-rho), for k above the mean: the
 * incomplete beta integral divided by its leading term, (N-k+1) rho/(1-rho) times the integral of (1-x)^(k-1)
 * (1 + x rho/(1-rho))^(N-k) over [0, 1]. Relative error below 1e-14.
 */
function tailRatio(trials: number, k: number, odds: number): number {
  const successes = k - 1;
  const failures = trials - k;
  if (failures < 0) return 0;
  const slope = successes - failures * odds;
  // Where the integrand has fallen by e^-40: slope x + successes x^2 / 2 = 40.
  const reach = Math.min(1, 80 / (slope + Math.sqrt(slope * slope + 80 * successes)));
  const integral = integrateSmooth(
    (x) => Real.exp(successes * log1pMinus(-x) + failures * log1pMinus(odds * x) - slope * x),
    0,
    Number.isFinite(reach) && reach > 0 ? reach : 1,
    RATIO_ORDER,
  );
  return (failures + 1) * odds * integral;
}

const RATIO_ORDER = 64;

/** Indices of what one block hands back, all relative to the scale. */
const VALUE = 0;
/** The same sum with every subtraction replaced by an addition: what relative errors act on. */
const GROSS = 1;
/** The part that carries T, and so the error of the tail's recurrence. */
const TAIL_PART = 2;
/** The part that carries dOther. */
const OTHER_PART = 3;
const NEXT = 4;

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

/** Below it T is not much more than what one subtraction takes from it: a block then has only so many. */
const FEW = 4;

/**
 * Steps in which T falls by less than a factor e, so that its recurrence, which subtracts, keeps its digits.
 */
function blockLength(problem: ExcessProblem, m: number, ratio: number): number {
  if (ratio < FEW) return LONGEST_BLOCK;
  const rho = problem.cell0 / (problem.cell0 + problem.cell1);
  const spread = Math.sqrt((m * rho * problem.cell1) / (problem.cell0 + problem.cell1));
  const z = displacementAt(problem, m) / spread;
  const drift = Math.abs(problem.dTelling - problem.dOther) / spread + z / (2 * m);
  const length = 1 / (2 * Math.max(1, z) * drift);
  return Math.max(4, Math.min(LONGEST_BLOCK, Math.floor(length)));
}

interface Block {
  readonly from: number;
  readonly last: number;
  /** What is known at `from`, and its weight over the scale. */
  readonly anchor: Anchor;
  readonly weight: number;
}

/** Terms of the block, or until the threshold makes a step that the recurrence does not know. */
function sumBlock(problem: ExcessProblem, block: Block, result: Float64Array): void {
  const { from, last, anchor } = block;
  const { users, cell0, cell1, other, dTelling, dOther, gapTelling, dConstant } = problem;
  const telling = cell0 + cell1;
  const rho = cell0 / telling;
  const rest = cell1 / telling;
  const odds = telling / other;
  const rhoOdds = rho / rest;
  let m = from;
  let k = anchor.threshold;
  let { weight } = block;
  let ratio = anchor.ratio;
  let value = 0;
  let gross = 0;
  let tailPart = 0;
  let otherPart = 0;
  let subtractions = ratio < FEW ? Math.floor(ratio) : Infinity;
  for (;;) {
    const left = users - m;
    const pull = dOther * left + dConstant;
    const tail = weight * (dTelling * m + pull) * ratio;
    const point = weight * rho * (gapTelling * m - pull);
    value += point - tail;
    gross += point + tail + 2 * rho * weight * pull;
    tailPart += tail;
    otherPart += weight * pull * (ratio + rho);
    if (m === last) {
      m++;
      break;
    }
    const next = m + 1;
    const gap = gapTelling * next - dOther * (left - 1) - dConstant;
    const threshold = next + 1 - (gap > 1 ? Math.ceil(gap) : 1);
    const massRatio = (left * odds) / next;
    // Where more successes are asked for than there are trials T is 0, and stays so while the threshold keeps
    // up with m.
    const keepsUp = ratio === 0 && threshold === next;
    if (ratio === 0 ? !keepsUp : threshold === k + 1 && subtractions-- === 0) {
      m = next;
      break;
    }
    if (threshold === k + 1) {
      const pointRatio = (m * rho) / k;
      ratio = keepsUp ? 0 : (ratio + rho) / pointRatio - 1;
      weight *= massRatio * pointRatio;
    } else if (threshold === k) {
      const pointRatio = (m * rest) / (next - k);
      ratio = (ratio + rho) / pointRatio;
      weight *= massRatio * pointRatio;
    } else if (threshold === k - 1 && k > 1) {
      const pointRatio = (m * rest) / (next - k);
      const back = (k - 1) / ((next - k + 1) * rhoOdds);
      ratio = ((ratio + rho) / pointRatio + 1) / back;
      weight *= massRatio * pointRatio * back;
    } else {
      m = next;
      break;
    }
    k = threshold;
    m = next;
  }
  result[VALUE] = value;
  result[GROSS] = gross;
  result[TAIL_PART] = tailPart;
  result[OTHER_PART] = otherPart;
  result[NEXT] = m;
}
