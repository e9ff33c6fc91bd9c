/**
 * What arcs of two sets overlap where the sets share items and an output is in no arc of either, with all
 * places rounded to a grid (docs/sharp-bound.md, "Arcs, X meets V ∪ W").
 *
 * Beginnings are uniform on the line of length 1 - arc behind the output. Lines of a grid with a random
 * beginning, the same for all beginnings, cut it into cells; what two arcs have in common is on average what
 * it is for the numbers of their cells, as an arc is a whole number of cells.
 */
import { gaussLegendre } from '@shuffle-dp/core';
import type { Arcs, Cells } from './arc-cells.ts';
import { addMeans, nonZero, roomFor, type Following } from './mean-excess.ts';
import {
  addShifted,
  convolved,
  emptyLaws,
  factorial,
  lawsBetween,
  lawsWithin,
  massOf,
  type Laws,
} from './overlap-laws.ts';
import type { TwoLevelLaw } from '../../laws/two-level-law.ts';

/** A density of outputs that a set misses, and its share of these. */
export interface Level {
  readonly share: number;
  readonly density: number;
  /** By how much that exceeds `low`, with all digits. */
  readonly excess: number;
}

interface GriddedLevel extends Level {
  /** The mean of that for a set with so many shared items. */
  readonly means: readonly number[];
}

export interface GriddedArcs {
  readonly levels: readonly GriddedLevel[];
  /** The largest excess. */
  readonly most: number;
  /** By how much means are too small, at most. */
  readonly rounding: number;
}

/** Overlaps rounded to cells. @param shared items at most, below `items` */
export function griddedArcs(
  { items, length }: Arcs,
  { share, low, rise }: TwoLevelLaw,
  shared: number,
  { parts, rounding }: Cells,
): GriddedArcs {
  const cell = length / parts;
  const excess = Float64Array.from({ length: (items - 1) * parts + 1 }, (_, cells) => {
    const overlap = cells * cell;
    return (overlap * rise) / (1 - share + overlap);
  });
  const { chance, means } = sharedOverlaps({ items, length, parts }, shared, excess);
  const total = chance.reduce((sum, mass) => sum + mass, 0);
  const levels: GriddedLevel[] = [];
  chance.forEach((mass, i) => {
    if (!(mass > 0)) return;
    const density = low + excess[i]!;
    levels.push({
      share: mass / total,
      density,
      excess: excess[i]!,
      means: means.map((mean) => mean[i]! / mass),
    });
  });
  return { levels, most: excess.at(-1)! + rounding, rounding };
}

interface SharedOverlaps {
  /** Probability that the arcs of one set overlap by so many cells in all. */
  readonly chance: Float64Array;
  /**
   * By the number of shared items: the mean of `excess` of the other set's overlap, where the own one is
   * this, times the probability.
   */
  readonly means: readonly Float64Array[];
}

export interface ArcGrid extends Arcs {
  /** Cells of an arc, at least 1. */
  readonly parts: number;
}

/**
 * @param shared the largest number of shared items that is asked for, below `items`
 * @param excess of an overlap of so many cells: one number for 0 to (items - 1) parts
 */
export function sharedOverlaps(
  { items, length, parts }: ArcGrid,
  shared: number,
  excess: Float64Array,
): SharedOverlaps {
  const chance = new Float64Array(excess.length);
  const joint = Array.from({ length: shared + 1 }, () => new Float64Array(excess.length));
  const line = (1 / length - 1) * parts;
  const between = lawsBetween(items, parts, Math.ceil(line) + 1, 1 / line, excess.length);
  const { nodes, weights } = gaussLegendre(items);
  // The number of cells is constant while the grid begins on one side of what is left over.
  const rest = line - Math.floor(line);
  for (const [from, to] of [
    [0, rest],
    [rest, 1],
  ] as const) {
    if (!(to > from)) continue;
    for (const [i, node] of nodes.entries()) {
      // Mirror images are alike.
      if (node > NO_NODE) continue;
      const begin = from + ((to - from) * (1 + node)) / 2;
      const share = ((to - from) * weights[i]!) / (node < -NO_NODE ? 1 : 2);
      const cells = Math.ceil(line - begin) + 1;
      const masses = new Float64Array(cells).fill(1 / line);
      masses[0] = Math.min(1, begin / line);
      // What is left over of the line behind the last whole cell.
      if (cells > 1) masses[cells - 1] = ((from === 0 ? 0 : rest) + ((to - from) * (1 - node)) / 2) / line;
      addGrid({ items, parts, masses, between, excess }, share, chance, joint);
    }
  }
  const mean = chance.reduce((sum, mass, overlap) => sum + mass * excess[overlap]!, 0);
  joint[0] = chance.map((mass) => mass * mean);
  return { chance, means: joint };
}

