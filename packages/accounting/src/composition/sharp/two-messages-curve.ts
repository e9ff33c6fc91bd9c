/** One round's curve from above where a message is one of two (docs/sharp-bound.md, Theorem 6). */
import { interval } from '@shuffle-dp/core';
import { areQuick, twoMessagesDelta } from '../../two-messages/two-messages.ts';
import type { PrivacyProfile } from '../../privacy-profile.ts';
import type { MechanismRounds } from '../mechanism-sources.ts';
import { chordsThrough, type Chords } from './chords.ts';
import type { Region } from './curve-points.ts';
import { CLOSE, knotsBeyond, knotsFrom } from './knots.ts';

/** How far points may lie above the worst data set, relative to its delta. */
const SLACK = 5e-3;

/**
 * Whether a curve goes through all data sets at its points.
 *
 * @example hasTwoMessagesCurve({ amplification: duchiMechanism({ epsilon0: 1 }).amplification(), users: 1000, rounds: 2 }) // true
 */
export function hasTwoMessagesCurve({
  amplification: { typed },
  users,
  epsilon0 = Infinity,
}: MechanismRounds): boolean {
  return typed !== undefined && areQuick(typed, users, epsilon0);
}

/**
 * Chords through upper ends of the largest of all curves of one round; null where none is below the
 * blanket's.
 *
 * @param blanket upper ends that are proved already
 */
export function twoMessagesCurve(
  { amplification: { typed }, users, epsilon0 = Infinity }: MechanismRounds,
  blanket: PrivacyProfile,
  region: Region,
): Chords | null {
  const near = knotsFrom([], region, CLOSE);
  const knots = [...near, ...knotsBeyond(near.at(-1) ?? 0, region.deviation)].filter(
    (epsilon) => epsilon < epsilon0,
  );
  if (typed === undefined || knots.length === 0) return null;
  let isBelow = false;
  const uppers = knots.map((epsilon) => {
    const known = Math.min(1, blanket(epsilon).upper);
    const { upper } = twoMessagesDelta(typed, users, epsilon, interval(0, known), SLACK);
    if (upper < known) isBelow = true;
    return Math.min(known, upper);
  });
  return isBelow ? chordsThrough(knots, uppers) : null;
}
