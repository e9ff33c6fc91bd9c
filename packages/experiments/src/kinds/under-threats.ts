/** Parameters for a stricter target than the one that is to be met: the least strict with which what is proved under threats meets it. */
import { Real } from '@shuffle-dp/core';
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
  const known = new Map([[1, { made: plain, excess: beyond }]]);
  const at = (share: number): { readonly made: Made; readonly excess: number } => {
    const found = known.get(share);
    if (found) return found;
    const made = make(share);
    const entry = { made, excess: excessOf(made) };
    known.set(share, entry);
    return entry;
  };
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
