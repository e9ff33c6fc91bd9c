/** The ratios of a buffer that are counted one by one, and Chernoff's bounds of what lies beyond (docs/sharp-bound.md, "Outside the window"). */
import { Real } from '@shuffle-dp/core';
import { drawMoments, type BufferLaw } from './buffer.ts';
import type { TiltedBuffer } from './tilted-buffer.ts';

/** What the ratios beyond the cut may add, as a share of the target, in each block: a hundred times as much would be seen in epsilon. */
const CUT_SHARE = 3e-6;

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
  const end = Math.ceil(tails.plain.pointOfExcess(size, Real.log(allowed / scale)));
  const last = Math.min(most, Math.max(closest, end));
  if (last - first > WIDEST) return null;
  return { first, last, cut: last < most ? scale * Real.exp(tails.plain.logExcess(size, last)) : 0 };
}
