/** One place of the plane per user. */
import { onceEachObject, ParameterError } from '@shuffle-dp/core';
import { cellOf, type PlaneRegion } from '@shuffle-dp/randomizers';
import { numbersFault, requireSame, throwFault } from '../data-checks.ts';

export interface PlaceData {
  readonly kind: 'places';
  readonly users: number;
  /** In user order; all in the unit of the region. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Of the population that the users were drawn from: its mean place. */
  readonly population?: Float64Array;
}

/** @throws ParameterError unless the data have so many users, and a place of each */
export function checkPlaces(data: PlaceData, users: number): void {
  const { users: given, x, y } = data;
  requireSame('data.users', given, users);
  if (x.length !== users || y.length !== users)
    throw new ParameterError('the number of places', `${x.length} x, ${y.length} y`, `data.users = ${users}`);
  throwFault(ownFault(data));
}

const ownFault = onceEachObject(
  ({ x, y }: PlaceData) => numbersFault('data.x', x) ?? numbersFault('data.y', y),
);

/** Places outside the region are moved to its nearest one. */
export function insideRegion({ x, y }: PlaceData, region: PlaneRegion): { x: Float64Array; y: Float64Array } {
  return {
    x: x.map((value) => Math.min(region.x.high, Math.max(region.x.low, value))),
    y: y.map((value) => Math.min(region.y.high, Math.max(region.y.low, value))),
  };
}

/**
 * Users in each cell of a grid of `side` x `side`, numbered along x, then along y; places outside are in the
 * nearest cell.
 *
 * @example gridHistogram({ kind: 'places', users: 2, x: Float64Array.of(0, 2), y: Float64Array.of(1, 3) }, { x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }, 2)[0] // 1
 */
export function gridHistogram({ x, y }: PlaceData, region: PlaneRegion, side: number): Float64Array {
  const counts = new Float64Array(side * side);
  for (let u = 0; u < x.length; u++) counts[cellOf(region, side, x[u]!, y[u]!)]!++;
  return counts;
}

/**
 * The mean of the users' places, x and y.
 *
 * @example meanPlace({ kind: 'places', users: 2, x: Float64Array.of(0, 2), y: Float64Array.of(1, 3) })[1] // 2
 */
export function meanPlace({ users, x, y }: PlaceData): Float64Array {
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  return Float64Array.of(sum(x) / users, sum(y) / users);
}
