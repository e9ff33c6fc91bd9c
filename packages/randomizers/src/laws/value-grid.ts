/**
 * A mechanism of numbers whose values are put on a grid (docs/sharp-bound.md, "Values on a grid"): between
 * two points of it the law of the victim's first value is at most an average of theirs, those of the second
 * and of the others are at least one, each but for a little.
 */
import { Real, type OtherInput, type TypedPair } from '@shuffle-dp/core';

/** Masses of the atoms; arrays have one length. */
export interface GridLaws {
  /** Of each point of the grid as the victim's first value, from above. */
  readonly first: readonly Float64Array[];
  /** Of each point as the second value, from below. */
  readonly second: readonly Float64Array[];
  /** What the others may hold: from close points, of which little is revealed, to few. */
  readonly others: readonly OthersOnGrid[];
  /** Mass of the first value at outputs that are no atom. */
  readonly uncovered?: number;
}

export interface OthersOnGrid {
  readonly values: readonly { readonly label: string; readonly own: Float64Array }[];
  /** What another user tells about a value off the grid, as a chance. */
  readonly revealed: number;
}

/** A grid of the victim's values. */
export interface VictimGrid {
  readonly values: readonly number[];
  /** The log of what epsilon falls by, about, where one of the ends of the range gives way to this point. */
  readonly falls: readonly number[];
}

/** Another user may reveal this share of what epsilon falls by. */
const REVEALED_OF_THE_FALL = 0.3;

/**
 * All pairs of points, the first at most one point above the second, from the furthest on. One order is
 * enough: the other is that of the mirror image.
 */
export function gridPairs({ values, falls }: VictimGrid, laws: GridLaws): TypedPair[] {
  const { first, second, others, uncovered = 0 } = laws;
  const lists = others.map((list) => ({ ...list, blanket: infimum(list) }));
  const indices = values.flatMap((_, i) =>
    values.slice(Math.max(0, i - 1)).map((__, k) => [i, k + Math.max(0, i - 1)] as const),
  );
  const distance = ([i, k]: readonly [number, number]): number => values[k]! - values[i]!;
  return indices
    .toSorted((a, b) => distance(b) - distance(a))
    .map(([i, k]): TypedPair => {
      const fall = 2 * distance([i, k]) > distance([0, values.length - 1]) ? falls[i]! + falls[k]! : 1;
      const list = lists.findLast(({ revealed }) => revealed <= REVEALED_OF_THE_FALL * fall) ?? lists[0]!;
      return {
        label: `the values ${asShare(values[i]!, values)} and ${asShare(values[k]!, values)} of the range`,
        inputs: list.values.map(({ label, own }): OtherInput => ({
          label,
          victim0: first[i]!,
          victim1: second[k]!,
          own,
          blanket: list.blanket,
        })),
        symmetric: true,
        revealed: list.revealed,
        uncovered,
      };
    });
}

function infimum({ values }: OthersOnGrid): Float64Array {
  return values[0]!.own.map((_, y) => values.reduce((least, { own }) => Math.min(least, own[y]!), 1));
}

/** Where a value lies in the range, for labels. */
export function asShare(value: number, values: readonly number[]): number {
  const share = (value - values[0]!) / (values.at(-1)! - values[0]!);
  return Number(share.toPrecision(2));
}

/** What may be added to epsilon, relative to it, as a share of what it falls by. */
const OF_THE_FALL = 0.5;
/**
 * Squares of the number of the victim's values times those of the others, of which there may be so few: about
 * what an account looks at.
 */
const [MOST_WORK, FEW_OTHERS] = [35_000, 12];
/** The most anywhere. */
const MOST = 0.25;
/** Where values would be too many, what may be added at the ends grows by these steps, up to so much. */
const [COARSER, MOST_ADDED] = [1.25, 0.15];

