/** Profiles of randomizers whose message is a category, the own one rather than another. */
import type { AmplificationProfile } from '@shuffle-dp/core';
import { interchangeableValues } from './interchangeable-values.ts';
import { localRatios } from './local-ratios.ts';
import type { Atom } from './likelihood-atoms.ts';
import type { TypedAtom } from './typed-inputs.ts';

export interface AnswerLaw {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** In nats. */
  readonly epsilon0: number;
  /** Probability of the own category on top of a uniform answer. */
  readonly truthful: number;
  /** Probability of the own category, and of each other one. */
  readonly own: number;
  readonly other: number;
  /** Probability of no answer; absent where every user answers. */
  readonly nothing?: number;
}

/** Atoms by value of the message: the victim's two, the rest, and nothing. */
export function answersProfile({
  domain,
  epsilon0,
  truthful,
  own,
  other,
  nothing,
}: AnswerLaw): AmplificationProfile {
  const rest = (domain - 2) * other;
  const further = (domain - 3) * other;
  const silence = nothing === undefined ? [] : [nothing];
  const third: TypedAtom[] = [
    [own, other, other, other],
    [other, own, other, other],
    [other, other, own, other],
    [further, further, further, further],
    ...silence.map((mass): TypedAtom => [mass, mass, mass, mass]),
  ];
  return {
    variationRatio: localRatios(epsilon0, truthful),
    ...interchangeableValues({
      domain,
      silent: truthful,
      pair: [
        [own, other, other],
        [other, own, other],
        [rest, rest, rest],
        ...silence.map((mass): Atom => [mass, mass, mass]),
      ],
      thirds: domain > 2 ? [['a third value', third]] : [],
    }),
  };
}
