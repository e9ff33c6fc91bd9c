/**
 * Every set that the others may hold, for messages that are likelier where they meet the own set: subsets drawn by the exponential
 * mechanism.
 */
import type { OtherInput, TypedInputs, TypedPair } from '@shuffle-dp/core';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';

/** More items have hundreds of types. */
export const MOST_TYPED_ITEMS = 6;

/**
 * Two sets of the victim by how many items they share, and for the others a set by how many of these it holds, of the rest of the first set and of
 * the rest of the second. Atoms by which of the three sets the subset meets.
 */
export function typedSets(
  domain: number,
  s: number,
  weight: (meets: boolean) => number,
  miss: (items: number) => number,
): TypedInputs {
  const pairs: TypedPair[] = [];
  for (let shared = Math.max(0, 2 * s - domain); shared < s; shared++) {
    const inputs: OtherInput[] = [];
    for (let both = 0; both <= shared; both++) {
      for (let first = 0; first <= s - shared; first++) {
        for (let second = 0; second <= s - shared; second++) {
          const own = s - both - first - second;
          if (own < 0 || own > domain - (2 * s - shared)) continue;
          // Items of the union of some of the three sets.
          const union = (v: boolean, w: boolean, x: boolean): number => {
            const two = v && w ? 2 * s - shared : v || w ? s : 0;
            if (!x) return two;
            const known = v && w ? both + first + second : v ? both + first : w ? both + second : 0;
            return two + s - known;
          };
          const label = `a set with ${both} of the victim's common items, ${first} and ${second} of the others`;
          inputs.push(
            otherInput(
              label,
              meetingAtoms(weight, (v, w, x) => miss(union(v, w, x))),
            ),
          );
        }
      }
    }
    pairs.push({ label: `two sets with ${shared} common items`, inputs, symmetric: true });
  }
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