export interface GridPlan {
  /**
   * A cell of width v adds to epsilon this much of v^2 where the victim's first value is in it; by where it
   * is.
   */
  firstCost(value: number): number;
  /** Where the second value is in it. */
  secondCost(value: number): number;
  /** The variance of the gains, about, of a pair for the others that hide it the least. */
  variance(first: number, second: number): number;
  /**
   * What may be added to epsilon at the ends of the range, relative to it, where the number of values allows.
   */
  readonly added: number;
  /** The widest cell. */
  readonly widest: number;
  /** How many times as many values as usual there may be, squared; 1 unless given. */
  readonly work?: number;
}

/**
 * Points from 0 to `width` for epsilons of about this size: close to each other near the ends, where the
 * worst pair is. Epsilon falls as the root of the variance does. Null where they would be too many however
 * much is added.
 */
export function gradedGrid(width: number, epsilon: number, plan: GridPlan): VictimGrid | null {
  if (!(epsilon > 0)) return null;
  const { widest, firstCost, secondCost, work = 1 } = plan;
  const middle = width / 2;
  const worst = plan.variance(0, width);
  const fall = (value: number): number => {
    const variance = value < middle ? plan.variance(value, width) : plan.variance(0, value);
    return Math.max(0, Real.log(worst / variance) / 2);
  };
  const mostValues = Math.sqrt((work * MOST_WORK) / Math.max(FEW_OTHERS, width / widest));
  for (let { added } = plan; added <= MOST_ADDED; added *= COARSER) {
    const step = (value: number, cost: number): number => {
      const share = Math.min(MOST, added + OF_THE_FALL * fall(value));
      return Math.min(
        widest,
        Math.sqrt((share * epsilon) / cost),
        Math.sqrt((MOST * epsilon) / firstCost(value)),
      );
    };
    const left = march(middle, (x) => step(x, firstCost(x)));
    const right = march(middle, (x) => step(width - x, secondCost(width - x)));
    if (left === null || right === null || left.length + right.length - 1 > mostValues) continue;
    const values = [
      ...left,
      ...right
        .slice(0, -1)
        .map((x) => width - x)
        .toReversed(),
    ];
    return { values, falls: values.map(fall) };
  }
  return null;
}

/** More points than any grid may have. */
const MOST_STEPS = 100;

/**
 * From 0 to `end`, each step as long as allowed where it starts, the last ones evened out; null where they
 * are too many.
 */
function march(end: number, step: (from: number) => number): number[] | null {
  const points = [0];
  while (points.at(-1)! < end) {
    if (points.length > MOST_STEPS) return null;
    points.push(points.at(-1)! + step(points.at(-1)!));
  }
  const stretch = end / points.at(-1)!;
  return points.map((point, i) => (i === points.length - 1 ? end : point * stretch));
}

/** Indices of points of the grid that are at most as far apart as allowed, or neighbours. */
export function sparser(values: readonly number[], widest: (from: number) => number): number[] {
  const chosen = [0];
  for (let i = 1; i < values.length; i++) {
    const from = values[chosen.at(-1)!]!;
    const next = values[i + 1];
    if (next === undefined || next - from > widest(from)) chosen.push(i);
  }
  return chosen;
}

/**
 * The largest of the integrals of (R_first - R_second)^2 / R_t over some values t of the others, by
 * midpoints.
 * @param density of an output under a value
 */
export function gainVariance(
  density: (output: number, value: number) => number,
  outputs: readonly [from: number, to: number],
  others: readonly number[],
): (first: number, second: number) => number {
  const [from, to] = outputs;
  const step = (to - from) / POINTS;
  const points = Array.from({ length: POINTS }, (_, i) => from + (i + 0.5) * step);
  return (first, second) => {
    const squares = points.map((y) => (density(y, first) - density(y, second)) ** 2);
    const variances = others.map((value) =>
      points.reduce((sum, y, i) => sum + squares[i]! / density(y, value), 0),
    );
    return step * Math.max(...variances);
  };
}

const POINTS = 200;
