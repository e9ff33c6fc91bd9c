/**
 * Every unit vector that the others may hold, for outputs that are likelier in a cap around the own vector
 * (docs/sharp-bound.md, "Caps"). Whatever the angles between three vectors, the victim's pair is no worse
 * than two caps that do not meet, of which the third cap covers x and y, x + y at least what three caps at
 * 120 degrees of each other have in common.
 */
import type { OtherInput, TypedInputs } from '@shuffle-dp/core';
import type { TwoLevelLaw } from '../laws/two-level-law.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

/** Into which the least that three caps have in common is cut; further out cells grow by a factor. */
const CELLS = 8;
const GROWTH = 1.4;
/** Of the cap's share: below, the blanket is as good as sharp, and overlaps have lost digits. */
const LEAST_COMMON = 1e-4;

/**
 * @param law of the cap's share
 * @param common what three caps have in common at least, from below: the sum of their shares less that of
 * their union
 */
export function capTypes(law: TwoLevelLaw, common: number): TypedInputs | undefined {
  const { share } = law;
  if (!(common > LEAST_COMMON * share)) return undefined;
  const inputs: OtherInput[] = [];
  let width = common / CELLS;
  for (let least = common; least < share;) {
    const most = least + 1.1 * width < share ? least + width : share;
    const count = Math.max(1, Math.ceil(most / width));
    for (let i = 0; i < count; i++) {
      const [from, to] = [(most * i) / count, (most * (i + 1)) / count];
      inputs.push(capInput(law, from, Math.max(0, least - to), share - most));
    }
    width *= GROWTH;
    least = most;
  }
  if (inputs.length === 0) inputs.push(...halves(law));
  return { pairs: [{ label: 'vectors whose caps do not meet', inputs, symmetric: true }] };
}

/** Caps of half the sphere have all of a third in common with two opposite ones. */
function halves(law: TwoLevelLaw): OtherInput[] {
  const { share } = law;
  return Array.from({ length: CELLS }, (_, i): OtherInput => {
    return capInput(law, (share * i) / CELLS, (share * (CELLS - 1 - i)) / CELLS, 0);
  });
}

/** A cap that covers so much of the victim's first cap, of the second and of neither, and maybe more. */
export function capInput(
  { share, high, low, rise }: TwoLevelLaw,
  first: number,
  second: number,
  neither: number,
): OtherInput {
  const atoms: TypedAtom[] = [];
  for (const [whole, covered, density0, density1] of [
    [share, first, high, low],
    [share, second, low, high],
    [1 - 2 * share, neither, low, low],
  ] as const) {
    const rest = Math.max(0, whole - covered);
    atoms.push(
      [covered * density0, covered * density1, covered * high, covered * low],
      [rest * density0, rest * density1, rest * low, rest * low],
    );
  }
  const part = (covered: number): string => (covered / share).toPrecision(3);
  const label = `a cap that covers ${part(first)} of the first and ${part(second)} of the second`;
  const input = otherInput(label, atoms);
  const hidden = rise * (share - first - second - neither);
  return hidden > 0 ? { ...input, hidden } : input;
}
