/**
 * Numbers of a range as whole steps from its lower end, rounded at random so that their expectation stays.
 */
import { sampleBinomial, type RandomStream } from '@shuffle-dp/core';
import type { NumberCounts } from './number-data.ts';

export interface Grid {
  readonly range: { readonly low: number; readonly high: number };
  /** Steps between the ends. */
  readonly steps: number;
}

/**
 * In [0, steps]; numbers outside the range are moved to its nearest end, and what is no number to the lower.
 */
export function placeOf({ range: { low, high }, steps }: Grid, value: number): number {
  const clamped = value > low ? Math.min(value, high) : low;
  return (steps * (clamped - low)) / (high - low);
}

/** Variance of the rounded place. */
export function roundingVariance(place: number): number {
  const rest = place - Math.floor(place);
  return rest * (1 - rest);
}

export function roundAtRandom(place: number, stream: RandomStream): number {
  const floor = Math.floor(place);
  return stream.next() < place - floor ? floor + 1 : floor;
}

/** How many users round to each of the steps, 0 to `steps`: from the exact joint law. */
export function sampleRoundedCounts(
  grid: Grid,
  { points, holders }: NumberCounts,
  stream: RandomStream,
): Float64Array {
  const counts = new Float64Array(grid.steps + 1);
  points.forEach((point, i) => {
    const place = placeOf(grid, point);
    const floor = Math.floor(place);
    const up = sampleBinomial(holders[i]!, place - floor, stream);
    counts[floor]! += holders[i]! - up;
    if (up > 0) counts[floor + 1]! += up;
  });
  return counts;
}

/** The sum of all users' rounded places, by its exact law: without an array of all steps. */
export function sampleRoundedSum(
  grid: Grid,
  { points, holders }: NumberCounts,
  stream: RandomStream,
): number {
  let sum = 0;
  points.forEach((point, i) => {
    const place = placeOf(grid, point);
    const floor = Math.floor(place);
    sum += holders[i]! * floor + sampleBinomial(holders[i]!, place - floor, stream);
  });
  return sum;
}
