/**
 * Profiles of randomizers that treat all values alike: any two are the victim's up to renaming, and of the
 * others only matters how they stand to these two. Blanket, data sets of equal users and the types of the
 * others are read from the same atoms.
 */
import type { AmplificationProfile } from '@shuffle-dp/core';
import { likelihoodAtoms, type Atom } from './likelihood-atoms.ts';
import { otherInput, singlePair, type TypedAtom } from './typed-inputs.ts';

export interface InterchangeableValues {
  /** Number of values, at least 2. */
  readonly domain: number;
  /** What the blanket leaves of 1, with all its digits. */
  readonly silent: number;
  /** Masses under the victim's two values, and at least under every value. */
  readonly pair: readonly Atom[];
  /** Of each kind of third value that there is: its name, and finer atoms, which tell it apart. */
  readonly thirds: readonly ThirdValue[];
}

export type ThirdValue = readonly [label: string, atoms: readonly TypedAtom[]];

/** All but the published ratios. */
export function interchangeableValues({
  domain,
  silent,
  pair,
  thirds,
}: InterchangeableValues): Pick<AmplificationProfile, 'blanket' | 'homogeneous' | 'typed'> {
  const withFirst = pair.map(([first, second, blanket]): TypedAtom => [first, second, first, blanket]);
  const withSecond = pair.map(([first, second, blanket]): TypedAtom => [first, second, second, blanket]);
  const sameAsVictim = "the victim's first value";
  return {
    blanket: [likelihoodAtoms('any two inputs', pair, true, silent)],
    homogeneous: [
      ...thirds.map(([label, atoms]) => likelihoodAtoms(`all others hold ${label}`, atoms)),
      likelihoodAtoms(`all others hold ${sameAsVictim}`, withFirst, false),
    ],
    typed: singlePair(
      'any two values',
      [
        otherInput(sameAsVictim, withFirst),
        otherInput("the victim's second value", withSecond),
        ...thirds.map(([label, atoms]) => otherInput(label, atoms)),
      ],
      domain,
    ),
  };
}
