import { ContradictionError, type NamedBound } from './errors.ts';

/**
 * What an accountant returns: the quantity asked for lies in [lower, upper].
 * A one-sided result has the trivial value (0, 1 or infinity) on its other side.
 */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/**
 * The interval between two ends.
 *
 * @throws RangeError if the ends are NaN or crossed: an accountant that gets here has a fault.
 * @example interval(1, 2) // { lower: 1, upper: 2 }
 */
export function interval(lower: number, upper: number): Interval {
  if (!(lower <= upper)) throw new RangeError(`not an interval: [${lower}, ${upper}]`);
  return { lower, upper };
}

/**
 * The interval between two bounds that are proved apart from each other.
 * @param quantity what is bounded: 'epsilon'
 * @throws ContradictionError where the lower bound is above the upper one, or either is not a number
 * @example provedInterval('epsilon', { name: 'lower end', value: 1 }, { name: 'upper end', value: 2 }) // { lower: 1, upper: 2 }
 */
export function provedInterval(quantity: string, lower: NamedBound, upper: NamedBound): Interval {
  if (!(lower.value <= upper.value)) throw new ContradictionError(quantity, lower, upper);
  return { lower: lower.value, upper: upper.value };
}

/**
 * The interval of one exactly known number.
 *
 * @example exactly(3) // { lower: 3, upper: 3 }
 */
export function exactly(value: number): Interval {
  return interval(value, value);
}

/**
 * (upper - lower) / upper; 0 for a point, also at zero.
 *
 * @example relativeWidth(interval(1, 1.25)) // 0.2
 */
export function relativeWidth({ lower, upper }: Interval): number {
  return upper === lower ? 0 : (upper - lower) / Math.abs(upper);
}

/**
 * Whether the value lies between the ends, or on one.
 *
 * @example contains(interval(1, 2), 1.5) // true
 */
export function contains({ lower, upper }: Interval, value: number): boolean {
  return lower <= value && value <= upper;
}
