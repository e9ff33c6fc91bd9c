/**
 * Where an end of a bracket is further out than it might be: a bound that gave up, and which one stands in
 * its place.
 */
import type { Interval, MechanismModel } from '@shuffle-dp/core';
import type { ListedBound } from './accounted-bound.ts';

/** What lies between the ends, relative to the lower one, for a bound that is missing to be missed. */
const WORTH_SAYING = 0.01;

/**
 * Notes on one round's bracket; none where no sharper bound is known of the mechanism, or where it was found.
 */
export function accountNotes(
  { amplification, certified }: MechanismModel,
  bounds: readonly ListedBound[],
  { lower, upper }: Interval,
): string[] {
  const isOpen = upper > lower * (1 + WORTH_SAYING);
  if (certified || !isOpen || amplification.typed === undefined) return [];
  const sharp = bounds.find(({ name }) => name === 'sharp');
  if (sharp) return sharp.value === upper ? stoppedNote(sharp) : [];
  const least = bounds.find(
    ({ direction, sound, value }) => direction === 'upper' && sound === true && value === upper,
  );
  const standing = least === undefined ? 'the trivial one' : `that of \`${least.name}\``;
  // Its parameters are searched for: a search that got stuck tells nothing of what others would give.
  return [`the search of the sharp bound found nothing smaller: the upper end is ${standing}`];
}

/** What a search has left open is told from so much of the end on. */
const OPEN = 1e-4;

function stoppedNote({ open = 0 }: ListedBound): string[] {
  if (open <= OPEN) return [];
  const share = `${Number((100 * open).toPrecision(2))} %`;
  return [
    `the search of the sharp bound stopped at its limit of steps: its upper end may be up to ${share} too large`,
  ];
}
