/**
 * The verdict on one statement: a number that somebody claims, against the bracket that is proved of the same quantity.
 * It is about the statement at hand, not about the theorem behind it (that is `Soundness`).
 */
import type { Interval } from '../interval.ts';

/**
 * 'certified': what is proved implies the statement. 'refuted': a data set contradicts it. 'unproven': the proved bracket
 * leaves both open.
 */
export type Verdict = 'certified' | 'refuted' | 'unproven';

/**
 * The verdict on "the quantity is at most `stated`". `certified` brackets the quantity: nothing exceeds its upper end, and
 * a data set reaches its lower end. An infinite `stated` claims nothing and is certified.
 * @throws RangeError if `stated` is NaN
 */
export function verdictHere(stated: number, certified: Interval): Verdict {
  requireNumber(stated);
  if (stated >= certified.upper) return 'certified';
  return stated < certified.lower ? 'refuted' : 'unproven';
}

/**
 * The verdict on "the quantity is at least `stated`", against the same bracket.
 * @throws RangeError if `stated` is NaN
 */
export function verdictHereOfLower(stated: number, certified: Interval): Verdict {
  requireNumber(stated);
  if (stated <= certified.lower) return 'certified';
  return stated > certified.upper ? 'refuted' : 'unproven';
}

function requireNumber(stated: number): void {
  if (Number.isNaN(stated)) throw new RangeError('a statement needs a number, not NaN');
}
