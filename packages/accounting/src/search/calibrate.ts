/**
 * The value of a parameter at which a privacy target is just met: one search for every mechanism and
 * protocol. A quick bound leads; where there is a sharper one, which takes a thousand times as long, that one
 * decides in a few evaluations.
 *
 * What the result guarantees: the sharpest bound meets the target at its `value`, and does not at its `next`,
 * one step less private. Where privacy does not fall all along the parameter there may be other such places.
 */
import { bracketRoot, onceEach, Real } from '@shuffle-dp/core';
import { calibratedAt, counted, type Axis, type Calibrated, type Ends, type Excess } from './axis.ts';
import { secantBracket } from './secant-bracket.ts';

export interface QuickSearch {
  readonly excess: Excess;
  /** Position where it begins. */
  readonly start: number;
  readonly step: number;
  /**
   * Position that is thought to miss the target, as the start is to meet it: the search goes outward from
   * both. Default: from the start alone.
   */
  readonly beyond?: number;
  /**
   * How much each step towards privacy is longer than the one before; default 1. Below 1 the steps approach a
   * position.
   */
  readonly growth?: number;
  /** In positions. */
  readonly tolerance: number;
}

/** A bound that is nowhere above the quick one. */
export interface SharpSearch {
  /** Whether there is such a bound about this value. */
  applies(value: number): boolean;
  /** About linear in the position. */
  readonly excess: Excess;
  /**
   * Above 0 only where no bound meets a share of the target's epsilon, by default all of it; quick. Absent
   * where nothing is known from below.
   */
  readonly refuted?: (value: number, share?: number, precision?: 'fine' | 'rough') => number;
  /**
   * Whether each evaluation takes seconds about this value: there are few then, and the ends are up to 0.1 %
   * of the parameter apart.
   */
  takesLong?(value: number): boolean;
  /** Whether it takes seconds where the quick bound is far from what is refuted. */
  isDear?(value: number): boolean;
  /**
   * Of the proved lower end, for those searches: of a value at which `excess` is known, as large as the
   * logarithm of epsilon.
   */
  readonly lower?: Excess;
  /** In positions: finer than the bound's own jitter is of no use. */
  readonly tolerance: number;
}

/**
 * Null where not even the most private value meets the target.
 *
 * @example calibrate({ valueAt: (x) => x, mostPrivate: 0, leastPrivate: 9 }, { excess: (x) => x - 2, start: 1, step: 1, tolerance: 1e-9 }) // { value: 2, next: 2 }
 */
export function calibrate(axis: Axis, quick: QuickSearch, sharp?: SharpSearch): Calibrated | null {
  const takesLong = (value: number): boolean =>
    sharp?.lower !== undefined && sharp.takesLong?.(value) === true;
  const rough = quickEnds(axis, quick, takesLong);
  return calibratedAt(axis, sharp ? sharpEnds(axis, rough, quick, sharp) : rough);
}

/** Two ends, then interpolation between them: roughly where bounds that take long decide. */
function quickEnds(axis: Axis, search: QuickSearch, takesLong?: (value: number) => boolean): Ends {
  const excessAt = onceEach((position) => counted(search.excess(axis.valueAt(position))));
  const ends =
    search.beyond === undefined ? stepped(axis, search, excessAt) : widened(axis, search, excessAt);
  if (ends.inside === null || ends.outside === null) return ends;
  const tolerance = takesLong?.(axis.valueAt(ends.inside)) ? LIMIT_TOLERANCE : search.tolerance;
  const root = bracketRoot(excessAt, ends.inside, ends.outside, { absoluteTolerance: tolerance });
  return { inside: root.lower, outside: root.upper };
}

/** The last step from the start, on whose sides the target is met and missed. */
function stepped(axis: Axis, { start, step: first, growth = 1 }: QuickSearch, excessAt: Excess): Ends {
  const { mostPrivate, leastPrivate } = axis;
  let step = first;
  let inside = Math.min(leastPrivate, Math.max(mostPrivate, start));
  let outside = inside;
  if (excessAt(inside) > 0) {
    do {
      if (inside === mostPrivate) return { inside: null, outside: inside };
      outside = inside;
      inside = Math.max(mostPrivate, inside - step);
      step *= growth;
    } while (excessAt(inside) > 0);
  } else {
    do {
      if (outside === leastPrivate) return { inside: outside, outside: null };
      inside = outside;
      outside = Math.min(leastPrivate, outside + step);
    } while (excessAt(outside) <= 0);
  }
  return { inside, outside };
}

