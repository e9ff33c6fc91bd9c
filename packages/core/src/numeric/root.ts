/** Root finding that returns a bracket, so that a caller can keep the end that is on the safe side. */
import { BracketError } from '../errors.ts';

export interface RootOptions {
  /** Stop when the bracket is this narrow relative to its ends; default 1e-14. */
  readonly relativeTolerance?: number;
  /** Stop when the bracket is this narrow; default 0. */
  readonly absoluteTolerance?: number;
  /** Default 200. */
  readonly maxEvaluations?: number;
}

/**
 * f changes sign between the ends; `lower` has the sign of f at the left end of the search, `upper` of the
 * right.
 */
export interface Bracket {
  readonly lower: number;
  readonly upper: number;
}

/**
 * Brackets a sign change of f in [low, high]: f(low) and f(high) must differ in sign, and so do f(lower) and
 * f(upper) of the result, in the same order. A zero counts to the right end's side. Interpolates (ITP,
 * Oliveira and Takahashi, ACM TOMS 47(1), 2020) and never takes more steps than bisection plus one.
 * @throws BracketError if f has one sign at both ends, or is NaN.
 * @example bracketRoot((x) => x * x - 2, 0, 2).lower // 1.41421
 */
export function bracketRoot(
  f: (x: number) => number,
  low: number,
  high: number,
  options: RootOptions = {},
): Bracket {
  const { relativeTolerance = 1e-14, absoluteTolerance = 0, maxEvaluations = 200 } = options;
  let a = low;
  let b = high;
  let fa = f(a);
  let fb = f(b);
  const sign = fb > 0 || (fb === 0 && fa < 0) ? 1 : -1;
  if (Number.isNaN(fa) || Number.isNaN(fb) || !(sign * fa <= 0 && sign * fb >= 0) || (fa === 0 && fb === 0)) {
    throw new BracketError(`no sign change between ${low} (${fa}) and ${high} (${fb})`);
  }
  let budget = b - a;
  for (let evaluation = 2; evaluation < maxEvaluations; evaluation++) {
    const width = b - a;
    const tolerance = Math.max(absoluteTolerance, relativeTolerance * Math.max(Math.abs(a), Math.abs(b)));
    if (width <= tolerance) break;
    const middle = a + width / 2;
    if (middle <= a || middle >= b) break;
    const x = interpolate({ x: a, y: fa }, { x: b, y: fb }, middle, tolerance, budget);
    const fx = f(x);
    if (Number.isNaN(fx)) throw new BracketError(`not a number at ${x}`);
    if (sign * fx < 0) {
      a = x;
      fa = fx;
    } else {
      b = x;
      fb = fx;
    }
    budget /= 2;
  }
  return { lower: a, upper: b };
}

/** A point of the function's graph. */
interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The ITP point: the secant, pushed towards the middle, and never further from it than bisection could
 * afford.
 */
function interpolate(
  { x: a, y: fa }: Point,
  { x: b, y: fb }: Point,
  middle: number,
  tolerance: number,
  budget: number,
): number {
  const width = b - a;
  const secant = (fb * a - fa * b) / (fb - fa);
  if (!Number.isFinite(secant)) return middle;
  const direction = Math.sign(middle - secant);
  const push = Math.max(
    tolerance / 2,
    Math.min(0.2 * width * (width / (Math.abs(a) + Math.abs(b) || 1)), width / 4),
  );
  const pushed = push <= Math.abs(middle - secant) ? secant + direction * push : middle;
  const radius = Math.max(0, budget - width / 2);
  const x = Math.abs(pushed - middle) <= radius ? pushed : middle - direction * radius;
  return x > a && x < b ? x : middle;
}

/**
 * The largest integer below `high` at which a condition holds that, once broken, stays so. It is taken to
 * hold at `low` and not at `high`, where it is not asked.
 *
 * @param low below `high`, both integers
 * @example lastWhere(0, 100, (k) => k * k <= 50) // 7
 */
export function lastWhere(low: number, high: number, holds: (k: number) => boolean): number {
  let [last, beyond] = [low, high];
  while (beyond - last > 1) {
    const middle = Math.floor((last + beyond) / 2);
    if (holds(middle)) last = middle;
    else beyond = middle;
  }
  return last;
}
