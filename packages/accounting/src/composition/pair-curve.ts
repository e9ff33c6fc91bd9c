/**
 * The curve e^epsilon -> delta of the shuffled variation-ratio pair, from all its outcomes (Wang, "Shuffle
 * Model of Differential Privacy: Numerical Composition for Federated Learning", 2025, section 6). Of m
 * messages in the two telling cells a speak for the victim's first input:
 *
 *   Pr = Bin(m; n, 2r) Bin(a; m, 1/2) times  P: (high a + low (m-a)) / (r n) + rest (n-m) / ((1-2r) n),
 *                                            Q: the same with a and m-a exchanged.
 *
 * Where we differ: the outcomes with a = 0 and those of infinite loss are there, and what the windows leave
 * out is bounded; the paper's algorithm drops all three.
 */
import { binomialPmf, Real, ROUNDOFF } from '@shuffle-dp/core';
import type { TellingCells } from '../variation-ratio/variation-ratio-asymmetric.ts';
import type { LatticeCurve } from './privacy-loss-distribution.ts';

/** Relative rounding errors of the sums of outcomes, with room. */
const ROUNDING = 2e-12;
/** Of P and of a knot times Q, relative, where one is taken from the other. */
const DIFFERENCE = 32 * ROUNDOFF;

/**
 * The curve at the losses 0, step, …, cells * step; the pair is symmetric. All outcomes are summed up, some
 * 4 log(4n/cut) n r sqrt(1-2r) of them; those left out have a mass of at most `cut`.
 */
export function pairCurve(
  law: TellingCells,
  users: number,
  step: number,
  cells: number,
  cut: number,
): LatticeCurve {
  const knots = Float64Array.from({ length: cells + 1 }, (_, j) => Real.exp(j * step));
  const excess = new Float64Array(cells + 1);
  const mass = new Float64Array(cells + 1);
  const infinite = addOutcomes(law, users, cut, { knots, excess, mass });

  const upper = new Float64Array(cells + 1);
  const lower = new Float64Array(cells + 1);
  const gap = new Float64Array(cells);
  let height = infinite + excess[cells]!;
  let beyond = mass[cells]!;
  for (let j = cells; ; j--) {
    // Where losses are small P and the knot times Q are nearly the same numbers, known to so much of
    // themselves.
    const rounding = height * ROUNDING + knots[j]! * beyond * DIFFERENCE;
    upper[j] = Math.min(1, height + rounding + cut);
    lower[j] = Math.min(1, Math.max(0, height - rounding));
    if (j === 0) break;
    const width = knots[j]! - knots[j - 1]!;
    // The outcomes of one cell, taken together, give the deepest curve between its ends.
    gap[j - 1] = excess[j - 1]! * Math.max(0, 1 - excess[j - 1]! / (mass[j - 1]! * width)) || 0;
    height += excess[j - 1]! + width * beyond;
    beyond += mass[j - 1]!;
  }
  return { upper, lower, gap, infinite: Math.min(1, infinite * (1 - ROUNDING)) };
}

/** About how many outcomes `pairCurve` sums up: the smaller the mass left out, the wider its windows. */
export function outcomeCount({ others0, othersRest }: TellingCells, users: number, cut: number): number {
  const telling = 2 * users * others0;
  const deviations = Math.sqrt(2 * Real.log((4 * users) / cut));
  const rows = 2 * deviations * Math.sqrt(telling * othersRest) + 1;
  return rows * ((deviations / 2) * Math.sqrt(telling) + 1);
}

/** Cells of the ratio of P to Q from one knot to the next; the last has no end. */
interface RatioCells {
  readonly knots: Float64Array;
  /** Of the outcomes whose ratio is in a cell: P - knot Q, and Q. */
  readonly excess: Float64Array;
  readonly mass: Float64Array;
}

/** Adds the outcomes with P >= Q to their cells and returns the mass of those with Q = 0. */
function addOutcomes(
  law: TellingCells,
  users: number,
  cut: number,
  { knots, excess, mass }: RatioCells,
): number {
  const { high, low, rest, others0: r, othersRest } = law;
  const telling = 2 * r;
  const perHigh = high / (r * users);
  const perLow = low / (r * users);
  const perRest = othersRest > 0 ? rest / (othersRest * users) : 0;
  // P is at most this times the weight of an outcome.
  const most = Math.max(high / r, othersRest > 0 ? rest / othersRest : 0);
  // Binomial masses fall away from the mode, so each omitted one is below the one where the window ends.
  const least = cut / (4 * most * users);
  const leastInRow = least / (users + 1);
  const lastCell = knots.length - 1;
  let infinite = 0;

  const addRow = (m: number, weight: number): void => {
    const base = perRest * (users - m);
    let a = Math.ceil(m / 2);
    let w = weight * binomialPmf(a, m, 0.5);
    let cell = 0;
    for (; a <= m && w > leastInRow; a++) {
      const b = m - a;
      const p = perHigh * a + perLow * b + base;
      const q = perHigh * b + perLow * a + base;
      if (q === 0) infinite += w * p;
      else {
        while (cell < lastCell && p >= knots[cell + 1]! * q) cell++;
        excess[cell] = excess[cell]! + w * Math.max(0, p - knots[cell]! * q);
        mass[cell] = mass[cell]! + w * q;
      }
      w *= b / (a + 1);
    }
  };

  if (othersRest === 0) {
    addRow(users, 1);
    return infinite;
  }
  // By the rarer of the two kinds, whose probability keeps its digits where the other one's rounds to 1.
  const weightOf = (m: number): number =>
    othersRest < 0.5 ? binomialPmf(users - m, users, othersRest) : binomialPmf(m, users, telling);
  const mode = Math.min(users, Math.floor((users + 1) * telling));
  for (const side of [1, -1])
    for (let m = side > 0 ? mode : mode - 1; m >= 0 && m <= users; m += side) {
      const weight = weightOf(m);
      if (weight <= least) break;
      addRow(m, weight);
    }
  return infinite;
}
