/** Where a round's curve is looked at: closely where losses of the composition have the most mass. */
import { Real } from '@shuffle-dp/core';
import type { Region } from './curve-points.ts';

/** Distances of points, in deviations. */
export interface Closeness {
  /** Where losses are the most. */
  readonly closest: number;
  /** Anywhere. */
  readonly widest: number;
}

/** Points are far apart where there are many pairs, */
export const [CLOSE, FAR]: readonly [Closeness, Closeness] = [
  { closest: 1 / 8, widest: 1 / 2 },
  { closest: 1 / 4, widest: 1 / 2 },
];
/** and further yet where they take too long. */
export const COARSER: readonly Closeness[] = [
  FAR,
  { closest: 1 / 3, widest: 2 / 3 },
  { closest: 0.4, widest: 0.8 },
  { closest: 1 / 2, widest: 1 },
];
/** Points end so far beyond the mean, in deviations. */
const REACH = 2.9;
/** Distances grow with the third root of what losses are fewer: e^(z^2 / 6) of a normal law. */
const THIRD_OF_HALF = 1 / 6;

/** From those that are chosen on. */
export function knotsFrom(
  chosen: readonly number[],
  { deviation, mean }: Region,
  { closest, widest }: Closeness,
): number[] {
  const centre = mean / deviation;
  const widthAt = (z: number): number =>
    Math.min(widest, closest * Real.exp((z - centre) ** 2 * THIRD_OF_HALF));
  const knots = [...chosen];
  const last = chosen.at(-1);
  const start = last === undefined ? widthAt(0) / 2 : last / deviation + widthAt(last / deviation);
  for (let z = start; z <= centre + REACH; z += widthAt(z)) knots.push(z * deviation);
  return knots;
}

/** So many at the widest distance. */
const BEYOND = 12;

export function knotsBeyond(last: number, deviation: number): number[] {
  return Array.from({ length: BEYOND }, (_, i) => last + (i + 1) * FAR.widest * deviation);
}
