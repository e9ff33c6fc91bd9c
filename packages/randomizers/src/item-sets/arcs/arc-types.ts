/**
 * Every set that the others may hold, for items with random arcs of a circle (docs/sharp-bound.md, "Sets by a
 * random function"). A point in an own arc has the density `high`, any other (1 - c high) / (1 - c) where own
 * arcs cover the share c: between `low`, where none overlap, and more.
 *
 * In a class of functions arcs overlap between two bounds: that is split onto these, its mean kept, and so
 * are share and mean of the density, which only helps the adversary.
 */
import { onceEach, Real, type OtherInput, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { boundedArcs, type BoundedArcs } from '../covered-share.ts';
import { cellsFor, movedByPoints, type ArcsOfCircle } from './arc-cells.ts';
import { whenAsked } from './inputs-when-asked.ts';
import { griddedArcs, type GriddedArcs, type Level } from './shared-arcs.ts';
import type { TwoLevelLaw } from '../../laws/two-level-law.ts';
import { otherInput, type TypedAtom } from '../../laws/typed-inputs.ts';
import { setTypes, sizesBySets, type SetRegions } from '../typed-sets.ts';

/** Where no epsilon is told. */
const USUAL_EPSILON = 0.1;
/** Where points move densities by a larger share there are no types: only the blanket is used. */
const MOST_MOVED = 1e-3;

/** @param separate the law where the arcs of a set do not meet */
export function arcTypes(domain: number, arcs: ArcsOfCircle, separate: TwoLevelLaw): TypedInputs {
  let latest: { readonly epsilon: number; readonly pairs: readonly TypedPair[] } | undefined;
  const pairsNear = (epsilon: number): readonly TypedPair[] => {
    if (latest?.epsilon !== epsilon) latest = { epsilon, pairs: arcPairs(domain, arcs, separate, epsilon) };
    return latest.pairs;
  };
  return {
    // Of any epsilon: the types are the same, and their laws take long.
    get pairs() {
      return latest?.pairs ?? pairsNear(USUAL_EPSILON);
    },
    pairsNear,
  };
}

function arcPairs(
  domain: number,
  arcs: ArcsOfCircle,
  separate: TwoLevelLaw,
  epsilon: number,
): readonly TypedPair[] {
  const { items, length } = arcs;
  const free = arcs.free(items);
  const moved = movedByPoints(arcs, separate);
  if (!(moved < MOST_MOVED)) return [];
  const levels = levelsOf(boundedArcs(items, length, free), free, separate);
  // Sets that share nothing are the worst, and all three have laws of their own.
  const fine = levelsOf(boundedArcs(items, length, free, true), free, separate);
  const rough = oneRise(levels, separate);
  const { high, low } = separate;
  const meeting = meetingArcs(arcs, separate, levels, epsilon);
  const pairs = setTypes(
    domain,
    items,
    whenAsked((label, regions): OtherInput => {
      const hits = hitPatterns(regions, length);
      const apart = regions.all + regions.bothVictims === 0;
      // One arc overlaps nothing of its set.
      const own = items > 1 && regions.ownOnly < items ? meeting(regions) : null;
      const alone = apart && own === null ? fine : levels;
      const atoms: TypedAtom[] = [];
      for (const [first, second] of PATTERNS) {
        const ofVictims = apart
          ? product(first ? certain(high) : alone, second ? certain(high) : alone)
          : exclusive(first ? high : null, second ? high : null, low, [rough, rough]);
        const add = (mass: number, density: number, victims: readonly TwoDensities[]): void => {
          for (const [share, density0, density1] of victims) {
            const base = mass * share;
            const [above, below] = [density0 * (1 + moved), density1 * (1 - moved)];
            atoms.push([base * above, base * below, base * density, base * low]);
          }
        };
        add(hits(first, second, true), high, ofVictims);
        const missed = hits(first, second, false);
        for (const { share, density, victims } of own?.levels ?? (alone as readonly OwnLevel[]))
          add(missed * share, density, victims?.(first, second) ?? ofVictims);
      }
      const input = otherInput(label, atoms);
      return own ? { ...input, hidden: own.hidden } : input;
    }),
  );
  return pairs.map((pair) => ({ ...pair, revealed: moved }));
}

/** Outputs that the others' set misses, and the victim's densities there, where they depend on it. */
interface OwnLevel extends Level {
  readonly victims?: (first: boolean, second: boolean) => readonly TwoDensities[];
}

/** What is kept of the law of a set that shares items with the victim's. */
interface KeptLaw {
  readonly levels: readonly OwnLevel[];
  readonly hidden: number;
}

function meetingArcs(
  arcs: ArcsOfCircle,
  separate: TwoLevelLaw,
  levels: readonly Level[],
  epsilon: number,
): (regions: SetRegions) => KeptLaw {
  const { items, length } = arcs;
  const { low, high } = separate;
  const missed = Real.exp(items * Real.log1p(-length));
  const risen = (all: readonly Level[]): number =>
    all.reduce((sum, { share, excess }) => sum + share * excess, 0);
  const mean = risen(levels);
  const hiddenOf = (kept: readonly Level[]): number => Math.max(0, (mean - risen(kept)) * missed);
  const ownArcs = onceEach((own): KeptLaw => {
    const kept = ownArcsOnly(own, arcs, separate);
    return { levels: kept, hidden: hiddenOf(kept) };
  });
  const gridOf = onceEach((shared): GriddedArcs | null => {
    const cells = cellsFor(arcs, separate, shared, epsilon);
    // That of the most shared items has the others in it, where its cells are as small.
    const mostCells = shared < items - 1 ? cellsFor(arcs, separate, items - 1, epsilon) : null;
    return cells && mostCells && mostCells.parts >= cells.parts
      ? gridOf(items - 1)
      : cells && griddedArcs(arcs, separate, shared, cells);
  });
  return (regions) => {
    const [first, second] = [regions.all + regions.firstAndOwn, regions.all + regions.secondAndOwn];
    const shared = Math.max(1, ...[first, second].filter((count) => count < items));
    const grid = gridOf(shared);
    if (grid === null) return ownArcs(regions.ownOnly);
    const apart = regions.all + regions.bothVictims === 0;
    const kept = grid.levels.map(({ share, density, excess, means }): OwnLevel => {
      // From above for the victim's first set, from below for the second; where nothing is shared, what it
      // is.
      const meanOf = (count: number): number => (count < items ? means[count]! : excess);
      const mean0 = first === 0 ? mean : meanOf(first) + grid.rounding;
      const mean1 = second === 0 ? mean : meanOf(second);
      const riseTo = (most: number, by: number): Level => ({
        share: by / most,
        density: low + most,
        excess: most,
      });
      const free = (by: number): Level[] => [
        { share: 1 - by / grid.most, density: low, excess: 0 },
        riseTo(grid.most, by),
      ];
      const most = 2 * grid.most;
      return {
        share,
        density,
        excess,
        victims: (hit0, hit1) =>
          apart && (hit0 || hit1 || first === 0 || second === 0)
            ? product(
                hit0 ? certain(high) : first === 0 ? levels : free(mean0),
                hit1 ? certain(high) : second === 0 ? levels : free(mean1),
              )
            : exclusive(hit0 ? high : null, hit1 ? high : null, low, [
                riseTo(most, mean0),
                riseTo(most, mean1),
              ]),
      };
    });
    return { levels: kept, hidden: hiddenOf(kept) };
  };
}

/** Of what a set's other arcs overlap, at least, whatever its shared items do. */
function ownArcsOnly(
  own: number,
  { items, length, free }: ArcsOfCircle,
  separate: TwoLevelLaw,
): readonly Level[] {
  if (own < 2) return [{ share: 1, density: separate.low, excess: 0 }];
  const rise = separate.rise / free(items - own);
  return levelsOf(boundedArcs(own, length, free(own)), free(own), { ...separate, rise });
}

const EITHER = [true, false] as const;
const PATTERNS = EITHER.flatMap((v) => EITHER.map((w) => [v, w] as const));

function certain(density: number): Density[] {
  return [{ share: 1, density }];
}

/** Of a share of the outputs. */
type Density = Pick<Level, 'share' | 'density'>;

type TwoDensities = readonly [share: number, density0: number, density1: number];

function product(first: readonly Density[], second: readonly Density[]): TwoDensities[] {
  return first.flatMap((a) => second.map((b): TwoDensities => [a.share * b.share, a.density, b.density]));
}

/**
 * Of sets whose covered shares depend on each other. Each is split onto low and one level so high that its
 * share is at most one half; never are both there.
 * @param first the density where the output is the set's own, else null
 */
function exclusive(
  first: number | null,
  second: number | null,
  low: number,
  [rise0, rise1]: readonly [Level, Level],
): TwoDensities[] {
  if (first !== null && second !== null) return [[1, first, second]];
  if (first !== null) {
    return [
      [rise1.share, first, rise1.density],
      [1 - rise1.share, first, low],
    ];
  }
  if (second !== null) {
    return [
      [rise0.share, rise0.density, second],
      [1 - rise0.share, low, second],
    ];
  }
  return [
    [rise0.share, rise0.density, low],
    [rise1.share, low, rise1.density],
    [1 - rise0.share - rise1.share, low, low],
  ];
}

/** With the mean of the levels: twice as far above low as the highest of them. */
function oneRise(levels: readonly Level[], { low }: TwoLevelLaw): Level {
  const most = 2 * Math.max(...levels.map(({ excess }) => excess));
  if (most === 0) return { share: 0, density: low, excess: 0 };
  const share = levels.reduce((sum, level) => sum + level.share * (level.excess / most), 0);
  return { share, density: low + most, excess: most };
}

/** Of the points outside of a set's arcs, lowest first. @param free what the arcs leave without overlap */
function levelsOf(
  { classes, apart }: BoundedArcs,
  free: number,
  { low, rise }: Pick<TwoLevelLaw, 'low' | 'rise'>,
): Level[] {
  /** By the overlap: the share of the points. */
  const masses = new Map<number, number>();
  const add = (overlap: number, probability: number): void => {
    if (!(probability > 0)) return;
    masses.set(overlap, (masses.get(overlap) ?? 0) + probability * (free + overlap));
  };
  add(0, apart);
  for (const { least, most, atLeast, atMost } of classes) {
    add(least, atLeast);
    add(most, atMost);
  }
  const total = Array.from(masses.values()).reduce((sum, mass) => sum + mass, 0);
  return Array.from(masses, ([overlap, mass]): Level => {
    const excess = (overlap * rise) / (free + overlap);
    return { share: mass / total, density: low + excess, excess };
  }).toSorted((a, b) => a.density - b.density);
}

/**
 * Probabilities that a given output is one of the items of the victim's first set, of the second and of the
 * third, for values that are independent: sums of positive terms over which regions have it.
 */
function hitPatterns(
  regions: SetRegions,
  chance: number,
): (first: boolean, second: boolean, own: boolean) => number {
  let masses = Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0);
  for (const [size, sets] of sizesBySets(regions)) {
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
