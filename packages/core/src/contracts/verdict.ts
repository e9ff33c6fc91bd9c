/**
 * The verdict on one statement: a number that somebody claims, against the bracket that is proved of the same
 * quantity. It is about the statement at hand, not about the theorem behind it (that is `Soundness`).
 */
import { ContradictionError } from '../errors.ts';
import { provedInterval, type Interval } from '../interval.ts';
import type { BoundDirection, Soundness, Verdict } from './privacy.ts';

/**
 * The verdict on "the quantity is at most `stated`". `certified` brackets the quantity: nothing exceeds its
 * upper end, and a data set reaches its lower end. An infinite `stated` claims nothing and is certified.
 * @throws RangeError if `stated` is NaN
 * @example verdictHere(0.2, interval(0.25, 0.3)) // 'refuted'
 */
export function verdictHere(stated: number, certified: Interval): Verdict {
  if (Number.isNaN(stated)) throw new RangeError('a statement needs a number, not NaN');
  if (stated >= certified.upper) return 'certified';
  return stated < certified.lower ? 'refuted' : 'unproven';
}

/**
 * The verdict on "the quantity is at least `stated`", against the same bracket.
 * @throws RangeError if `stated` is NaN
 * @example verdictHereOfLower(0.4, interval(0.25, 0.3)) // 'refuted'
 */
export function verdictHereOfLower(stated: number, certified: Interval): Verdict {
  return verdictHere(-stated, { lower: -certified.upper, upper: -certified.lower });
}

/** What a bound says of a quantity at one point, and its verdict in general. */
export interface StatedBound {
  readonly name: string;
  readonly direction: BoundDirection;
  readonly sound: Soundness;
  /** Null where it says nothing. */
  readonly value: number | null;
}

/**
 * The sharpest bracket that the sound bounds among these prove. `trivial` is what holds without any of them.
 * @throws ContradictionError naming both where a lower bound lies above an upper one
 * @example provedBracket([{ name: 'blanket', direction: 'upper', sound: true, value: 0.3 }], interval(0, 1)) // { lower: 0, upper: 0.3 }
 */
export function provedBracket(
  bounds: readonly StatedBound[],
  trivial: Interval,
  quantity = 'the quantity',
): Interval {
  let lower = { name: 'the trivial lower bound', value: trivial.lower };
  let upper = { name: 'the trivial upper bound', value: trivial.upper };
  for (const { name, direction, sound, value } of bounds) {
    if (sound !== true || value === null) continue;
    if (direction === 'lower' && value > lower.value) lower = { name, value };
    if (direction === 'upper' && value < upper.value) upper = { name, value };
  }
  return provedInterval(quantity, lower, upper);
}

/**
 * The verdict on a bound's value; null where it says nothing: without a value, and an upper bound of
 * infinity.
 * @throws ContradictionError where a bound that is sound in general is refuted
 * @example verdictOfBound({ name: 'clones', direction: 'upper', sound: true, value: 0.4 }, interval(0.25, 0.3)) // 'certified'
 */
export function verdictOfBound(
  { name, direction, sound, value }: StatedBound,
  certified: Interval,
): Verdict | null {
  if (value === null || (direction === 'upper' && value === Infinity)) return null;
  const verdict =
    direction === 'upper' ? verdictHere(value, certified) : verdictHereOfLower(value, certified);
  if (sound === true && verdict === 'refuted') {
    const stated = { name: `${name}, sound in general`, value };
    const proved = 'what is proved';
    throw direction === 'upper'
      ? new ContradictionError('the quantity', { name: proved, value: certified.lower }, stated)
      : new ContradictionError('the quantity', stated, { name: proved, value: certified.upper });
  }
  return verdict;
}
