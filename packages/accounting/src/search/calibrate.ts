/**
 * The value of a parameter at which a privacy target is just met: one search for every mechanism and
 * protocol. A quick bound leads; where there is a sharper one, which takes a thousand times as long, that one
 * decides in a few evaluations.
 *
 * What the result guarantees: the bound that decides meets the target at its `value`, and does not at its
 * `next`, one step less private. Where privacy does not fall all along the parameter there may be other such
 * places.
 */
import { bracketRoot, onceEach } from '@shuffle-dp/core';
import { calibratedAt, counted, type Axis, type Calibrated, type Ends, type Excess } from './axis.ts';
import { secantBracket, type SecantSearch } from './secant-bracket.ts';

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
   * How much each step is longer than the one before; default 1. Below 1 steps towards privacy approach a
   * position.
   */
  readonly growth?: number;
  /** In positions. */
  readonly tolerance: number;
}

/** A bound that is nowhere above the quick one. */
export type SharpSearch = Pick<SecantSearch, 'excess' | 'tolerance'>;

/**
 * Null where not even the most private value meets the target.
 *
 * @example calibrate({ valueAt: (x) => x, mostPrivate: 0, leastPrivate: 9 }, { excess: (x) => x - 2, start: 1, step: 1, tolerance: 1e-9 }) // { value: 2, next: 2 }
 */
export function calibrate(axis: Axis, quick: QuickSearch, sharp?: SharpSearch): Calibrated | null {
  const rough = quickEnds(axis, quick);
  if (sharp === undefined || rough.outside === null) return calibratedAt(axis, rough);
  // Only the bound tells: it is led on from what meets the target.
  const { inside } = rough;
  return calibratedAt(
    axis,
    secantBracket(axis, sharp, { inside, outside: null }, inside ?? axis.mostPrivate),
  );
}

/** Two ends, then interpolation between them. */
function quickEnds(axis: Axis, search: QuickSearch): Ends {
  const excessAt = onceEach((position) => counted(search.excess(axis.valueAt(position))));
  const ends =
    search.beyond === undefined ? stepped(axis, search, excessAt) : widened(axis, search, excessAt);
  if (ends.inside === null || ends.outside === null) return ends;
  const root = bracketRoot(excessAt, ends.inside, ends.outside, { absoluteTolerance: search.tolerance });
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
      step *= Math.max(1, growth);
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
