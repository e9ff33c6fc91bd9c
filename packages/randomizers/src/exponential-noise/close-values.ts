/**
 * Pairs of values that are close to each other: others count as if they were between the two
 * (docs/sharp-bound.md, "Pairs of noise move outwards").
 */
import { Real, type LikelihoodAtoms } from '@shuffle-dp/core';
import { equalCells } from '../laws/output-cells.ts';
import {
  inOrder,
  lawsOf,
  pointMasses,
  share,
  squaredGains,
  totalOf,
  variance,
  type ExponentialNoise,
} from './exponential-noise.ts';

/** Cells of the position of close pairs, over the distance that counts as close. */
const CLOSE_CELLS = 3;
/**
 * What the variance of their gains may be of that of the ends of the range, and the shares of the range that
 * are tried.
 */
const CLOSE_VARIANCE = 0.6;
const CLOSE_SHARES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14].map((k) => k / 16);

export interface ClosePairs {
  /** F2 of each cell of positions. */
  readonly blankets: readonly LikelihoodAtoms[];
  /** The largest of their gains. */
  readonly variance: number;
}

/** How far apart values may be at most so that all others, wherever they are, may count as between them. */
export function closeDistance(noise: ExponentialNoise): number {
  const { width } = noise;
  const law = lawsOf(noise);
  const points = equalCells(0, width, Math.max(8, Math.ceil(width / 0.1)));
  const masses = pointMasses(points, noise.isClipped);
  const squares = squaredGains(points, masses, law(0), law(width));
  const worst = Math.max(...[0, width / 4, width / 2].map((value) => variance(points, squares, law(value))));
  let best = width / 32;
  for (const close of CLOSE_SHARES) {
    if (closePairs(noise, close * width).variance > CLOSE_VARIANCE * worst) break;
    best = close * width;
  }
  return best;
}

/** All pairs at most so far apart. */
export function closePairs(noise: ExponentialNoise, apart: number): ClosePairs {
  const { width, isClipped } = noise;
  const [total, law] = [totalOf(noise), lawsOf(noise)];
  const cells = Math.ceil((CLOSE_CELLS * width) / apart);
  const ends = equalCells(0, width, cells);
  let largest = 0;
  const blankets = ends.slice(1).map((to, i): LikelihoodAtoms => {
    const from = ends[i]!;
    const furthest = Math.min(width, to + apart);
    const points = inOrder([
      ...equalCells(0, from, 3),
      ...equalCells(from, to, 3),
      ...equalCells(to, furthest, 10),
      width,
    ]);
    const masses = pointMasses(points, isClipped);
    // Of a value in the cell: e^-|y - value| times the least of e^-|value - x| over the integral, over the
    // values x of the others.
    const least = Math.min(Real.exp(from - width) / total(width), Real.exp(-to) / total(0));
    const hiding = (y: number): number => least * Real.exp(-Math.max(Math.abs(y - from), Math.abs(y - to)));
    const [first, second] = [law(from), law(furthest)];
    largest = Math.max(largest, variance(points, squaredGains(points, masses, first, second), hiding));
    const column = (density: (y: number) => number): Float64Array =>
      masses.map((mass, k) => mass * density(points[k]!));
    return Object.freeze({
      label: `close values, from ${share(from, width)} of the range on`,
      victim0: column(first),
      victim1: column(second),
      others: column(hiding),
      symmetric: true,
    });
  });
  return { blankets, variance: largest };
}
