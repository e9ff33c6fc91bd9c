/**
 * Looks at a target along a parameter, each where the last ones and a curve below the bound say that it is
 * met: what `sharplyMet` searches by.
 */
import type { UpperBoundName } from '../../sharp/sharpest.ts';
import type { Axis, Excess } from '../axis.ts';
import { crossing } from './curve-crossing.ts';

/** By how much the least bound exceeds a target, in logarithms of delta. */
export interface TargetLook {
  readonly excess: number;
  readonly by: UpperBoundName;
  /** Where it is below: whether that is proved. Default true. */
  readonly isProved?: boolean;
}

/**
 * Looks at one target, and those of them that find the bound of no use. A search for a value that does not
 * meet the target goes on, but each further look leaves three times as much open.
 */
const [MOST_LOOKS, MOST_IN_VAIN, WIDER] = [5, 2, 3];
/**
 * Of no use: so far above the target, in logarithms of delta, that the lower curve says nothing of where it
 * is met; and so far that the next look is where the blanket has ended.
 */
const [IN_VAIN, HOPELESS] = [2, 4];
/**
 * How far below the target a look aims, as a share of the way to a value that does not meet it; each later
 * one twice as far. And where secants that lead to a look end, as a share of how far below the target that is
 * to be.
 */
export const OF_THE_WAY = 0.3;
const OF_THE_HAIR = 0.2;

/** What leads the looks, and where they end. */
export interface Course {
  readonly axis: Axis;
  /** Meets the target by the blanket. */
  readonly from: number;
  /** Does not meet it, or is the furthest that is looked at. */
  readonly limit: number;
  readonly first: number;
  /** Of the target, below 0, in logarithms of delta. */
  readonly depth: number;
  readonly close: number;
  /** Of the lower curve at the limit. */
  readonly slope: number;
  /** In logarithms of delta. */
  readonly hair: number;
  /** Whether it ends only next to what does not meet the target. */
  readonly isClosed: boolean;
}

/**
 * A look need not prove what is so many hairs below the target, but so many times in a row at most, and next
 * to what does not meet it, within so many steps.
 */
const [FAR_HAIRS, MOST_UNPROVED, NEXT_TO] = [2, 3, 1.5];
/** Beyond rounding. */
const SURELY = 1 + 1e-9;

/** A position that was looked at, and what it exceeds the target by; NaN where it was not. */
interface Seen {
  readonly position: number;
  readonly excess: number;
}

interface Hit extends Seen {
  readonly by: UpperBoundName;
}

interface Ended {
  readonly best: Hit;
  readonly missed: number;
}

/**
 * Looks from the first position on, until the best that meets the target is next to one that does not, or
 * none further is worth it.
 *
 * @param lower what no bound is below, in logarithms of delta over the target: leads
 */
export function ledBy(
  lower: Excess,
  look: (value: number, far?: number) => TargetLook,
  { axis, from, limit, first, depth, close, slope, hair, isClosed }: Course,
): Ended {
  let best: Hit = { position: from, excess: NaN, by: 'blanket' };
  let missed: Seen = { position: limit, excess: NaN };
  /** Below the target by a look that proves nothing. */
  let low: Seen = { position: from, excess: NaN };
  let [position, step, looks, misses, inVain, unproved] = [first, close, 0, 0, 0, 0];
  let mayMeet = false;
  const isOpen = (): boolean =>
    missed.position - best.position > SURELY * step && best.position < axis.leastPrivate;
  while (isOpen()) {
    const isLast = missed.position - position <= NEXT_TO * step || unproved === MOST_UNPROVED;
    const seen = look(axis.valueAt(position), isLast ? Infinity : FAR_HAIRS * hair);
    const { excess, by, isProved = true } = seen;
    if (excess > 0) {
      [missed, misses] = [{ position, excess }, misses + 1];
      // A proof takes more than was estimated next to it, so every further look is one.
      if (isLast && excess - low.excess > JUMP * (position - low.position))
        [low, unproved] = [{ position: from, excess: NaN }, MOST_UNPROVED];
    } else if (isProved) [best, unproved] = [{ position, excess, by }, 0];
    else [low, unproved] = [{ position, excess }, unproved + 1];
    if (isProved) looks++;
    mayMeet ||= excess <= 0;
    if (excess > IN_VAIN) inVain += isClosed && excess > HOPELESS ? MOST_IN_VAIN : 1;
    if (!isClosed && (inVain === MOST_IN_VAIN || looks === MOST_LOOKS)) break;
    if (looks > MOST_LOOKS) step *= WIDER;
    const inner = low.position > best.position ? low : best;
    const aim =
      between(inner, missed, hair) ?? aimFrom(position, excess, hair * 2 ** Math.max(0, misses - 1));
    const isInVain = inVain >= MOST_IN_VAIN && !mayMeet;
    const isNear = isInVain || aim <= best.position + (isClosed ? OF_THE_WAY : 1) * close;
    if (isNear && !isClosed) break;
    if (isNear) position = Math.min(axis.leastPrivate, best.position + step);
    else if (aim > inner.position && aim < missed.position) position = aim;
    else position = (inner.position + missed.position) / 2;
  }
  return { best, missed: missed.position };

  /**
   * Where the lower curve, with what the bound is above it, is so far below the target: that grows about as
   * the root of the curve's logarithm.
   */
  function aimFrom(at: number, excess: number, below: number): number {
    if (excess > IN_VAIN) return missed.position;
    const above = excess - lower(at);
    const growth = above / (2 * Math.max(1, depth - lower(at)));
    const curve = (next: number): number => lower(next) + above + growth * (lower(at) - lower(next)) + below;
    return crossing({ at: curve, slope }, axis, at, OF_THE_HAIR * below);
  }
}

/**
 * Between two looks of which one meets the target: so far below it as the line through both says, and not
 * next to either where it is steep or the one says little. Null where one of them is none, or they are far
 * apart.
 */
function between(best: Seen, missed: Seen, below: number): number | null {
  const rise = missed.excess - best.excess;
  if (Number.isNaN(rise)) return null;
  const width = missed.position - best.position;
  const share = (-best.excess - below) / rise;
  const isRough = missed.excess > IN_VAIN || rise > JUMP * width;
  if (isRough) return best.position + width * Math.min(1 - INSIDE, Math.max(INSIDE, share));
  if (width > STRAIGHT) return null;
  return best.position + width * share;
}

/**
 * Steeper, in logarithms of delta along the axis, than a bound is but where it jumps; and how far it is about
 * straight.
 */
const [JUMP, STRAIGHT] = [60, 2e-3];
/** Of the way between two looks, from either. */
const INSIDE = 0.2;
