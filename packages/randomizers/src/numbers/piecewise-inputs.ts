/**
 * Every pair of values and every value of the others for the piecewise mechanism (docs/sharp-bound.md):
 * likely windows of one length on a line. How much two of three windows overlap decides all, and every case
 * is an average of a few.
 */
import type { OtherInput, TypedInputs } from '@shuffle-dp/core';
import { regionMasses, type Region, type TwoLevelLaw } from '../laws/two-level-law.ts';
import { otherInput } from '../laws/typed-inputs.ts';

/**
 * Overlaps, as shares of the outputs: of the victim's two windows, of the other user's with either, and of
 * all three.
 */
interface Overlaps {
  readonly victims: number;
  readonly first: number;
  readonly second: number;
  readonly all: number;
}

/** @param law its share is the length of a window over that of the outputs, below one half */
export function piecewiseInputs(law: TwoLevelLaw): TypedInputs {
  const { share } = law;
  // Three windows that overlap as little as they can: two of them do where three are longer than the outputs.
  const least = Math.max(0, 3 * share - 1);
  const corner = (label: string, victims: number, first: number, second: number, all = 0): OtherInput =>
    windowInput(label, law, { victims, first, second, all });
  const apart =
    least === 0
      ? [corner('three windows apart', 0, 0, 0)]
      : [
          corner("the other's window touches the first", 0, least, 0),
          corner("the other's window touches the second", 0, 0, least),
          corner("the victim's windows touch", least, 0, 0),
        ];
  const inputs = [
    corner("the others hold the victim's first value", 0, share, 0),
    corner("the others hold the victim's second value", 0, 0, share),
    ...apart,
    corner('one value of the victim', share, 0, 0),
    corner('one value of all', share, share, share, share),
  ];
  return { pairs: [{ label: 'all pairs of values', inputs, symmetric: true, corners: true }] };
}

function windowInput(label: string, law: TwoLevelLaw, { victims, first, second, all }: Overlaps): OtherInput {
  const { share } = law;
  const regions: readonly Region[] = [
    [all, true, true, true],
    [victims - all, true, true, false],
    [first - all, true, false, true],
    [second - all, false, true, true],
    [share - victims - first + all, true, false, false],
    [share - victims - second + all, false, true, false],
    [share - first - second + all, false, false, true],
    [1 - 3 * share + victims + first + second - all, false, false, false],
  ];
  const present = regions.filter(([measure]) => measure > 1e-15);
  return otherInput(label, regionMasses(law, present));
}
