/**
 * Every set that the others may hold beside two of the victim's: by how many items it shares with them. And
 * the atoms of subsets drawn by the exponential mechanism, which are likelier where they meet the own set.
 */
import {
  binomialCoefficient,
  keptByKey,
  onceEachObject,
  type OtherInput,
  type TypedInputs,
  type TypedPair,
} from '@shuffle-dp/core';
import { subsetShare } from '../categories/subset-selection.ts';
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

/** Bits by which sets are told: the victim's two, and the own one. */
const [FIRST, SECOND, OWN] = [1, 2, 4];
const ANY = FIRST | SECOND | OWN;

/** Sizes of the regions, and the bits of the sets that their items are in: of several sets first. */
export function sizesBySets(regions: SetRegions): readonly (readonly [size: number, sets: number])[] {
  return [
    [regions.all, ANY],
    [regions.bothVictims, FIRST | SECOND],
    [regions.firstAndOwn, FIRST | OWN],
    [regions.secondAndOwn, SECOND | OWN],
    [regions.firstOnly, FIRST],
    [regions.secondOnly, SECOND],
    [regions.ownOnly, OWN],
  ];
}

/** Of those, the regions of items that are in several sets. */
export const SHARED_REGIONS = 4;

/** Two sets of the victim, and what a third one may share with them. */
interface SetPairTypes {
  readonly label: string;
  readonly others: readonly { readonly label: string; readonly regions: SetRegions }[];
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
  return pairTypes(domain, s).map(({ label, others }) => ({
    label,
    inputs: others.map((other) => inputOf(other.label, other.regions)),
    symmetric: true,
  }));
}

const known = keptByKey<readonly SetPairTypes[]>();

/** A pure function that remembers: searches for a budget ask for the same types again and again. */
function pairTypes(domain: number, s: number): readonly SetPairTypes[] {
  // Three sets have no more items, so that there is little to remember.
  const items = Math.min(domain, 3 * s);
  return known(`${items}, ${s}`, () => listPairTypes(items, s));
}

function listPairTypes(domain: number, s: number): SetPairTypes[] {
  const pairs: SetPairTypes[] = [];
  for (let shared = Math.max(0, 2 * s - domain); shared < s; shared++) {
    const others: { label: string; regions: SetRegions }[] = [];
    for (let both = 0; both <= shared; both++) {
      for (let first = 0; first <= s - shared; first++) {
        for (let second = 0; second <= s - shared; second++) {
          const own = s - both - first - second;
          if (own < 0 || own > domain - (2 * s - shared)) continue;
          const label = `a set with ${both} of the victim's common items, ${first} and ${second} of the others`;
          const regions = {
            all: both,
            bothVictims: shared - both,
            firstAndOwn: first,
            secondAndOwn: second,
            firstOnly: s - shared - first,
            secondOnly: s - shared - second,
            ownOnly: own,
          };
          others.push({ label, regions });
        }
      }
    }
    pairs.push({ label: `two sets with ${shared} common items`, others });
  }
  return pairs;
}

/**
 * @param k how many items a message holds
 * @param weight how likely it is, by whether it meets the own set
 */
export function typedSets(
  domain: number,
  s: number,
  k: number,
  weight: (meets: boolean) => number,
): TypedInputs {
  return {
    pairs: setTypes(domain, s, (label, regions) =>
      otherInput(label, meetingAtoms(domain, k, regions, weight)),
    ),
  };
}

/**
 * By which of the three sets a subset meets, and by how many of their items it holds: ways to hold so many
 * are whole numbers, and nothing cancels.
 */
function meetingAtoms(
  domain: number,
  k: number,
  regions: SetRegions,
  weight: (meets: boolean) => number,
): TypedAtom[] {
  const ways = waysByRegions(regions);
  const known = ways[0]!.length - 1;
  const shares = Array.from(ways[0]!, (_, held) =>
    held > k || known - held > domain - k ? 0 : subsetShare(domain, k, held, known - held),
  );
  return ways.map((counts, met): TypedAtom => {
    const mass = counts.reduce((sum, count, held) => sum + count * shares[held]!, 0);
    const weightOf = (set: number): number => weight((met & set) > 0);
    return [weightOf(FIRST) * mass, weightOf(SECOND) * mass, weightOf(OWN) * mass, weight(false) * mass];
  });
}

const waysByRegions = onceEachObject((regions: SetRegions) => waysToHold(sizesBySets(regions)));

/**
 * In how many ways so many items of all regions are held, by the sets that are met.
 * @param regions sizes, and the sets that their items are in
 */
function waysToHold(regions: readonly (readonly [size: number, sets: number])[]): Float64Array[] {
  const known = regions.reduce((sum, [size]) => sum + size, 0);
  const none = (): Float64Array[] => Array.from({ length: ANY + 1 }, () => new Float64Array(known + 1));
  let ways = none();
  ways[0]![0] = 1;
  for (const [size, sets] of regions) {
    const next = none();
    ways.forEach((counts, met) =>
      counts.forEach((count, held) => {
        if (count === 0) return;
        for (let more = 0; more <= size; more++)
          next[more > 0 ? met | sets : met]![held + more]! += count * binomialCoefficient(size, more);
      }),
    );
    ways = next;
  }
  return ways;
}