/** The two ends that are thought to meet the target and to miss it, each moved outward until it does. */
function widened(axis: Axis, { start, beyond, step }: QuickSearch, excessAt: Excess): Ends {
  const { mostPrivate, leastPrivate } = axis;
  let inside = Math.max(mostPrivate, start);
  while (excessAt(inside) > 0) {
    if (inside === mostPrivate) return { inside: null, outside: inside };
    inside = Math.max(mostPrivate, inside - step);
  }
  let outside = Math.min(leastPrivate, beyond!);
  while (excessAt(outside) <= 0) {
    if (outside === leastPrivate) return { inside: outside, outside: null };
    outside = Math.min(leastPrivate, outside + step);
  }
  return { inside, outside };
}

/**
 * How far below what is refuted a sharp bound's root is looked for first, as a share of what is open, and at
 * most.
 */
const [FIRST_SHARE, MOST_BELOW] = [0.1, 0.006];

function sharpEnds(axis: Axis, rough: Ends, quick: QuickSearch, sharp: SharpSearch): Ends {
  const { inside } = rough;
  const from = inside ?? axis.mostPrivate;
  if (rough.outside === null || !sharp.applies(axis.valueAt(from))) return rough;
  // Where only this bound tells, it is led on from what meets the target.
  if (!sharp.refuted) return secantBracket(axis, sharp, { inside, outside: null }, from);
  const { refuted, lower } = sharp;
  if (lower && sharp.takesLong?.(axis.valueAt(from)))
    return slowEnds(axis, rough, quick, { ...sharp, refuted, lower });
  const limit = quickEnds(axis, {
    ...quick,
    excess: (value) => refuted(value),
    start: from,
    step: 4 * MOST_BELOW,
  });
  if (limit.inside === null) return limit;
  const outside = limit.outside;
  if (inside !== null && outside !== null && outside - inside <= sharp.tolerance) return { inside, outside };
  if (lower && sharp.isDear?.(axis.valueAt(from)))
    return slowEnds(axis, rough, quick, { ...sharp, refuted, lower });
  const open = (outside ?? limit.inside) - from;
  const start = (outside ?? limit.inside) - Math.min(FIRST_SHARE * open, MOST_BELOW);
  return secantBracket(axis, sharp, { inside, outside }, start);
}

/** How closely the slow search ends, relative to the parameter, and at most in positions. */
const [SLOW_TOLERANCE, MOST_TOLERANCE] = [7.5e-4, 0.01];
/**
 * Steps of its quick parts, how closely the place ends where they say that nothing meets the target, and how
 * closely the others do.
 */
const [SLOW_STEP, LIMIT_TOLERANCE, RATIO_TOLERANCE] = [0.3, 0.01, 1e-4];

interface SlowSearch extends SharpSearch {
  readonly refuted: NonNullable<SharpSearch['refuted']>;
  readonly lower: Excess;
}

/**
 * Three or four evaluations, mostly. The upper end over the proved lower one hardly moves with the parameter:
 * once an evaluation shows their ratio, the quick lower end tells about where the upper one crosses the
 * target.
 */
function slowEnds(axis: Axis, rough: Ends, quick: QuickSearch, sharp: SlowSearch): Ends {
  const from = rough.inside ?? axis.mostPrivate;
  const crossing = (share: number, start: number, tolerance: number): Ends => {
    const excess: Excess = (value) => sharp.refuted(value, share, 'rough');
    return quickEnds(axis, { ...quick, excess, start, step: SLOW_STEP, tolerance });
  };
  const limit = crossing(1, from, LIMIT_TOLERANCE);
  if (limit.inside === null) return limit;
  const end = limit.outside ?? limit.inside;
  if (rough.inside !== null && limit.outside !== null && end - rough.inside <= sharp.tolerance)
    return { inside: rough.inside, outside: end };
  const position = end - FIRST_SHARE * (end - from);
  const first = { position, excess: counted(sharp.excess(axis.valueAt(position))) };
  const known =
    first.excess > 0
      ? { inside: rough.inside, outside: position }
      : { inside: position, outside: limit.outside };
  const search = { excess: sharp.excess, tolerance: slowTolerance(axis, position, sharp.tolerance), first };
  return secantBracket(axis, search, known, byRatio());

  function byRatio(): number {
    const share = Real.exp(sharp.lower(axis.valueAt(position)) - first.excess);
    if (!(share > 0 && share <= 1)) return position;
    const start = Math.max(from, position - (first.excess > 0 ? SLOW_STEP / 2 : 0));
    return crossing(share, start, RATIO_TOLERANCE).inside ?? position;
  }
}

/** In positions, but no less than `least`. */
function slowTolerance(axis: Axis, position: number, least: number): number {
  const step = 1e-3;
  const slope = Math.abs(Real.log(axis.valueAt(position) / axis.valueAt(position - step))) / step;
  return Math.max(least, Math.min(MOST_TOLERANCE, SLOW_TOLERANCE / slope));
}
