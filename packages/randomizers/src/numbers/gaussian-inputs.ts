/**
 * Every pair of values and every value of the others for Gaussian noise of deviation 1 (docs/sharp-bound.md,
 * "Gaussian noise on a grid"). Values of the others and of the victim are averages of points of a grid with a
 * little less noise, or a little more mass; outputs are points of another grid, between which laws are
 * averages of their neighbours by the hyperbolic sine.
 */
import {
  integrateSmooth,
  keptByKey,
  normalTail,
  Real,
  type TypedInputs,
  type TypedPair,
} from '@shuffle-dp/core';
import {
  asShare,
  gainVariance,
  gradedGrid,
  gridPairs,
  sparser,
  type OthersOnGrid,
} from '../laws/value-grid.ts';
import { LEAST_DELTA_OF_NOISE } from '../laws/typed-inputs.ts';

/** An epsilon after shuffling, for a range of one deviation, that some ten thousand users have. */
const USUAL = 0.05;
/**
 * What users off the grid may reveal near the worst pair, and what the victim's grid may add to epsilon
 * there, relative to it: less where epsilon, per deviation of the range, is small, as what the bound leaves
 * open falls with it too.
 */
const [MOST_REVEALED, REVEALED] = [0.003, 0.011];
const [LEAST_ADDED, MOST_ADDED, ADDED] = [0.001, 0.006, 0.025];
/** Below this epsilon, per deviation of the range, the grid is worth more work: little else is left open. */
const [SMALL_EPSILON, MORE_WORK] = [0.0015, 2];
/** How much more others may reveal ever further from the worst pair, and at most anywhere. */
const [MORE_REVEALED, REVEALED_ANYWHERE] = [[1, 2, 4], 0.006];
/**
 * Where a value of the others is likelier by more than this than the least likely one, the rest is revealed.
 */
const MOST_LIKELIER = 40;
/** Outputs are covered so far beyond the range. */
const COVERED = 7.6;

/** @param width of the range of values, in deviations of the noise */
export function gaussianInputs(width: number): TypedInputs {
  const last = keptByKey<readonly TypedPair[]>(1);
  const pairsNear = (epsilon: number): readonly TypedPair[] =>
    last(epsilon, () => gaussianPairs(width, epsilon));
  return {
    get pairs() {
      return pairsNear(USUAL * width);
    },
    pairsNear,
    saysNothingFrom: saysNothingFrom(width),
    leastDelta: LEAST_DELTA_OF_NOISE,
  };
}

/**
 * Of ranges wider than this many deviations gains are so heavy that for larger epsilons the bound is not
 * below the blanket's: it says nothing from an epsilon on that falls by this rate.
 */
const [WIDE_RANGE, LARGEST_IF_WIDE, FALL] = [1.2, 0.12, 4];

function saysNothingFrom(width: number): number {
  return width > WIDE_RANGE ? LARGEST_IF_WIDE * Real.exp(-FALL * (width - WIDE_RANGE)) : Infinity;
}

/** None where the bound would not be below the blanket's, or they would be too many. */
function gaussianPairs(width: number, epsilon: number): TypedPair[] {
  if (epsilon >= saysNothingFrom(width)) return [];
  const middle = width / 2;
  const smallness = Math.sqrt(epsilon / width);
  const revealed = Math.min(MOST_REVEALED, REVEALED * smallness);
  const added = Math.min(MOST_ADDED, ADDED * smallness);
  const density = (output: number, value: number): number => Real.exp(-((output - value) ** 2) / 2);
  const grid = gradedGrid(width, epsilon, {
    firstCost: () => 1 / 8,
    secondCost: () => 1 / 8,
    variance: gainVariance(
      (output, value) => density(output, value) / Math.sqrt(2 * Math.PI),
      [-6, width + 6],
      [0, width / 2, width],
    ),
    // Narrow ranges have few values of the others, and so may have more of the victim's.
    added: Math.max(LEAST_ADDED, added * Math.min(1, width * width)),
    widest: Math.sqrt(8 * revealed),
    work: epsilon < SMALL_EPSILON * width ? MORE_WORK : 1,
  });
  if (grid === null) return [];
  const { values } = grid;
  const gaps = values.slice(1).map((value, i) => value - values[i]!);
  const lists = MORE_REVEALED.filter((more) => more * revealed <= REVEALED_ANYWHERE).map((more) => {
    const held = sparser(values, () => Math.sqrt(8 * revealed * more));
    const widest = Math.max(...held.slice(1).map((i, k) => values[i]! - values[held[k]!]!));
    return { held, deviation: narrower(widest) };
  });
  // All laws are multiples of the narrowest in the middle, by e^(slope y + bend y^2 / 2).
  const base = Math.min(...lists.map(({ deviation }) => deviation));
  const atoms = outputAtoms(width, base, epsilon);
  const law = (value: number, deviation: number): Float64Array => {
    const bend = 1 / base ** 2 - 1 / deviation ** 2;
    const slope = (value - middle) / deviation ** 2;
    const constant = Real.log(base / deviation) - (value - middle) ** 2 / (2 * deviation ** 2);
    return atoms.points.map((y, j) => atoms.masses[j]! * Real.exp(constant + slope * y + (bend * y * y) / 2));
  };
  const widestAt = (i: number): number => Math.max(gaps[i - 1] ?? 0, gaps[i] ?? 0);
  return gridPairs(grid, {
    first: values.map((value, i) => {
      const more = Real.exp(widestAt(i) ** 2 / 8);
      return law(value, 1).map((mass, j) => more * atoms.raised(j, value - middle) * mass);
    }),
    second: values.map((value, i) => {
      const deviation = narrower(widestAt(i));
      return law(value, deviation).map((mass) => deviation * mass);
    }),
    others: lists.map(({ held, deviation }): OthersOnGrid => {
      const whole = held.map((i) => law(values[i]!, deviation));
      const least = whole[0]!.map((_, j) => Math.min(...whole.map((own) => own[j]!)));
      const laws = whole.map((own) => own.map((mass, j) => Math.min(mass, MOST_LIKELIER * least[j]!)));
      const masses = laws.map((own) => own.reduce((sum, mass) => sum + mass, 0));
      return {
        values: held.map((i, k) => ({
          label: `others at ${asShare(values[i]!, values)} of the range`,
          own: laws[k]!.map((mass) => mass / masses[k]!),
        })),
        revealed: 1 - deviation * Math.min(1, ...masses),
      };
    }),
    uncovered: Real.exp(Math.max(...gaps) ** 2 / 8) * 2 * normalTail(COVERED),
  });
}

