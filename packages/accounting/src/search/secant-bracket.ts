/**
 * Where a bound that takes long crosses a target: secants that step from one side to the other, each a hair
 * beyond the root.
 */
import { Real } from '@shuffle-dp/core';
import { counted, type Axis, type Ends, type Excess } from './axis.ts';

export interface SecantSearch {
  /** About linear in the position. */
  readonly excess: Excess;
  /** In positions: finer than the bound's own jitter is of no use. */
  readonly tolerance: number;
  /** What was looked at before; its side is among those known. */
  readonly first?: Look;
  /** About how fast the excess grows with the position; by default that of an epsilon with its budget. */
  readonly slope?: number;
  /**
   * How far below the target the inner end may stay where a bound jumps, as an excess: by default however
   * far.
   */
  readonly mostLeft?: number;
}

/** A position, and the excess there. */
interface Look {
  readonly position: number;
  readonly excess: number;
}

/** An epsilon grows about like its budget, or a little faster. */
const USUAL_SLOPE = 1.2;
/**
 * Secants take four or five evaluations. Where a bound jumps they lead nowhere: each further one leaves ten
 * times as much open. While one side is unknown steps grow instead.
 */
const USUAL_EVALUATIONS = 7;
/**
 * Positions so far apart are believed that the excess is flat: it is where most of what hides the victim does
 * not depend on the position.
 */
const FAR_APART = 0.02;
/** The longest step into the unknown, in positions, and how the shortest one grows until it is far. */
const [LONGEST_STEP, GROWTH] = [0.7, 4];

/**
 * The positions next to each other of which one meets the target and one does not, by secants.
 *
 * @param known ends whose side is known already
 * @param start a position between them
 */
export function secantBracket(
  axis: Axis,
  { excess, tolerance, first, slope: expected = USUAL_SLOPE, mostLeft = Infinity }: SecantSearch,
  known: Ends,
  start: number,
): Ends {
  let { inside, outside } = known;
  let usual = USUAL_SLOPE;
  let slope = withinReason(expected);
  let last: Look | null = first ?? null;
  /** Evaluations after which more is left open. */
  let enough = USUAL_EVALUATIONS;
  /** How far below the target the inner end is. */
  let left = 0;
  let position = within(start);
  for (let evaluation = 1; ; evaluation++) {
    const here = { position, excess: counted(excess(axis.valueAt(position))) };
    if (here.excess > 0) outside = position;
    else [inside, left] = [position, -here.excess];
    if (here.excess <= 0 && position >= axis.leastPrivate) return { inside, outside: null };
    if (here.excess > 0 && position <= axis.mostPrivate) return { inside: null, outside };
    if (inside !== null && outside !== null && isNarrow(inside, outside, evaluation))
      return { inside, outside };
    if ((inside === null || outside === null) && evaluation >= USUAL_EVALUATIONS)
      enough = evaluation + USUAL_EVALUATIONS;
    if (last !== null && here.position !== last.position) {
      const secant = (here.excess - last.excess) / (here.position - last.position);
      // Of two that are beyond all numbers there is none.
      if (Number.isFinite(secant)) {
        const isFar = Math.abs(here.position - last.position) >= FAR_APART;
        if (isFar && secant > 0) usual = secant < USUAL_SLOPE / 10 ? secant : USUAL_SLOPE;
        slope = withinReason(secant);
      }
    }
    last = here;
    // A third of the tolerance beyond the root, so that the step after it may close the bracket.
    const aim = position - here.excess / slope + (here.excess > 0 ? -1 : 1) * (tolerance / 3);
    position = nextPosition(position, aim, evaluation);
  }

  /** Noise at two places near each other may tell of any slope. */
  function withinReason(wanted: number): number {
    return Math.min(10 * usual, Math.max(usual / 10, wanted));
  }

  function within(wanted: number): number {
    return Math.min(axis.leastPrivate, Math.max(axis.mostPrivate, wanted));
  }

  function isNarrow(inner: number, outer: number, evaluation: number): boolean {
    const further = left <= mostLeft ? Math.max(0, evaluation - enough) : 0;
    if (outer - inner <= tolerance * Real.power(10, further)) return true;
    return axis.whole === true && Math.abs(axis.valueAt(outer) - axis.valueAt(inner)) <= 1;
  }

  function nextPosition(from: number, aim: number, evaluation: number): number {
    if (inside !== null && outside !== null) {
      return evaluation < enough && aim > inside && aim < outside ? aim : (inside + outside) / 2;
    }
    const step = Math.max(-LONGEST_STEP, Math.min(LONGEST_STEP, aim - from));
    // Away from the end that is known, whatever the slope said.
    const grown = tolerance * Real.power(GROWTH, Math.max(0, evaluation - USUAL_EVALUATIONS));
    const shortest = Math.max(tolerance, Math.min(2 * FAR_APART, grown));
    return within(
      inside === null ? Math.min(from + step, from - shortest) : Math.max(from + step, from + shortest),
    );
  }
}
