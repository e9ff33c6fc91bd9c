/**
 * Every pair of values and every value of the others for noise of density e^-|z| around the value: Laplace
 * noise, or Clip-Laplace, conditioned on the range (docs/sharp-bound.md, "Pairs of noise move outwards").
 * Pairs are told apart by how far the two values are from the ends of the range, in cells: gains are those of
 * the furthest pair of a cell, while others outside of the closest one count as the closest value, the rest
 * of their law hidden. Values that are close to each other are left to the blanket.
 *
 * Outputs are points: between two neighbours all laws are multiples of e^y or of e^-y, or averages by the
 * hyperbolic sine of what they are at both.
 */
import { Real, type OtherInput, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { exponentialGridPairs } from './exponential-grid.ts';
import { closePairs } from './close-values.ts';
import { equalCells } from '../laws/output-cells.ts';
import { LEAST_DELTA_OF_NOISE } from '../laws/typed-inputs.ts';
import {
  inOrder,
  lawsOf,
  pointMasses,
  share,
  totalOf,
  type Density,
  type ExponentialNoise,
} from './exponential-noise.ts';
import type { PairCell } from './pair-cells.ts';
import { pairLayout } from './pair-layout.ts';

/** Of wider ranges cells of pairs are too coarse. */
const WIDEST = 8;
/**
 * On the line, for ranges at least so wide and epsilons of at least this share of them, a grid of pairs is
 * closer.
 */
const [WIDE_ENOUGH, LARGE_EPSILON] = [2.5, 0.03];
/**
 * For epsilons below this share of a wide range cells are as small as in others: at larger ones few users
 * leave more open than cells do.
 */
const SMALL_EPSILON = 0.01;

/** Undefined for ranges that are too wide. */
export function exponentialInputs(noise: ExponentialNoise): TypedInputs | undefined {
  return noise.width > WIDEST ? undefined : inputsOnGrids(noise, USUAL_GRIDS);
}

function inputsOnGrids(noise: ExponentialNoise, grids: Grids): TypedInputs | undefined {
  const { width, isClipped } = noise;
  const layout = pairLayout(noise, false);
  if (layout.cells === null) return undefined;
  const pairsNear = (epsilon: number): readonly TypedPair[] => {
    if (epsilon < SMALL_EPSILON * width) {
      const { cells, apart } = pairLayout(noise, true);
      if (cells !== null && apart <= layout.apart) return outwardPairs(noise, cells, CLOSE_GRIDS);
    }
    if (isClipped || epsilon < LARGE_EPSILON * width) return typed.pairs;
    const onGrid = exponentialGridPairs(noise, epsilon);
    return onGrid.length > 0 ? onGrid : typed.pairs;
  };
  let pairs: readonly TypedPair[] | undefined;
  const takesLong = width > LONG_FROM;
  const typed: TypedInputs = {
    takesLong,
    leastDelta: LEAST_DELTA_OF_NOISE,
    ...(takesLong && grids === USUAL_GRIDS && { sparser: () => inputsOnGrids(noise, SPARSE_GRIDS)! }),
    get pairs() {
      return (pairs ??= outwardPairs(noise, layout.cells!, grids));
    },
    rest: closePairs(noise, layout.apart).blankets,
    ...(width > WIDE_ENOUGH && { pairsNear }),
  };
  return typed;
}

/** Ranges from which on a bound takes a second. */
const LONG_FROM = 1.5;

/** What users off the grid may reveal, for a width up to the second. */
type Grid = readonly [revealed: number, upTo: number];

/** Where pairs are the ends of the range, and elsewhere. */
interface Grids {
  readonly ofEnds: Grid;
  readonly ofOthers: Grid;
  /** More where gains vary less: such a share of what they fall by. */
  readonly ofTheFall: number;
}

const CLOSE_GRIDS: Grids = { ofEnds: [0.001, 2], ofOthers: [0.0025, 2.5], ofTheFall: 0.15 };
const USUAL_GRIDS: Grids = { ofEnds: [0.001, 2], ofOthers: [0.004, 2.5], ofTheFall: 0.2 };
const SPARSE_GRIDS: Grids = { ofEnds: [0.004, 2], ofOthers: [0.01, 2.5], ofTheFall: 0.4 };
/** At most, wherever. */
const MOST_REVEALED = 0.02;

/** Between points that stand for outputs, at most. */
const [OUTPUT_SPACING, FEWEST_OUTPUTS] = [0.1, 24];

function outwardPairs(
  noise: ExponentialNoise,
  cells: readonly PairCell[],
  { ofEnds, ofOthers, ofTheFall }: Grids,
): TypedPair[] {
  const { width, isClipped } = noise;
  const [total, law] = [totalOf(noise), lawsOf(noise)];
  const outputs = equalCells(0, width, Math.max(FEWEST_OUTPUTS, Math.ceil(width / OUTPUT_SPACING)));
  const gridOf = ([revealed, upTo]: Grid): number[] => {
    const spacing = Math.sqrt(4 * revealed * Math.max(1, width / upTo) * total(0));
    return equalCells(0, width, 2 * Math.ceil(width / spacing / 2));
  };
  return cells.map(({ first, firstInner, second, secondInner, fall }, place): TypedPair => {
    const isWorst = place === 0;
    const [least, upTo] = ofOthers;
    const more = Math.max(least, Math.min(MOST_REVEALED, ofTheFall * fall));
    const grid = gridOf(isWorst ? ofEnds : [more, upTo]);
    const inside = grid.filter((value) => value > firstInner && value < secondInner);
    const points = inOrder([...outputs, first, firstInner, ...inside, secondInner, second]);
    const masses = pointMasses(points, isClipped);
    const column = (density: Density): Float64Array => masses.map((mass, k) => mass * density(points[k]!));
    const beyond = (value: number, end: number): { own: Float64Array; hidden: number } => {
      const seen = (Real.exp(-Math.abs(end - value)) * total(value)) / total(end);
      return { own: column((y) => seen * law(value)(y)), hidden: Math.max(0, 1 - seen) };
    };
    const others = [
      { at: firstInner, ...beyond(firstInner, 0) },
      ...inside.map((value) => ({ at: value, own: column(law(value)), hidden: 0 })),
      { at: secondInner, ...beyond(secondInner, width) },
    ];
    const shared = {
      victim0: column(law(first)),
      victim1: column(law(second)),
      blanket: masses.map((_, y) => others.reduce((least, { own }) => Math.min(least, own[y]!), 1)),
      buffer: isWorst
        ? {
            victim0: column(largestOf(first, firstInner, total, points)),
            victim1: column((y) => Math.min(law(second)(y), law(secondInner)(y))),
          }
        : null,
    };
    const widest = grid[1]! - grid[0]!;
    return {
      label: isWorst
        ? 'the ends of the range'
        : `values from ${share(first, width)} and ${share(second, width)} of the range inwards`,
      inputs: others.map(({ at, own, hidden }): OtherInput => ({
        label: `others at ${share(at, width)} of the range`,
        ...shared,
        own,
        ...(hidden > 0 && { hidden }),
      })),
      symmetric: true,
      revealed: (2 * (1 - 1 / Real.cosh(widest / 2))) / total(0),
    };
  });
}

/** The largest density over the values of a cell, from above. */
function largestOf(
  from: number,
  to: number,
  total: (value: number) => number,
  points: readonly number[],
): Density {
  const inner = points.filter((point) => point >= from && point <= to);
  const widest = Math.max(...inner.slice(1).map((point, k) => point - inner[k]!));
  const most = Real.cosh(widest / 2) / Math.min(total(from), total(to));
  return (y) => {
    if (y < from) return Real.exp(y - from) / total(from);
    if (y > to) return Real.exp(to - y) / total(to);
    return most;
  };
}
