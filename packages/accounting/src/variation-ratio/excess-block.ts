/**
 * Terms of the excess one after the other: T and g of the next m by a multiplication and a division, as long
 * as the threshold moves by at most one.
 */
import { ROUNDOFF } from '@shuffle-dp/core';
import { CELL_ERROR, type ExcessProblem } from './dominating-window.ts';
import { countsFromLow, displacementAt, type Anchor } from './excess-anchor.ts';

const LONGEST_BLOCK = 4096;

/** Indices of what one block hands back, all relative to the scale. */
export const VALUE = 0;
/** The same sum with every subtraction replaced by an addition: what relative errors act on. */
export const GROSS = 1;
/** The part that carries T, and so the error of the tail's recurrence. */
export const TAIL_PART = 2;
/** The part that carries dOther. */
export const OTHER_PART = 3;
/** The sum with every term times the distance of its m from the mean: what errors of s act on. */
export const SHIFTED = 4;
/**
 * Bound of what a threshold off by one leaves out. E (a - low)_+ is the largest of the sums from a threshold
 * on, so another threshold than floor(low) + 1 never adds to it. Within `open`, the error of low, of an
 * integer the threshold may be the next one: what is missed is `open` times the probability of that count.
 */
export const LEFT_OUT = 5;
export const NEXT = 6;
/** How many numbers those are. */
export const RESULTS = 7;

/** Relative, of what low and gap are sums of: cells, their quotients, and some operations. */
const THRESHOLD_ERROR = 2 * CELL_ERROR + 12 * ROUNDOFF;

/** Below it T is not much more than what one subtraction takes from it: a block then has only so many. */
const FEW = 4;

/**
 * Steps in which T falls by less than a factor e, so that its recurrence, which subtracts, keeps its digits.
 */
export function blockLength(problem: ExcessProblem, m: number, ratio: number): number {
  if (ratio < FEW) return LONGEST_BLOCK;
  const rho = problem.cell0 / (problem.cell0 + problem.cell1);
  const spread = Math.sqrt((m * rho * problem.cell1) / (problem.cell0 + problem.cell1));
  const z = displacementAt(problem, m) / spread;
  const drift = Math.abs(problem.dTelling - problem.dOther) / spread + z / (2 * m);
  const length = 1 / (2 * Math.max(1, z) * drift);
  return Math.max(4, Math.min(LONGEST_BLOCK, Math.floor(length)));
}

export interface Block {
  readonly from: number;
  readonly last: number;
  /** What is known at `from`, and its weight over the scale. */
  readonly anchor: Anchor;
  readonly weight: number;
}

/** Terms of the block, or until the threshold makes a step that the recurrence does not know. */
export function sumBlock(problem: ExcessProblem, block: Block, result: Float64Array): void {
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
  let shifted = 0;
  let leftOut = 0;
  const fromLow = countsFromLow(problem, from);
  // An error of the first cell's gain moves the unit in which all are given by its share of it.
  const unitError = THRESHOLD_ERROR + 2 * problem.gapError * gapTelling;
  const pullError = unitError + problem.otherError;
  const countError = fromLow
    ? unitError * (rho + dTelling)
    : (THRESHOLD_ERROR + 2 * problem.gapError) * gapTelling;
  const mean = users * telling;
  let subtractions = ratio < FEW ? Math.floor(ratio) : Infinity;
  for (;;) {
    const left = users - m;
    const pull = dOther * left + dConstant;
    const tail = weight * (dTelling * m + pull) * ratio;
    const point = weight * rho * (gapTelling * m - pull);
    value += point - tail;
    shifted += (point - tail) * Math.abs(m - mean);
    gross += point + tail + 2 * rho * weight * pull;
    tailPart += tail;
    otherPart += weight * pull * (ratio + rho);
    const open = countError * m + pullError * pull;
    // How far low is above the last count that is not summed.
    const above = fromLow ? rho * m + (dTelling * m + pull) - (k - 1) : m + 1 - k - (gapTelling * m - pull);
    if (above <= open) leftOut += (weight * open * m * rest) / (m - k + 1);
    if (above >= 1 - open) leftOut += (weight * (open + Math.max(0, above - 1)) * m * rho) / k;
    // Of several integers that it may be beyond nothing is said.
    if (open >= 0.5) leftOut = Infinity;
    if (m === last) {
      m++;
      break;
    }
    const next = m + 1;
    const nextPull = dOther * (left - 1) + dConstant;
    const gap = gapTelling * next - nextPull;
    const threshold = fromLow
      ? Math.min(next, Math.floor(rho * next + (dTelling * next + nextPull)) + 1)
      : next + 1 - (gap > 1 ? Math.ceil(gap) : 1);
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
  result[SHIFTED] = shifted;
  result[LEFT_OUT] = leftOut;
  result[NEXT] = m;
}