/** The middle node is 0 but for rounding. */
const NO_NODE = 1e-9;

interface Grid {
  readonly items: number;
  readonly parts: number;
  /** Probability of each cell. */
  readonly masses: Float64Array;
  /** Of items strictly between two beginnings so many cells apart, with all that overlaps on the way. */
  readonly between: readonly Laws[];
  readonly excess: Float64Array;
}

/** One grid's part of the chances, and of the means for 1 shared item and more. */
function addGrid(grid: Grid, share: number, chance: Float64Array, joint: readonly Float64Array[]): void {
  const { items, parts, masses, excess } = grid;
  const last = masses.length - 1;
  const left = Array.from(masses, (_, cell) => lawsBeside(grid, cell, -1));
  const right = Array.from(masses, (_, cell) => lawsBeside(grid, cell, 1));
  const inCell = Array.from(masses, (mass) => lawsWithin(items, parts, mass, excess.length));
  const onwards = right.map((laws, cell) => convolved(inCell[cell]!, laws));
  // Every set has a first item: those of its cell, and all that follow.
  for (let cell = 0; cell <= last; cell++) {
    for (let together = 1; together <= items; together++) {
      const mass = massOf(masses[cell]!, together) * share * factorial(items);
      addShifted(chance, right[cell]![items - together]!, (together - 1) * parts, mass);
    }
  }
  const way = wayBetween(grid, inCell);
  const ends = joint.length > 2 ? endsFrom(grid, onwards, way) : [];
  for (let shared = 1; shared < joint.length; shared++) {
    const own = items - shared;
    const ways = share * factorial(shared) * factorial(own) * factorial(own);
    const room = roomFor(own, excess, shared);
    const to = joint[shared]!;
    const place = (cell: number, count: number, tied: number, weight: number): void => {
      const laws = count === 1 ? left[cell]! : room.placed[count]!;
      if (count + 1 === shared) {
        addMeans(to, room, laws, ends[cell]!, { tied: weight / (tied + 1), apart: weight });
        return;
      }
      for (let next = cell; next <= last; next++) {
        const ties = next === cell ? tied + 1 : 1;
        convolved(way(cell, next), laws, own, room.placed[count + 1]);
        place(next, count + 1, ties, (weight * masses[next]!) / ties);
      }
    };
    for (let cell = 0; cell <= last; cell++) {
      const weight = ways * masses[cell]!;
      if (shared > 1) place(cell, 1, 1, weight);
      else addMeans(to, room, left[cell]!, [nonZero(onwards[cell]!, 1)], { tied: weight, apart: weight });
    }
  }
}

/** Of items from the cell of one beginning, and in it, up to another beginning. */
type Way = (cell: number, next: number) => Laws;

function wayBetween({ between, masses }: Grid, inCell: readonly Laws[]): Way {
  const inner = between.map((laws) => convolved(inCell[Math.min(1, masses.length - 1)]!, laws));
  const first = between.map((laws) => convolved(inCell[0]!, laws));
  inner[0] = first[0] = between[0]!;
  return (cell, next) => (cell === 0 ? first : inner)[next - cell]!;
}

/** By the cell of the last but one shared item: what follows it, by the cell of the last from there on. */
function endsFrom({ items, masses, excess }: Grid, onwards: readonly Laws[], way: Way): Following[][] {
  const end = emptyLaws(items - 1, excess.length);
  return onwards.map((_, cell) =>
    onwards.slice(cell).map((laws, apart) => {
      const next = cell + apart;
      return nonZero(convolved(way(cell, next), laws, items - 2, end), masses[next]!);
    }),
  );
}

/** Of items on one side of a beginning, in other cells, with all that overlaps from the last to that. */
function lawsBeside({ items, masses, parts, between, excess }: Grid, cell: number, step: -1 | 1): Laws {
  const laws = emptyLaws(items, excess.length);
  laws[0]![0] = 1;
  for (let far = cell + step; far >= 0 && far < masses.length; far += step) {
    for (let count = 1; count < items; count++) {
      for (let together = 1; together <= count; together++) {
        const law = between[Math.abs(far - cell)]![count - together]!;
        addShifted(laws[count]!, law, (together - 1) * parts, massOf(masses[far]!, together));
      }
    }
  }
  return laws;
}
