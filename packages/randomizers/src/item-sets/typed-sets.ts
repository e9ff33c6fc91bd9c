/**
 * Every set that the others may hold beside two of the victim's: by how many items it shares with them. And
 * the atoms of subsets drawn by the exponential mechanism, which are likelier where they meet the own set.
 */
import type { OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

/** More items have hundreds of types. */
export const MOST_TYPED_ITEMS = 6;

/** How many items two sets of the victim and a third one have, by which of the three they belong to. */
export interface SetRegions {
  readonly all: number;
  readonly bothVictims: number;
  readonly firstAndOwn: number;
  readonly secondAndOwn: number;
  readonly firstOnly: number;
  readonly secondOnly: number;
  readonly ownOnly: number;
}

/**
 * Two sets of the victim by how many items they share, the disjoint ones first, and for the others a set by
 * how many of these it holds, of the rest of the first set and of the rest of the second: one with none of
 * them first.
 */
export function setTypes(
  domain: number,
  s: number,
  inputOf: (label: string, regions: SetRegions) => OtherInput,
): TypedPair[] {
  const pairs: TypedPair[] = [];
  for (let shared = Math.max(0, 2 * s - domain); shared < s; shared++) {
    const inputs: OtherInput[] = [];
    for (let both = 0; both <= shared; both++) {
      for (let first = 0; first <= s - shared; first++) {
        for (let second = 0; second <= s - shared; second++) {
          const own = s - both - first - second;
          if (own < 0 || own > domain - (2 * s - shared)) continue;
          const label = `a set with ${both} of the victim's common items, ${first} and ${second} of the others`;
          inputs.push(
            inputOf(label, {
              all: both,
              bothVictims: shared - both,
              firstAndOwn: first,
              secondAndOwn: second,
              firstOnly: s - shared - first,
              secondOnly: s - shared - second,
              ownOnly: own,
            }),
          );
        }
      }
    }
    pairs.push({ label: `two sets with ${shared} common items`, inputs, symmetric: true });
  }
  return pairs;
}

/** @param miss the share of the subsets that meet none of so many items */
export function typedSets(
  domain: number,
  s: number,
  weight: (meets: boolean) => number,
  miss: (items: number) => number,
): TypedInputs {
  const pairs = setTypes(domain, s, (label, regions) => {
    const { all, bothVictims, firstAndOwn, secondAndOwn } = regions;
    const shared = all + bothVictims;
    // Items of the union of some of the three sets.
    const union = (v: boolean, w: boolean, x: boolean): number => {
      const two = v && w ? 2 * s - shared : v || w ? s : 0;
      if (!x) return two;
      const known = all * Number(v || w) + firstAndOwn * Number(v) + secondAndOwn * Number(w);
      return two + s - known;
    };
    return otherInput(
      label,
      meetingAtoms(weight, (v, w, x) => miss(union(v, w, x))),
    );
  });
  return { pairs };
}

/** What inclusion and exclusion leave of an impossible pattern. */
const ROUNDING = 1e-15;

/** @param missed the share of the subsets that miss some of three sets, whatever they do with the others */
function meetingAtoms(
  weight: (meets: boolean) => number,
  missed: (first: boolean, second: boolean, third: boolean) => number,
): TypedAtom[] {
  const either = [true, false] as const;
  return either.flatMap((v) =>
    either.flatMap((w) =>
      either.map((x): TypedAtom => {
        // Inclusion and exclusion over which of those that are met are missed as well.
        let share = 0;
        for (const a of v ? either : [true])
          for (const b of w ? either : [true])
            for (const c of x ? either : [true]) {
              const sign = (v && a ? -1 : 1) * (w && b ? -1 : 1) * (x && c ? -1 : 1);
              share += sign * missed(a, b, c);
            }
        const mass = share > ROUNDING ? share : 0;
        return [weight(v) * mass, weight(w) * mass, weight(x) * mass, weight(false) * mass];
      }),
    ),
  );
}
