/**
 * Parameters for a stricter target than the one that is to be met: the least strict with which what is proved
 * under threats meets it.
 */
import { Real, onceEach } from '@shuffle-dp/core';
import { calibratedAt, secantBracket, type Axis } from '@shuffle-dp/accounting';

/** Of the target's logarithm: what a calibration may leave of it. */
export const TARGET_TOLERANCE = 2e-3;
/** What may stay unused of the target, in logarithms, where epsilon jumps, as for few blankets it does. */
const MOST_LEFT = 0.05;
/** A target so many times stricter is not looked for. */
const STRICTEST = 1e4;
/** Where the search begins, in logarithms, if nothing is proved at the target itself. */
const STEP = 0.7;
/** Positions are logarithms of shares. */
const SHARES: Axis = { valueAt: Real.exp, mostPrivate: -Real.log(STRICTEST), leastPrivate: 0 };

/**
 * @param plain as made for the target itself
 * @param beyond its excess, positive
 * @param make for a share of the target
 * @param excessOf by how much what is proved exceeds the target, in logarithms: about linear in the share's
 * @returns `plain` where no share meets the target
 */
export function madeStricter<Made>(
  plain: Made,
  beyond: number,
  make: (share: number) => Made,
  excessOf: (made: Made) => number,
): Made {
  const at = onceEach((share) => {
    const made = make(share);
    return { made, excess: excessOf(made) };
  });
  const isProved = Number.isFinite(beyond);
  const search = {
    excess: (share: number) => at(share).excess,
    tolerance: TARGET_TOLERANCE,
    mostLeft: MOST_LEFT,
    ...(isProved && { first: { position: 0, excess: beyond } }),
  };
  const ends = secantBracket(SHARES, search, { inside: null, outside: 0 }, isProved ? -beyond : -STEP);
  const found = calibratedAt(SHARES, ends);
  return found === null ? plain : at(found.value).made;
}
