/**
 * A parameter at which an upper end of epsilon meets a target, where each takes seconds: led by estimates of
 * the upper ends if there are any, of which what is certified is nearly a constant share.
 */
import { Real } from '@shuffle-dp/core';
import { calibratedAt, type Axis, type Calibrated, type Ends } from './axis.ts';
import { secantBracket } from './secant-bracket.ts';

export interface CertifiedEnds {
  /** The target's. */
  readonly epsilon: number;
  /** How closely the search ends, in positions. */
  readonly tolerance: number;
  /** The certified upper end of epsilon at a value. */
  readonly upper: (value: number) => number;
  /** Quicker, and about a share of the upper end that changes slowly with the value. */
  readonly estimate?: (value: number) => number;
  /** About how fast its logarithm grows with the position, where the search begins. */
  readonly slope?: number;
}

/**
 * Null where not even the most private value meets the target. The value meets it by its upper end, and the
 * next one misses it.
 *
 * @param start position where it begins
 * @example calibratedByEnds({ valueAt: (x) => x, mostPrivate: 0.1, leastPrivate: 9 }, { epsilon: 2, tolerance: 1, upper: (x) => x }, 2) // { value: 2, next: 3 }
 */
export function calibratedByEnds(axis: Axis, ends: CertifiedEnds, start: number): Calibrated | null {
  const led = ends.estimate && byEstimates(axis, ends, ends.estimate, start);
  return calibratedAt(axis, led ?? bySecants(axis, ends, ends.upper, start));
}

/** Null where estimates lead nowhere. */
function byEstimates(
  axis: Axis,
  ends: CertifiedEnds,
  estimate: (value: number) => number,
  start: number,
): Ends | null {
  const { epsilon, tolerance, upper } = ends;
  const along = { mostPrivate: axis.mostPrivate, leastPrivate: axis.leastPrivate, valueAt: itself };
  const shares = new Shares(tolerance);
  const estimateAt = (position: number): number => estimate(axis.valueAt(position));
  const about = (position: number): number => shares.at(position) * estimateAt(position);
  /** What is proved to meet the target, and to miss it. */
  let known: Ends = { inside: null, outside: null };
  const certified = (position: number): number => {
    const end = upper(axis.valueAt(position));
    known = end > epsilon ? { ...known, outside: position } : { ...known, inside: position };
    shares.add(position, end / estimateAt(position));
    return end;
  };
  for (let tried = 0, at = start; tried < MOST_TRIED && shares.areFinite; tried++) {
    const led = bySecants(along, ends, (position) => (1 + MARGIN) * about(position), at);
    if (led.inside === null || !isBetween(known, led.inside)) break;
    at = led.inside;
    const end = certified(at);
    if (end > epsilon) continue;
    if (at >= axis.leastPrivate) break;
    // Where a bound jumps there is no more to be had, however far below the target it is.
    const isJump = led.outside !== null && about(led.outside) > epsilon;
    const isNear = end > (1 - FAR_BELOW * tolerance) * epsilon;
    if (!isNear && !isJump && led.outside !== null) continue;
    const next = isJump ? led.outside : bySecants(along, ends, about, led.outside ?? at).outside;
    at = next ?? axis.leastPrivate;
    if (!isBetween(known, at) || certified(at) > epsilon || at >= axis.leastPrivate) break;
  }
  if (known.inside === null) return null;
  const isWhole = known.outside !== null || known.inside >= axis.leastPrivate;
  return isWhole ? known : bySecants(axis, ends, upper, known.inside + tolerance, known);
}

function isBetween({ inside, outside }: Ends, position: number): boolean {
  return position > (inside ?? -Infinity) && position < (outside ?? Infinity);
}

function itself(position: number): number {
  return position;
}

/** What is certified over what is estimated, at the latest positions; it changes slowly along them. */
class Shares {
  readonly #nearest: number;
  #looks: readonly { readonly position: number; readonly log: number }[] = [];

  /** @param nearest positions nearer to each other tell of no change */
  constructor(nearest: number) {
    this.#nearest = nearest;
  }

  get areFinite(): boolean {
    return this.#looks.every(({ log }) => Number.isFinite(log));
  }

  add(position: number, share: number): void {
    this.#looks = [...this.#looks.slice(-1), { position, log: Real.log(share) }];
  }

  at(position: number): number {
    const [before, last = before] = this.#looks;
    if (before === undefined || last === undefined) return 1;
    const between = last.position - before.position;
    const slope = Math.abs(between) > this.#nearest ? (last.log - before.log) / between : 0;
    const change = Math.max(-STEEPEST, Math.min(STEEPEST, slope)) * (position - last.position);
    return Real.exp(last.log + change);
  }
}

/** By how much shares may change, in logarithms for each position. */
const STEEPEST = 2;
/** By how much they are taken to be larger than the looks say. */
const MARGIN = 2e-4;
/** Estimates lead so often, */
const MOST_TRIED = 4;
/** and again where what is certified leaves so many tolerances. */
const FAR_BELOW = 4;

/** @param known what lies on either side of the start */
function bySecants(
  axis: Axis,
  { epsilon, tolerance, slope }: CertifiedEnds,
  upper: (value: number) => number,
  start: number,
  known: Ends = { inside: null, outside: null },
): Ends {
  const excess = (value: number): number => Real.log(upper(value) / epsilon);
  return secantBracket(axis, { excess, tolerance, ...(slope && { slope }) }, known, start);
}
