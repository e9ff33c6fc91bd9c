/**
 * Every set that the others may hold, for items in random buckets: the exact law of what three sets say of
 * one bucket (docs/sharp-bound.md, "Sets by a random function"). A bucket with an own item has the density
 * `high`, any other (1 - c high) / (1 - c) where own items are in the share c of the buckets.
 */
import type { TypedInputs } from '@shuffle-dp/core';
import type { TwoLevelLaw } from '../laws/two-level-law.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';
import { setTypes, SHARED_REGIONS, sizesBySets, type SetRegions } from './typed-sets.ts';

export interface BucketHash {
  readonly buckets: number;
  /** Probability that an item is in a given bucket, */
  readonly chance: number;
  /** and that it is in no bucket, with all digits. */
  readonly none: number;
}

/** @param separate the law where the items of a set are in different buckets */
export function bucketTypes(
  domain: number,
  items: number,
  hash: BucketHash,
  separate: TwoLevelLaw,
): TypedInputs {
  const densities = densitiesOf(items, hash.buckets, separate);
  const levels = densities.length;
  const laws = levelLaws(items, hash, densities);
  const pairs = setTypes(domain, items, (label, regions) => {
    const masses = new Float64Array(levels * levels * levels);
    for (const { mass, inside, hit } of sharedItems(regions, hash)) {
      const [first, second, own] = [regions.firstOnly, regions.secondOnly, regions.ownOnly].map((size, i) =>
        inside & SETS[i]! ? CERTAIN : laws[size]![hit[i]!]!,
      );
      first!.forEach((a, i) => {
        second!.forEach((b, j) => {
          own!.forEach((c, k) => (masses[(i * levels + j) * levels + k]! += mass * a * b * c));
        });
      });
    }
    const atoms: TypedAtom[] = [];
    masses.forEach((base, place) => {
      const [p, q, own] = [
        Math.floor(place / levels ** 2),
        Math.floor(place / levels) % levels,
        place % levels,
      ].map((level) => densities[level]!);
      atoms.push([base * p!, base * q!, base * own!, base * separate.low]);
    });
    return otherInput(label, atoms);
  });
  return { pairs };
}

/**
 * Fewer buckets than all but so many are seldom hit: the density is split onto what it is at the ends then,
 * its mean kept.
 */
const NEARLY_ALL = 2;

/**
 * That of an own bucket, and those of all others where all items hit buckets of their own, one less, …, and
 * none.
 */
function densitiesOf(items: number, buckets: number, { high, low, rise }: TwoLevelLaw): number[] {
  const missed = (hit: number): number => low + ((items - hit) / (buckets - hit)) * rise;
  const least = Math.max(0, items - NEARLY_ALL);
  const hits = Array.from({ length: items - least + 1 }, (_, i) => items - i);
  return [high, ...hits.map(missed), ...(least > 0 ? [missed(0)] : [])];
}

/** The law of the densities for a bucket that is a set's own. */
const CERTAIN: readonly number[] = [1];

/**
 * The law of the densities of one bucket, by so many items that are in no other set, added to so many other
 * buckets that the set hits already.
 */
function levelLaws(
  items: number,
  { buckets, chance, none }: BucketHash,
  densities: readonly number[],
): number[][][] {
  const least = Math.max(0, items - NEARLY_ALL);
  const last = densities.length - 1;
  const missed = (hit: number): number[] => {
    const law = densities.map(() => 0);
    if (hit >= least) law[1 + items - hit] = 1;
    else {
      // The density is low and a multiple of (items - hit) / (buckets - hit): between its ends like this.
      law[last] = ((least - hit) * buckets) / ((buckets - hit) * least);
      law[1 + items - least] = (hit * (buckets - least)) / ((buckets - hit) * least);
    }
    return law;
  };
  const laws: number[][][] = [Array.from({ length: items + 1 }, (_, hit) => missed(hit))];
  for (let size = 1; size <= items; size++) {
    const before = laws[size - 1]!;
    laws.push(
      before.map((law, hit) => {
        const more = before[Math.min(items, hit + 1)]!;
        const own = densities.map((_, level) => (level === 0 ? chance : 0));
        const stays = hit * chance + none;
        const adds = Math.max(0, buckets - 1 - hit) * chance;
        return own.map((mass, level) => mass + stays * law[level]! + adds * more[level]!);
      }),
    );
  }
  return laws;
}

/** Bits by which sets are told. */
const SETS = [1, 2, 4] as const;

/** What a function says of one bucket: which sets have an item in it, and how many others each set hits. */
interface BucketState {
  readonly mass: number;
  readonly inside: number;
  readonly hit: readonly [number, number, number];
}

/** The law of that for the items that are in several of the sets. */
function sharedItems(regions: SetRegions, { buckets, chance, none }: BucketHash): BucketState[] {
  // Numbers of the other buckets by the sets that hit them; the first entry is for the bucket itself.
  let states = new Map<string, readonly [mass: number, counts: readonly number[]]>();
  const start = [0, 0, 0, 0, 0, 0, 0, 0];
  states.set(start.join(), [1, start]);
  for (const [size, sets] of sizesBySets(regions).slice(0, SHARED_REGIONS)) {
    for (let item = 0; item < size; item++) {
      const next: typeof states = new Map();
      const add = (mass: number, counts: readonly number[]): void => {
        const key = counts.join();
        next.set(key, [mass + (next.get(key)?.[0] ?? 0), counts]);
      };
      for (const [mass, counts] of states.values()) {
        if (none > 0) add(mass * none, counts);
        add(
          mass * chance,
          counts.map((count, i) => (i === 0 ? count | sets : count)),
        );
        let free = buckets - 1;
        for (let other = 1; other < 8; other++) {
          const count = counts[other]!;
          free -= count;
          if (count > 0) add(mass * count * chance, moved(counts, other, other | sets));
        }
        if (free > 0) add(mass * free * chance, moved(counts, undefined, sets));
      }
      states = next;
    }
  }
  return Array.from(states.values(), ([mass, counts]): BucketState => {
    const hitBy = (set: number): number =>
      counts.reduce((sum, count, sets) => (sets > 0 && sets & set ? sum + count : sum), 0);
    return { mass, inside: counts[0]!, hit: [hitBy(1), hitBy(2), hitBy(4)] };
  });
}

/** A bucket more that is hit by these sets, which was hit by those before. */
function moved(counts: readonly number[], from: number | undefined, to: number): number[] {
  const copy = [...counts];
  if (from !== undefined) copy[from]!--;
  copy[to]!++;
  return copy;
}
