/**
 * Cells of pairs by how far the two values are from the ends of the range, so narrow that in none gains vary
 * more than at the ends. Any cells are valid: what is chosen here needs no proof.
 */
import { Real } from '@shuffle-dp/core';
import { equalCells } from '../laws/output-cells.ts';
import {
  lawsOf,
  pointMasses,
  squaredGains,
  totalOf,
  variance,
  type ExponentialNoise,
} from './exponential-noise.ts';

/**
 * Pairs whose first value lies from `first` to `firstInner`, and the second from `secondInner` to `second`.
 */
export interface PairCell {
  readonly first: number;
  readonly firstInner: number;
  readonly second: number;
  readonly secondInner: number;
  /** By what share of that at the ends of the range gains vary less in it, at least; below 0 where more. */
  readonly fall: number;
}

type Bounds = Omit<PairCell, 'fall'>;

/**
 * Both sides of the cell at the ends, over the range: wider in wide ranges, where leaving out the buffer
 * costs more elsewhere.
 */
const [FIRST_CELL, WIDE_FIRST_CELL, NARROW] = [0.006, 0.012, 1.5];
/**
 * What the variance of gains in a cell may be of that at the ends: more by so much, less by a share of what
 * it falls by without the cell's width.
 */
const [OF_THE_FALL, MOST_FALL] = [0.4, 0.15];
/** In wider ranges rare gains tell more than variances say. */
const [VERY_WIDE, OF_THE_FALL_THERE] = [5, 0.8];
/** The first of these with which there are not too many cells. */
const ADDED = [0.001, 0.003, 0.006, 0.012, 0.025, 0.05, 0.1, 0.2, 0.4];
const [MOST_CELLS, MOST_CUTS] = [90, 24];
/** Of wider ranges a cell takes longer. */
const [WIDE, FEWER_CELLS] = [2.5, 40];

/** For estimates of variances. */
const OUTPUTS = 60;

/**
 * All pairs that are further apart: the ends of the range first. Null where they would be too many, however
 * wide.
 * @param closely of wide ranges as many cells as of others: where users are many, bounds are close enough for
 * it to be seen
 */
export function pairCells(noise: ExponentialNoise, apart: number, closely: boolean): PairCell[] | null {
  for (const most of noise.width > WIDE && !closely ? [FEWER_CELLS, MOST_CELLS] : [MOST_CELLS]) {
    for (const added of ADDED) {
      const cells = coveringCells(noise, apart, added, most);
      if (cells !== null) return cells;
    }
  }
  return null;
}

/** Null where there are too many. */
function coveringCells(
  noise: ExponentialNoise,
  apart: number,
  added: number,
  mostCells: number,
): PairCell[] | null {
  const { width, isClipped } = noise;
  const [total, law] = [totalOf(noise), lawsOf(noise)];
  const points = equalCells(0, width, OUTPUTS);
  const masses = pointMasses(points, isClipped);
  const largest = ({ first, firstInner, second, secondInner }: Bounds): number => {
    const squares = squaredGains(points, masses, law(first), law(second));
    const ofBeyond = (value: number, end: number): number => {
      const seen = Real.exp(-Math.abs(end - value)) / total(end);
      const beyond = (y: number): number => seen * Real.exp(-Math.abs(y - value));
      return variance(points, squares, beyond);
    };
    return Math.max(
      ofBeyond(firstInner, 0),
      ofBeyond(secondInner, width),
      ...[0, 0.2, 0.4, 0.6, 0.8, 1].map((at) =>
        variance(points, squares, law(firstInner + at * (secondInner - firstInner))),
      ),
    );
  };
  const ofTheFall = width > VERY_WIDE ? OF_THE_FALL_THERE : OF_THE_FALL;
  const small = (width <= NARROW ? FIRST_CELL : WIDE_FIRST_CELL) * width;
  const ends = { first: 0, firstInner: small, second: width, secondInner: width - small, fall: 0 };
  const atEnds = largest({ first: 0, firstInner: 0, second: width, secondInner: width });
  const cells: PairCell[] = [];
  // At an end of the range cells are small: the first cut comes soon.
  const cutOf = (side: number, atEnd: boolean): number =>
    atEnd && side > small ? Math.max(small, side / 4) : side / 2;
  let isTooMany = false;
  const cover = (cell: Bounds, depth: number): void => {
    const { first, firstInner, second, secondInner } = cell;
    isTooMany ||= cells.length > mostCells || depth > MOST_CUTS;
    if (isTooMany || second - first <= apart) return;
    if (firstInner <= small && secondInner >= width - small) return;
    const [left, right] = [firstInner - first, second - secondInner];
    const hasBothEnds = first === 0 && second === width;
    if (firstInner <= secondInner && !hasBothEnds) {
      const corner = largest({ first, firstInner: first, second, secondInner: second });
      const fall = 1 - corner / atEnds;
      const most = atEnds * (1 + added - ofTheFall * Math.min(MOST_FALL, fall));
      const ofCell = largest(cell);
      if (ofCell <= most) {
        cells.push({ ...cell, fall: 1 - ofCell / atEnds });
        return;
      }
    }
    if (left >= right) {
      const cut = first + cutOf(left, first === 0);
      cover({ ...cell, firstInner: cut }, depth + 1);
      cover({ ...cell, first: cut }, depth + 1);
    } else {
      const cut = second - cutOf(right, second === width);
      cover({ ...cell, secondInner: cut }, depth + 1);
      cover({ ...cell, second: cut }, depth + 1);
    }
  };
  cover({ first: 0, firstInner: width, second: width, secondInner: 0 }, 0);
  if (isTooMany) return null;
  // The rest holds at what the worst of them allow.
  return [ends, ...cells.toSorted((a, b) => a.fall - b.fall)];
}
