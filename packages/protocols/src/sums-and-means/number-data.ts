/** Numbers of the users, as protocols of sums and means see them. */
import { onceEachObject, ParameterError } from '@shuffle-dp/core';
import { holdersIn, numbersFault, requireSame, throwFault } from '../data-checks.ts';

/** Different numbers, and how many users hold each. */
export interface NumberCounts {
  readonly points: Float64Array;
  readonly holders: Float64Array;
}

/** One number per user: in user order, counted, or both. */
export interface NumberData {
  readonly kind: 'numbers';
  readonly users: number;
  /** In user order; absent where only the counts exist (very many users). */
  readonly values?: Float64Array;
  /** Absent where they follow from the values. */
  readonly counts?: NumberCounts;
  /** Of the population that the users were drawn from, one entry: its mean. */
  readonly population?: Float64Array;
}

/** All that the aggregated path needs. @throws ParameterError where there are neither values nor counts */
export const countsOf = onceEachObject((data: NumberData): NumberCounts => {
  if (data.counts) return data.counts;
  const holders = new Map<number, number>();
  for (const value of valuesOf(data)) holders.set(value, (holders.get(value) ?? 0) + 1);
  return { points: Float64Array.from(holders.keys()), holders: Float64Array.from(holders.values()) };
});

/** @throws ParameterError where only the counts are known */
export function valuesOf({ values }: NumberData): Float64Array {
  if (values) return values;
  throw new ParameterError('path', 'messages', "'aggregated' for data that are only counted");
}

/** @throws ParameterError unless the data have so many users, and a number of each */
export function checkNumbers(data: NumberData, users: number): void {
  requireSame('data.users', data.users, users);
  throwFault(ownFault(data));
}

const ownFault = onceEachObject(({ users, values, counts }: NumberData): ParameterError | null => {
  const held = holdersIn(values, counts?.holders);
  if (held !== users) return new ParameterError('the number of values', held, `data.users = ${users}`);
  if (counts && counts.points.length !== counts.holders.length)
    return new ParameterError(
      'the number of points',
      counts.points.length,
      `${counts.holders.length}, as holders are`,
    );
  return (
    (values ? numbersFault('data.values', values) : null) ??
    (counts ? numbersFault('data.counts.points', counts.points) : null)
  );
});

/** By how much the sum of all numbers changes where those outside of a range are moved to its ends. */
export function clippedShift(
  data: NumberData,
  { low, high }: { readonly low: number; readonly high: number },
): number {
  return sumOver(data, (value) => Math.min(Math.max(value, low), high) - value);
}

/** The sum over all users of a function of their number. */
export function sumOver(data: NumberData, term: (value: number) => number): number {
  const { points, holders } = countsOf(data);
  let sum = 0;
  points.forEach((point, i) => (sum += holders[i]! * term(point)));
  return sum;
}
