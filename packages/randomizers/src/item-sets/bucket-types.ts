/**
 * Every set that the others may hold, for items in random buckets: the exact law of what three sets say of one bucket
 * (docs/sharp-bound.md, "Sets by a random function"). A bucket with an own item has the density `high`, any other (1 - c high) / (1 - c)
 * where own items are in the share c of the buckets.
 */
import type { TypedInputs } from '@shuffle-dp/core';
import type { TwoLevelLaw } from '../laws/two-level-law.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';
import { setTypes, type SetRegions } from './typed-sets.ts';

export interface BucketHash {
  readonly buckets: number;
  /** Probability that an item is in a given bucket; what is left of 1 is no bucket. */
  readonly chance: number;
}

/** @param separate the law where the items of a set are in different buckets */
export function bucketTypes(
  domain: number,
  items: number,
  hash: BucketHash,
  separate: TwoLevelLaw,
): TypedInputs {
  const missed = Array.from({ length: items + 1 }, (_, hit) => levelsOf(hit, items, hash.buckets, separate));
  const certain: readonly Level[] = [{ share: 1, density: separate.high }];
  const pairs = setTypes(domain, items, (label, regions) => {
    const masses = new Map<string, [number, number, number, number]>();
    for (const { mass, inside, hit } of threeSets(regions, hash)) {
      const [first, second, own] = SETS.map((set, i) => (inside & set ? certain : missed[hit[i]!]!));
      for (const a of first!) {
        for (const b of second!) {
          for (const c of own!) {
            const key = `${a.density} ${b.density} ${c.density}`;
            const known = masses.get(key);
            const base = mass * a.share * b.share * c.share;
            if (known) known[3] += base;
            else masses.set(key, [a.density, b.density, c.density, base]);
          }
        }
      }
    }
    const atoms = Array.from(masses.values(), ([p, q, own, base]): TypedAtom => {
      return [base * p, base * q, base * own, base * separate.low];
    });
    return otherInput(label, atoms);
  });
  return { pairs };
}

/** A density, and with which probability it is taken. */
interface Level {
  readonly share: number;
  readonly density: number;
}

/** Fewer buckets than all but so many are seldom hit: the density is split onto what it is at the ends then, its mean kept. */
const NEARLY_ALL = 2;

/** Of the buckets that are not hit. */
function levelsOf(hit: number, items: number, buckets: number, { rise, low }: TwoLevelLaw): Level[] {
  const excess = (h: number): number => (((items - h) / buckets) * rise) / (1 - h / buckets);
  const nearly = Math.max(0, items - NEARLY_ALL);
  if (hit >= nearly) return [{ share: 1, density: low + excess(hit) }];
  const part = (excess(hit) - excess(nearly)) / (excess(0) - excess(nearly));
  return [
    { share: part, density: low + excess(0) },
    { share: 1 - part, density: low + excess(nearly) },
  ];
}

/** Bits by which sets are told. */
const SETS = [1, 2, 4] as const;

/** What a function says of one bucket: which sets have an item in it, and how many others each set hits. */
interface BucketState {
  readonly mass: number;
  readonly inside: number;
  readonly hit: readonly [number, number, number];
}

/**
 * The law of that over all functions. Items of several sets come first, for which it matters how many buckets are hit by which sets
 * together; the others only add to their own set.
 */
function threeSets(regions: SetRegions, { buckets, chance }: BucketHash): BucketState[] {
  const none = Math.max(0, 1 - buckets * chance);
  // Numbers of the other buckets by the sets that hit them; the first entry is for the bucket itself.
  let states = new Map<string, readonly [mass: number, counts: readonly number[]]>();
  const start = [0, 0, 0, 0, 0, 0, 0, 0];
  states.set(start.join(), [1, start]);
  for (const [size, sets] of [
    [regions.all, 7],
    [regions.bothVictims, 3],
    [regions.firstAndOwn, 5],
    [regions.secondAndOwn, 6],
  ] as const) {
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
          changed(counts, (c) => (c[0]! |= sets)),
        );
        let free = buckets - 1;
        for (let other = 1; other < 8; other++) {
          const count = counts[other]!;
          free -= count;
          if (count === 0) continue;
          add(
            mass * count * chance,
            changed(counts, (c) => {
              c[other]!--;
              c[other | sets]!++;
            }),
          );
        }
        if (free > 0)
          add(
            mass * free * chance,
            changed(counts, (c) => c[sets]!++),
          );
      }
      states = next;
    }
  }
  const numberOf = (counts: readonly number[], set: number): number =>
    counts.reduce((sum, count, sets) => (sets > 0 && sets & set ? sum + count : sum), 0);
  let law = Array.from(states.values(), ([mass, counts]): BucketState => {
    return { mass, inside: counts[0]!, hit: [numberOf(counts, 1), numberOf(counts, 2), numberOf(counts, 4)] };
  });
  const singles = [regions.firstOnly, regions.secondOnly, regions.ownOnly];
  singles.forEach((size, i) => {
    for (let item = 0; item < size; item++) {
      const next = new Map<string, BucketState>();
      const add = (mass: number, inside: number, hit: BucketState['hit']): void => {
        const key = `${inside} ${hit.join()}`;
        next.set(key, { mass: mass + (next.get(key)?.mass ?? 0), inside, hit });
      };
      for (const { mass, inside, hit } of law) {
        const own = hit[i]!;
        add(mass * chance, inside | SETS[i]!, hit);
        add(mass * (own * chance + none), inside, hit);
        const more = [...hit] as [number, number, number];
        more[i]!++;
        if (own < buckets - 1) add(mass * (buckets - 1 - own) * chance, inside, more);
      }
      law = [...next.values()].filter((state) => state.mass > 0);
    }
  });
  return law;
}

function changed(counts: readonly number[], change: (counts: number[]) => void): number[] {
  const copy = [...counts];
  change(copy);
  return copy;
}
