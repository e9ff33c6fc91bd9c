/** Whether the bounds of all inputs of a pair are at most some delta: the cheapest looks at them first. */
import { inputBound, type Effort, type SharpParameters } from './input-bound.ts';
import { knownMoments, type HidingUsers, type LabelledInput } from './pair-inputs.ts';

/**
 * After so many inputs of a pair in a row that a rough look did not tell it is left out; and at pairs after
 * that, until it tells again.
 */
const [FUTILE, STILL_FUTILE] = [4, 1];

/**
 * Sketchy looks at gains with heavy tails may be so many times too large, and then say nothing: quick ones,
 * at other inputs too, are so much larger than fine ones.
 */
const [SAYS_NOTHING, SAYS_LITTLE] = [1000, 3];

/** The bound of an input. */
export type Look = (input: LabelledInput, effort: Effort) => number;

/** At parameters. */
export function looksAt({ users, missed }: HidingUsers, parameters: SharpParameters, delta: number): Look {
  const moments = knownMoments();
  return ({ prepared }, effort) =>
    inputBound(prepared, users, parameters, delta, effort, moments(effort)) + missed;
}

/** For how many inputs of a pair in a row rough looks are tried in vain. */
export interface RoughPatience {
  inputs: number;
}

export function newPatience(): RoughPatience {
  return { inputs: FUTILE };
}

interface Patience {
  /** The input that is looked at first. */
  readonly first: number;
  /** Up to how many times `delta` a sketchy bound is followed by a quick one, and that by a fine one. */
  readonly worthQuick: number;
  readonly worthFine: number;
  /** Whether a sketchy look that is far too large says nothing; default that it says so of the pair. */
  readonly doubtsSketchy?: boolean;
  /** Is written to. */
  readonly rough?: RoughPatience | undefined;
}

/** The number of an input that is not seen to be at most `delta`; null where all are. */
export function firstFailing(
  inputs: readonly LabelledInput[],
  delta: number,
  look: Look,
  { first, worthQuick, worthFine, doubtsSketchy = false, rough = newPatience() }: Patience,
): number | null {
  let futile = 0;
  let least = 0;
  const order = [...inputs.keys()].toSorted((a, b) => Number(b === first) - Number(a === first));
  for (const i of order) {
    const input = inputs[i]!;
    if (futile < rough.inputs) {
      futile = look(input, 'rough') <= delta ? 0 : futile + 1;
      if (futile === FUTILE) rough.inputs = STILL_FUTILE;
      if (futile === 0) {
        rough.inputs = FUTILE;
        continue;
      }
    }
    const sketchy = look(input, 'sketchy');
    if (sketchy <= delta) continue;
    const saysNothing = doubtsSketchy && sketchy > SAYS_NOTHING * delta;
    if (saysNothing) least = SAYS_LITTLE;
    const isWorth = (bound: number, times: number): boolean =>
      saysNothing || bound <= Math.max(times, least) * delta;
    const quick = isWorth(sketchy, worthQuick) ? look(input, 'quick') : sketchy;
    if (quick <= delta) continue;
    if (!(isWorth(quick, worthFine) && look(input, 'fine') <= delta)) return i;
  }
  return null;
}
