/**
 * Parameters for a stricter target than the one that is to be met: the least strict with which what is proved
 * under threats meets it.
 */
import { Real, onceEach } from '@shuffle-dp/core';
import { calibrate } from '@shuffle-dp/accounting';

/** Of the target's logarithm: what a calibration may leave of it. */
const TOLERANCE = 2e-3;
/** A target so many times stricter is not looked for. */
const STRICTEST = 1e4;
/** How far beyond the first guess the search begins, as a share of what the target is exceeded by. */
const MARGIN = 1.1;
/** In logarithms, where nothing is proved at the first guess. */
const STEP = 0.7;

/**
 * @param plain as made for the target itself, whose excess is positive
 * @param make for a share of the target
 * @param excessOf by how much what is proved exceeds the target, in logarithms
 * @returns `plain` where no share meets the target
 */
export function madeStricter<Made>(
  plain: Made,
  make: (share: number) => Made,
  excessOf: (made: Made) => number,
): Made {
  const beyond = excessOf(plain);
  const at = onceEach((share) => {
    if (share === 1) return { made: plain, excess: beyond };
    const made = make(share);
    return { made, excess: excessOf(made) };
  });
  const first = Number.isFinite(beyond) ? MARGIN * beyond : STEP;
  const found = calibrate(
    { valueAt: Real.exp, mostPrivate: -Real.log(STRICTEST), leastPrivate: 0 },
    {
      excess: (share) => at(share).excess,
      start: -first,
      step: Math.max(TOLERANCE, first / 10),
      growth: 2,
      tolerance: TOLERANCE,
    },
  );
  return found === null ? plain : at(found.value).made;
}
