/** The ratios of a buffer that are counted one by one, and Chernoff's bounds of what lies beyond (docs/sharp-bound.md, "Outside the window"). */
import { Real } from '@shuffle-dp/core';
import { drawMoments, type BufferLaw } from './buffer.ts';
import type { TiltedBuffer } from './tilted-buffer.ts';

/** What the ratios beyond the cut may add, as a share of the target. */
const CUT_SHARE = 3e-4;

export interface RatioWindow {
  /** Lattice points of the sum of the ratios between which they are counted one by one. */
  readonly first: number;
  readonly last: number;
  /** What ratios beyond the last add to the bound. */
  readonly cut: number;
}

/** Deviations of the tilted sum that the window has below its mean. */
const WINDOW = 7;
/** Deviations of the sum at which the cut may be at the closest. */
const CLOSEST = 3.5;
/** Strides of one length; where tails go on and on each is longer than the one before. */
const [EQUAL_STRIDES, LONGER] = [64, 1.2];
/** Some thousand ratios are usual. Where more would have to be counted, some are a million times as large as others. */
const WIDEST = 2 ** 15;

/** Null where it would be too wide: such a buffer hides nobody. */
export function windowOf(
  draws: BufferLaw,
  weight: number,
  { slope, tails }: TiltedBuffer,
  size: number,
  scale: number,
  target: number,
): RatioWindow | null {
  const { mean, variance } = drawMoments(draws, weight, slope);
  const deviation = Math.sqrt(size * variance);
  const most = draws.largestPoint * size;
  const least = draws.smallestPoint * size;
  const point = (sum: number): number => Math.min(most, Math.max(least, Math.round(sum / draws.step)));
  const first = point(size * mean - WINDOW * deviation - draws.step);
  const plain = drawMoments(draws, 0, 0);
  const plainDeviation = Math.sqrt(size * plain.variance);
  // No further than the cut allows: beyond, gains of heavy tails outweigh how seldom ratios are so large.
  const closest = Math.max(
    Math.min(most, first + 2),
    point(size * plain.mean + CLOSEST * plainDeviation + draws.step),
  );
  const allowed = CUT_SHARE * target;
  if (tails) {
    const end = Math.ceil(tails.plain.pointOfExcess(size, Real.log(allowed / scale)));
    const last = Math.min(most, Math.max(closest, end));
    if (last - first > WIDEST) return null;
    return { first, last, cut: last < most ? scale * Real.exp(tails.plain.logExcess(size, last)) : 0 };
  }
  let stride = Math.max(1, Math.round((0.25 * plainDeviation) / draws.step));
  let last = closest;
  let cut = scale * meanBeyond(draws, size, last);
  for (let strides = 1; cut > allowed && last < most && last - first <= WIDEST; strides++) {
    last = Math.min(most, last + stride);
    cut = scale * meanBeyond(draws, size, last);
    if (strides > EQUAL_STRIDES) stride = Math.ceil(LONGER * stride);
  }
  return last - first > WIDEST ? null : { first, last, cut };
}

/** E (mean ratio - last)_+ without a tilt, by Chernoff: x_+ <= e^(s x - 1) / s. */
function meanBeyond(draws: BufferLaw, size: number, last: number): number {
  if (last >= draws.largestPoint * size) return 0;
  return Real.exp(leastExponent(draws, 0, size, last, 1, (s) => -1 - Real.log(s * size)));
}

/** log of E e^(weight gains) over the buffers beyond a point, on one side, by Chernoff. */
export function logTail(
  draws: BufferLaw,
  weight: number,
  { tails }: TiltedBuffer,
  size: number,
  point: number,
  side: 1 | -1,
): number {
  if (tails) return tails.weighted.log(size, point, side);
  return leastExponent(draws, weight, size, point, side, () => 0);
}

/** The least over some s > 0 of size log E e^(weight gain + side s ratio) - side s (point), and a term of s. */
function leastExponent(
  draws: BufferLaw,
  weight: number,
  size: number,
  point: number,
  side: 1 | -1,
  extra: (s: number) => number,
): number {
  const sum = point * draws.step;
  const exponent = (s: number): number =>
    size * drawMoments(draws, weight, side * s).log - side * s * sum + extra(s);
  // Newton on the tilted mean, from the Gaussian guess.
  let s = 0;
  for (let step = 0; step < 12; step++) {
    const { mean, variance } = drawMoments(draws, weight, side * s);
    const next = s + Math.max(-s / 2, (side * (sum / size - mean)) / variance);
    const done = Math.abs(next - s) <= 1e-3 * next;
    s = Math.min(next, s === 0 ? Infinity : 2 * s);
    if (done || !(s > 0 && s < Infinity)) break;
  }
  const start = s > 0 && s < Infinity ? s : 1 / (draws.deviation * Math.sqrt(size) + draws.step);
  const best = Math.min(exponent(start), exponent(0.7 * start), exponent(1.4 * start));
  return best + 1e-9 * Math.abs(best) + 1e-9;
}
