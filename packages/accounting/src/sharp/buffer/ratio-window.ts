/**
 * The ratios of a buffer that are counted one by one, and Chernoff's bounds of what lies beyond
 * (docs/sharp-bound.md, "Outside the window").
 */
import { Real } from '@shuffle-dp/core';
import { drawMoments, type BufferLaw } from './buffer.ts';
import type { RatioTails } from './ratio-tails.ts';
import type { TiltedBuffer } from './tilted-buffer.ts';

/**
 * What the ratios beyond the cut may add, as shares of the target, in each block: where gains have heavy
 * tails what is left of them below a cut far out outweighs how seldom ratios are so large.
 */
const CUT_SHARES = [3e-6, 3e-5, 3e-4] as const;

export interface RatioWindow {
  /** Lattice points of the sum of the ratios between which they are counted one by one. */
  readonly first: number;
  readonly last: number;
  /** What ratios beyond the last add to the bound as they are cut, */
  readonly cut: number;
  /** and log of what they count beside it. */
  readonly beyond: number;
}

/** Deviations of the tilted sum that the window has below its mean. */
const WINDOW = 7;
/** Deviations of the sum at which the cut may be at the closest. */
const CLOSEST = 3.5;
/**
 * Some thousand ratios are usual. Where more would have to be counted, some are a million times as large as
 * others.
 */
const WIDEST = 2 ** 15;

/** What a cut of the ratios costs, in units of the bound. */
export interface CutCost {
  /** Whether ratios are cut: else the moments grow on beyond the window. */
  readonly isCut: boolean;
  /** About the bound of the block. */
  readonly target: number;
  /** Of each unit of the mean ratio beyond the cut. */
  readonly scale: number;
  /** log of what a unit of probability beyond the cut counts, where the mean ratio is at the cut. */
  logAtCut(ratio: number): number;
}

/** The lattice point of the cut, and what is added for what lies beyond. */
export type RatioCut = Omit<RatioWindow, 'first'>;

/** The cheapest of some cuts, no closer than `closest`. */
export function ratioCut(
  draws: BufferLaw,
  { plain, weighted }: TiltedBuffer['tails'],
  size: number,
  closest: number,
  { target, scale, logAtCut }: Omit<CutCost, 'isCut'>,
): RatioCut {
  const most = draws.largestPoint * size;
  let [best, least]: [RatioCut, number] = [{ last: most, cut: 0, beyond: -Infinity }, Infinity];
  for (const share of CUT_SHARES) {
    const end = Math.ceil(plain.pointOfExcess(size, Real.log((share * target) / scale)));
    const last = Math.min(most, Math.max(closest, end));
    const cut = last < most ? scale * Real.exp(plain.logExcess(size, last)) : 0;
    const beyond =
      last < most ? logAtCut((last * draws.step) / size) + weighted.log(size, last, 1) : -Infinity;
    const cost = cut + Real.exp(beyond);
    if (!(cost < least)) break;
    [best, least] = [{ last, cut, beyond }, cost];
  }
  return best;
}

/**
 * What ratios beyond the last may count where they are not cut, as a share of the target; and how fast it is
 * found.
 */
const [UNCUT_SHARE, WIDENED] = [3e-6, 1.3];

/** The log of F is convex: beyond the last ratio below its chord to the largest one. */
function uncutEnd(
  draws: BufferLaw,
  weighted: RatioTails,
  size: number,
  closest: number,
  { target, logAtCut }: CutCost,
): RatioCut {
  const most = draws.largestPoint * size;
  const ratioOf = (point: number): number => (point * draws.step) / size;
  const middle = (drawMoments(draws, 0, 0).mean * size) / draws.step;
  for (let last = closest; last < most; last = Math.ceil(middle + WIDENED * (last - middle)) + 1) {
    const here = logAtCut(ratioOf(last));
    const steepness = (logAtCut(ratioOf(most)) - here) / ((most - last) * draws.step);
    const beyond = here + weighted.log(size, last, 1, Math.max(0, steepness));
    if (Real.exp(beyond) <= UNCUT_SHARE * target) return { last, cut: 0, beyond };
  }
  return { last: most, cut: 0, beyond: -Infinity };
}

/** Null where it would be too wide: such a buffer hides nobody. */
export function windowOf(
  draws: BufferLaw,
  weight: number,
  { slope, tails }: TiltedBuffer,
  size: number,
  cost: CutCost,
): RatioWindow | null {
  const { mean, variance } = drawMoments(draws, weight, slope);
  const deviation = Math.sqrt(size * variance);
  const most = draws.largestPoint * size;
  const least = draws.smallestPoint * size;
  const point = (sum: number): number => Math.min(most, Math.max(least, Math.round(sum / draws.step)));
  const first = point(size * mean - WINDOW * deviation - draws.step);
  const closest = Math.max(Math.min(most, first + 2), closestCut(draws, size));
  const end = cost.isCut
    ? ratioCut(draws, tails, size, closest, cost)
    : uncutEnd(draws, tails.weighted, size, closest, cost);
  return end.last - first > WIDEST ? null : { first, ...end };
}

/** No further out than this are ratios cut. */
export function closestCut(draws: BufferLaw, size: number): number {
  const { mean, variance } = drawMoments(draws, 0, 0);
  const sum = size * mean + CLOSEST * Math.sqrt(size * variance) + draws.step;
  return Math.min(draws.largestPoint * size, Math.round(sum / draws.step));
}
