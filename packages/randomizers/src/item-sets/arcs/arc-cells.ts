/**
 * Arcs, into how many cells one is cut where overlaps are rounded to cells (shared-arcs.ts), and what
 * rounding moves.
 */
import { Real } from '@shuffle-dp/core';
import type { TwoLevelLaw } from '../../laws/two-level-law.ts';

/** Arcs of a set. */
export interface Arcs {
  readonly items: number;
  /** Of one, in turns. */
  readonly length: number;
}

/** Arcs, and what so many of them leave of the circle that do not overlap, with all digits. */
export interface ArcsOfCircle extends Arcs {
  readonly free: (arcs: number) => number;
  /** How many points the circle has; an arc begins at one and is a whole number of them. */
  readonly points: number;
}

/** How many cells an arc is cut into for so many shared items at most, and what rounding to them moves. */
export interface Cells {
  readonly parts: number;
  readonly rounding: number;
}

/**
 * Rounding may raise the victim's mass by these shares of epsilon: small cells do, large ones cost much. A
 * share as large as epsilon itself, up to the second, moves no certificate in its fourth digit.
 */
const [SMALL_RAISE, USUAL_RAISE, MOST_RAISE] = [0.01, 0.02, 0.03];

/** Cells that suit this epsilon; null where arcs are too short. @param shared items at most, below `items` */
export function cellsFor(
  { items, length }: Arcs,
  { share, rise }: TwoLevelLaw,
  shared: number,
  epsilon: number,
): Cells | null {
  // The excess is concave, and rounding moves each run of overlapping arcs by less than a cell.
  const runs = (Math.floor(items / 2) * length) / (1 - share);
  const roundingIn = (cells: number): number => (rise * Real.power(runs / cells, 2)) / 4;
  const missed = Real.exp((2 * items - shared) * Real.log1p(-length));
  const most = partsOfArc(length, shared);
  const raise = Math.min(USUAL_RAISE, Math.max(SMALL_RAISE, epsilon));
  let parts = 1;
  while (parts < most && roundingIn(parts) * missed > raise * epsilon) parts++;
  if (most === 0 || roundingIn(parts) * missed > MOST_RAISE * epsilon) return null;
  return { parts, rounding: roundingIn(parts) };
}

/** Places of shared items are listed, at most so many. */
const MOST_PLACES = 140_000;
const MOST_PARTS = 6;
/** Distances between all pairs of cells are tabulated. */
const MOST_CELLS = 160;

/** The most cells that an arc may be cut into for so many shared items, 0 if it is too short for any. */
function partsOfArc(length: number, shared: number): number {
  for (let parts = MOST_PARTS; parts > 0; parts--) {
    const cells = Math.ceil((1 / length - 1) * parts) + 1;
    let places = 1;
    for (let i = 1; i <= shared; i++) places *= (cells + i - 1) / i;
    if (places <= MOST_PLACES && cells <= MOST_CELLS) return parts;
  }
  return 0;
}

/**
 * By what share of itself a density may be another one than on a continuous circle, of which the laws here
 * are. Each run of arcs that overlap is longer or shorter by less than a point.
 */
export function movedByPoints({ items, free, points }: ArcsOfCircle, { low, rise }: TwoLevelLaw): number {
  return ((rise / low) * (Math.floor(items / 2) / points)) / free(items);
}