/**
 * The deviation of noise around the ends of a cell whose averages a law in the cell contains, but for 1 less
 * this deviation.
 */
export function narrower(cell: number): number {
  return Math.sqrt((1 + Math.sqrt(1 - cell * cell)) / 2);
}

interface OutputAtoms {
  /** From the middle of the range. */
  readonly points: Float64Array;
  /** What the base gives to each: its density between neighbours, weighted by the hyperbolic sines. */
  readonly masses: Float64Array;
  /**
   * By how much a law of deviation 1 around a value, counted from the middle, may be above the average of its
   * neighbours near a point.
   */
  raised(point: number, value: number): number;
}

/** @param epsilon about what the outputs' cells may add a small share to */
function outputAtoms(width: number, base: number, epsilon: number): OutputAtoms {
  const bend = 1 / base ** 2 - 1;
  // A cell adds an eighth of its squared width times the squared rate, in absolute terms.
  const close = Math.sqrt((8 * ADDED_BY_OUTPUTS * epsilon) / ((width / 2) ** 2 + bend));
  const points = outputPoints(width / 2 + COVERED, Math.min(CLOSE, Math.max(CLOSEST, close)));
  const cells = points.slice(1).map((to, i) => {
    const from = points[i]!;
    const furthest = Math.max(Math.abs(from), Math.abs(to));
    // The largest second derivative of a law over itself: of the base's deviation at an end of the range, of
    // more deviation anywhere in it.
    const slope = Math.max(width / 2 / base ** 2, width / 2 + bend * furthest);
    return { from, to, furthest, rate: Math.sqrt(slope * slope + bend) };
  });
  const masses = new Float64Array(points.length);
  const density = (y: number): number => Real.exp(-((y / base) ** 2) / 2) / (base * Math.sqrt(2 * Math.PI));
  cells.forEach(({ from, to, rate }, i) => {
    const across = Real.sinh(rate * (to - from));
    const part = (end: number): number =>
      integrateSmooth((y) => density(y) * Real.sinh(rate * Math.abs(end - y)), from, to, 16) / across;
    masses[i]! += part(to);
    masses[i + 1]! += part(from);
  });
  const raisedIn = ({ from, to, furthest, rate }: (typeof cells)[number], value: number): number => {
    const slope = Math.max(0, Math.abs(value) - bend * furthest);
    return averageDeficit(rate, slope, (to - from) / 2);
  };
  return {
    points: Float64Array.from(points),
    masses,
    raised: (j, value) =>
      Math.max(...[cells[j - 1], cells[j]].map((cell) => (cell === undefined ? 1 : raisedIn(cell, value)))),
  };
}

/**
 * Close to each other where most messages are, closer for small epsilons, to which cells may add this share.
 */
const [NEAR, CLOSE, WIDE] = [3.2, 0.09, 0.25];
const [CLOSEST, ADDED_BY_OUTPUTS] = [0.02, 0.003];

function outputPoints(reach: number, close: number): number[] {
  const near = Math.min(reach, NEAR);
  const inner = Math.ceil(near / close);
  const outer = Math.ceil((reach - near) / WIDE);
  const half = [
    ...Array.from({ length: inner }, (_, i) => ((i + 1) * near) / inner),
    ...Array.from({ length: outer }, (_, i) => near + ((i + 1) * (reach - near)) / outer),
  ];
  return [...half.map((y) => -y).toReversed(), 0, ...half];
}

/**
 * The most by which e^(slope y) is above what the hyperbolic sines of this rate, at least the slope, make of
 * its values at the ends of a cell of this half width.
 */
export function averageDeficit(rate: number, slope: number, half: number): number {
  if (slope >= rate) return 1;
  // Their ratio is cosh(slope h) / cosh(rate h) times e^(-slope z) (cosh(rate z) + b sinh(rate z)), least
  // where its logarithm, convex, is flat.
  const b = Real.atanh(Real.tanh(slope * half) / Real.tanh(rate * half));
  const z = Real.atanh(slope / rate);
  const least = (Real.exp((-slope / rate) * (z - b)) * Real.cosh(z)) / Real.cosh(b);
  return Real.cosh(rate * half) / Real.cosh(slope * half) / least;
}
