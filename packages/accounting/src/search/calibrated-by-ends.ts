/**
 * A parameter at which an upper end of epsilon meets a target, where each takes seconds: led by estimates of
 * the upper ends if there are any, as their ratio to what is certified hardly moves.
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
  /** About the upper end, seldom above it; null where that is no quicker. */
  readonly estimate?: (value: number) => number | null;
  /** About how fast its logarithm grows with the position, where the search begins. */
  readonly slope?: number;
}

/**
 * Null where not even the most private value meets the target. The value meets it by its upper end; the next
 * one misses it by its upper end, or by the estimate of that.
 *
 * @param start position where it begins
 * @example calibratedByEnds({ valueAt: (x) => x, mostPrivate: 0.1, leastPrivate: 9 }, { epsilon: 2, tolerance: 1, upper: (x) => x }, 2) // { value: 2, next: 3 }
 */
export function calibratedByEnds(axis: Axis, ends: CertifiedEnds, start: number): Calibrated | null {
  const found = byEstimates(axis, ends, start) ?? bySecants(axis, ends, ends.upper, start);
  return calibratedAt(axis, found);
}

/** Null where estimates lead nowhere. */
function byEstimates(axis: Axis, ends: CertifiedEnds, start: number): Ends | null {
  const { epsilon, tolerance, upper, estimate } = ends;
  if (!estimate || estimate(axis.valueAt(start)) === null) return null;
  const about = (value: number): number => estimate(value) ?? upper(value);
  let at = start;
  let ratio = tolerance > CLOSE ? 1 + USUAL_EXCESS * tolerance : 1;
  /** What is proved to meet the target, where the bound jumps beyond it. */
  let proved: Ends | null = null;
  for (let tried = 0; tried < MOST_TRIED; tried++) {
    const scale = ratio;
    const found = bySecants(axis, ends, (value) => scale * about(value), at);
    if (found.inside === null) return null;
    at = found.inside;
    const value = axis.valueAt(at);
    const end = upper(value);
    // Far below the target there is more to be had.
    const isLast = tried === MOST_TRIED - 1 || found.outside === null;
    const isNear = end > (1 - FAR_BELOW * tolerance) * epsilon || isLast;
    ratio = (end / about(value)) * (1 + RATIO_MARGIN);
    // Where a bound jumps there is no more to be had, however far below the target it is.
    const isJump = found.outside !== null && ratio * about(axis.valueAt(found.outside)) > epsilon;
    if (end <= epsilon && (isNear || isJump))
      return { inside: at, outside: missedBy(axis, ends, about, found) };
    if (!(ratio < Infinity)) break;
    if (end <= epsilon) proved = found;
  }
  return proved && { ...proved, outside: missedBy(axis, ends, about, proved) };
}

/**
 * What is certified over estimates is more than 1 by so many tolerances, mostly, where these are not close
 * for what is certified takes long.
 */
const [USUAL_EXCESS, CLOSE] = [3, 1e-3];
/** Later it is what it was, and a little more. */
const RATIO_MARGIN = 2e-4;
/** Values that estimates lead to are certified so often, */
const MOST_TRIED = 3;
/** and again where the first leaves so many tolerances. */
const FAR_BELOW = 4;

function bySecants(
  axis: Axis,
  { epsilon, tolerance, slope }: CertifiedEnds,
  upper: (value: number) => number,
  start: number,
): Ends {
  const excess = (value: number): number => Real.log(upper(value) / epsilon);
  const search = { excess, tolerance, ...(slope && { slope }) };
  return secantBracket(axis, search, { inside: null, outside: null }, start);
}

/** The next position at which an estimate misses the target: mostly one step leads there. */
function missedBy(
  axis: Axis,
  ends: CertifiedEnds,
  about: (value: number) => number,
  { inside, outside }: Ends,
): number | null {
  if (inside === null || outside === null) return outside;
  const logAt = (position: number): number => Real.log(about(axis.valueAt(position)) / ends.epsilon);
  const excess = logAt(outside);
  if (excess > 0) return outside;
  const width = outside - inside;
  const further = outside + width / 2 - (excess * width) / (excess - logAt(inside));
  if (further > outside && further < axis.leastPrivate && logAt(further) > 0) return further;
  return bySecants(axis, ends, about, outside).outside;
}
