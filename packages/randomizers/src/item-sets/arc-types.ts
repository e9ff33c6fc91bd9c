/**
 * Every set that the others may hold, for items with random arcs of a circle (docs/sharp-bound.md, "Sets by a random function"). A point in
 * an own arc has the density `high`, any other (1 - c high) / (1 - c) where own arcs cover the share c: between `low`, where none overlap,
 * and more.
 *
 * Classes of functions have c between two bounds: the density is split onto what it is there, its mean kept, which only helps the
 * adversary.
 */
import { Real, type OtherInput, type TypedInputs } from '@shuffle-dp/core';
import { boundedArcs, type BoundedClass } from './covered-share.ts';
import type { TwoLevelLaw } from '../laws/two-level-law.ts';
import { otherInput, type TypedAtom } from '../laws/typed-inputs.ts';
import { setTypes, type SetRegions } from './typed-sets.ts';

/** A density of outputs that a set misses, and its share of these. */
interface Level {
  readonly share: number;
  readonly density: number;
}

/** @param separate the law where the arcs of a set do not meet */
export function arcTypes(domain: number, items: number, length: number, separate: TwoLevelLaw): TypedInputs {
  const levels = levelsOf(boundedArcs(items, length), separate);
  const rough = oneRise(levels, separate);
  const { high, low } = separate;
  /** Of sets that share items with the victim's what overlaps of their other arcs leave at least: that is independent of the victim's sets. */
  const ofOwnArcs = Array.from({ length: items }, (_, own): Level[] => {
    if (own < 2) return [{ share: 1, density: low }];
    const rise = separate.rise / (1 - (items - own) * length);
    return levelsOf(boundedArcs(own, length), { ...separate, share: own * length, rise });
  });
  const risen = (all: readonly Level[]): number =>
    all.reduce((sum, { share, density }) => sum + share * (density - low), 0);
  const missed = Real.exp(items * Real.log1p(-length));
  const pairs = setTypes(domain, items, (label, regions): OtherInput => {
    const hits = hitPatterns(regions, length);
    const disjoint = regions.all + regions.bothVictims === 0;
    const ofOwn = ofOwnArcs[regions.ownOnly] ?? levels;
    const atoms: TypedAtom[] = [];
    for (const [first, second, own] of PATTERNS) {
      const mass = hits(first, second, own);
      const ofVictims = disjoint
        ? product(first ? certain(high) : levels, second ? certain(high) : levels)
        : exclusive(first ? high : null, second ? high : null, low, rough);
      for (const [share, density0, density1] of ofVictims) {
        for (const level of own ? certain(high) : ofOwn) {
          const base = mass * share * level.share;
          atoms.push([base * density0, base * density1, base * level.density, base * low]);
        }
      }
    }
    const input = otherInput(label, atoms);
    const hidden = ofOwn === levels ? 0 : (risen(levels) - risen(ofOwn)) * missed;
    return hidden > 0 ? { ...input, hidden } : input;
  });
  return { pairs };
}

const EITHER = [true, false] as const;
const PATTERNS = EITHER.flatMap((v) => EITHER.flatMap((w) => EITHER.map((x) => [v, w, x] as const)));

function certain(density: number): Level[] {
  return [{ share: 1, density }];
}

type TwoDensities = readonly [share: number, density0: number, density1: number];

function product(first: readonly Level[], second: readonly Level[]): TwoDensities[] {
  return first.flatMap((a) => second.map((b): TwoDensities => [a.share * b.share, a.density, b.density]));
}

/**
 * Of sets with common items, whose covered shares depend on each other. Each is split onto low and one level so high that its share is at
 * most one half; never are both there.
 * @param first the density where the output is the set's own, else null
 */
function exclusive(first: number | null, second: number | null, low: number, rise: Level): TwoDensities[] {
  if (first !== null && second !== null) return [[1, first, second]];
  if (first !== null) {
    return [
      [rise.share, first, rise.density],
      [1 - rise.share, first, low],
    ];
  }
  if (second !== null) {
    return [
      [rise.share, rise.density, second],
      [1 - rise.share, low, second],
    ];
  }
  return [
    [rise.share, rise.density, low],
    [rise.share, low, rise.density],
    [1 - 2 * rise.share, low, low],
  ];
}

/** With the mean of the levels: twice as far above low as the highest of them. */
function oneRise(levels: readonly Level[], { low }: TwoLevelLaw): Level {
  const most = Math.max(...levels.map(({ density }) => density));
  if (most === low) return { share: 0, density: low };
  const density = low + 2 * (most - low);
  const share = levels.reduce(
    (sum, level) => sum + level.share * ((level.density - low) / (density - low)),
    0,
  );
  return { share, density };
}

/** What is below the rounding of a class's share is no overlap of arcs. */
const NO_OVERLAP = 1e-14;

/** Of the points outside of a set's arcs, lowest first. */
function levelsOf(
  classes: readonly BoundedClass[],
  { share, low, rise }: Pick<TwoLevelLaw, 'share' | 'low' | 'rise'>,
): Level[] {
  const above = (covered: number): number =>
    covered >= share * (1 - NO_OVERLAP) ? 0 : ((share - covered) * rise) / (1 - covered);
  const masses = new Map<number, number>();
  const add = (excess: number, mass: number): void => {
    if (mass > 0) masses.set(excess, (masses.get(excess) ?? 0) + mass);
  };
  let total = 0;
  for (const { probability, covered, least, most } of classes) {
    if (!(probability > 0)) continue;
    const base = probability - covered;
    total += base;
    const [smallest, largest] = [above(most), above(least)];
    if (largest === smallest) {
      add(smallest, base);
      continue;
    }
    const lost = Math.max(0, probability * share - covered);
    const part = ((lost * rise) / base - smallest) / (largest - smallest);
    // The mean of a class lies between its bounds but for rounding, which is all there is in the rarest ones.
    if (probability > 1e-9 && !(part > -1e-6 && part < 1 + 1e-6))
      throw new RangeError(`the mean of a class lies ${part} of the way between its bounds`);
    const risen = Math.min(1, Math.max(0, part));
    add(largest, base * risen);
    add(smallest, base * (1 - risen));
  }
  return Array.from(masses, ([excess, mass]) => ({ share: mass / total, density: low + excess })).toSorted(
    (a, b) => a.density - b.density,
  );
}

/**
 * Probabilities that a given output is one of the items of the victim's first set, of the second and of the third, for values that are
 * independent: sums of positive terms over which regions have it.
 */
function hitPatterns(
  regions: SetRegions,
  chance: number,
): (first: boolean, second: boolean, own: boolean) => number {
  const sizes = [
    [regions.all, 7],
    [regions.bothVictims, 3],
    [regions.firstAndOwn, 5],
    [regions.secondAndOwn, 6],
    [regions.firstOnly, 1],
    [regions.secondOnly, 2],
    [regions.ownOnly, 4],
  ] as const;
  let masses = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0);
  for (const [size, sets] of sizes) {
    const missed = Real.exp(size * Real.log1p(-chance));
    const hit = -Real.expm1(size * Real.log1p(-chance));
    const next = new Float64Array(8);
    masses.forEach((mass, pattern) => {
      next[pattern]! += mass * missed;
      next[pattern | sets]! += mass * hit;
    });
    masses = next;
  }
  return (first, second, own) => masses[Number(first) + 2 * Number(second) + 4 * Number(own)]!;
}
