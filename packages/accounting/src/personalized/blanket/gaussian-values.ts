/**
 * The worst value of a victim with Gaussian noise, against a reference whose noise is narrower: there the
 * ends of the range are not proved to be the worst pair, and this search certifies it (docs/worst-pairs.md,
 * "Gaussian noise of different widths"). Only pairs of a value in [0, 1/2] and the value 1 are left to look
 * at.
 *
 * With k = width^2 / (2 deviation^2) the laws of the values of a cell of this width stay below e^(k/4) times
 * mixtures of those of its two ends. So what the ends lose at epsilon - k/4 bounds what all values between
 * lose at epsilon.
 */
import { Real } from '@shuffle-dp/core';

/** Upper bound of what the pair of this value and the value 1 loses: delta at epsilon. */
export type ValueExcess = (value: number, epsilon: number) => number;

/** Cells are halved down to this width. */
const NARROWEST = 2 ** -10;
/** The largest of t (1 - t)^2 on [0, 1], times 4. */
const MIXTURE_PEAK = 16 / 27;

/**
 * Upper bound of delta(epsilon) over all values in [0, 1/2]: that of value 0 where the search finds no other
 * one worse, or none above `goal`; otherwise larger.
 */
export function largestValueExcess(
  excess: ValueExcess,
  deviation: number,
  epsilon: number,
  goal: number,
): number {
  const atEnd = excess(0, epsilon);
  const allowed = Math.max(atEnd, goal);
  // Up to here the value 0 is proved to be the worst: the pair is at least sqrt(2 epsilon) deviations apart.
  const proved = 1 - deviation * Math.sqrt(2 * epsilon);
  let worst = atEnd;
  let start = Math.max(0, proved);
  for (let width = 0.5; start < width; width /= 2) {
    const bound = firstCellBound(excess, deviation, epsilon, width, atEnd);
    if (bound <= allowed || width <= NARROWEST) {
      worst = Math.max(worst, bound);
      start = width;
    }
  }
  const cells: [number, number][] = start < 0.5 ? [[start, 0.5]] : [];
  for (let cell = cells.pop(); cell; cell = cells.pop()) {
    const [from, to] = cell;
    const bound = cellBound(excess, deviation, epsilon, from, to);
    if (bound <= allowed || to - from <= NARROWEST) worst = Math.max(worst, bound);
    else cells.push([(from + to) / 2, to], [from, (from + to) / 2]);
  }
  return worst;
}

/** Of all values in [from, to]. */
function cellBound(
  excess: ValueExcess,
  deviation: number,
  epsilon: number,
  from: number,
  to: number,
): number {
  const spread = quarterSpread(deviation, to - from);
  if (spread > epsilon) return Infinity;
  return Real.exp(spread) * Math.max(excess(from, epsilon - spread), excess(to, epsilon - spread));
}

/**
 * Of all values in [0, width]. Near 0, where the one of 0 is all there is to spare, mixtures weigh less and
 * less.
 */
function firstCellBound(
  excess: ValueExcess,
  deviation: number,
  epsilon: number,
  width: number,
  atEnd: number,
): number {
  const spread = quarterSpread(deviation, width);
  if (spread > epsilon) return Infinity;
  const shifted = Real.exp(spread) * excess(0, epsilon - spread);
  const far = Real.exp(spread) * excess(width, epsilon - spread);
  // atEnd + t (4 (1 - t)^2 (shifted - atEnd) + far - atEnd) is the bound at the value t width.
  const rise = Math.max(0, shifted - atEnd);
  if (4 * rise + far <= atEnd) return atEnd;
  return atEnd + MIXTURE_PEAK * rise + Math.max(0, far - atEnd);
}

/** k/4: how far the log of a law may exceed the chord between those of the two ends. */
function quarterSpread(deviation: number, width: number): number {
  return (width / deviation) ** 2 / 8;
}
