/** What a target asks for that no design should, or that none of this kind meets. */
import type { Interval, Target } from '@shuffle-dp/core';
import { shortEnd } from './text-table.ts';

/** What a failure probability of one in the number of users, or more, allows. */
export function largeDeltaLines(delta: number | undefined, users: number): string[] {
  return delta !== undefined && delta < 1 && delta * users >= 1
    ? [
        `delta ${delta} is not below 1/users: such a delta allows a mechanism to show some user's data unchanged`,
      ]
    : [];
}

/** @param users the fewest of any round @returns at most two lines */
export function targetNotes(target: Target, users: number, bracket: Interval): string[] {
  if (!('delta' in target)) return [];
  const endless =
    bracket.lower > 0
      ? `no epsilon below ${shortEnd(bracket.lower, 'lower')} holds at this delta, and none is proved: some output tells two data sets apart more often than delta allows; a larger delta, more users or more blanket messages may help`
      : 'no epsilon is proved at this delta: a larger delta, or more users, may help';
  return [
    ...largeDeltaLines(target.delta, users),
    ...(bracket.upper === Infinity && target.delta > 0 ? [endless] : []),
  ];
}
