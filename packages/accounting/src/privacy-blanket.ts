/**
 * The divergence after shuffling against a blanket (docs/soundness.md, formula F1). With slots that each show an atom y
 * with mass W(y), and nothing otherwise, and the victim's message hidden among them,
 *
 *   D = (1/n) E[(G_1 + … + G_n)_+] + sum over W(y) = 0 of (P(y) - e^eps Q(y))_+,
 *   G = (P(y) - e^eps Q(y)) / W(y) with probability W(y), 0 otherwise.
 *
 * With W the pointwise infimum over all inputs this is an upper bound for every data set (B. Balle, J. Bell, A. Gascon,
 * K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO 2019; F2). With W the law of one input it is the exact
 * divergence of the data set whose other users all hold that input, hence a lower bound (F3).
 *
 * Upper end: each value of G is split onto two lattice points with its mean kept, which can only raise the expectation of a
 * convex function of the sum. Lower end: a test. Atoms get integer scores, the sum of scores is a post-processing, and
 * its two laws are computed exactly. Both are tilted so that the tail keeps its relative accuracy.
 */
import {
  interval,
  requireInteger,
  requireNonNegative,
  type Interval,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { expectedPositiveSum } from './expected-positive-sum.ts';
import { scoreTestDivergence } from './score-test.ts';

export interface BlanketOptions {
  /** Lattice steps per standard deviation of one (tilted) loss; default 64. More is tighter and slower. */
  readonly resolution?: number;
  /** Which ends are wanted; the other is 0 or 1. Default both. */
  readonly ends?: 'both' | 'upper' | 'lower';
}

/** One value of G with its probability. */
export interface LossAtom {
  readonly value: number;
  readonly probability: number;
}

/**
 * Bracket of the divergence F1 of these atoms for `users` users in all, the larger of both directions.
 * @throws ParameterError
 */
export function blanketDivergence(
  atoms: LikelihoodAtoms,
  users: number,
  epsilon: number,
  options: BlanketOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  const forward = oneDirection(atoms, users, epsilon, options);
  if (atoms.symmetric) return forward;
  const backward = oneDirection(exchanged(atoms), users, epsilon, options);
  return interval(Math.max(forward.lower, backward.lower), Math.max(forward.upper, backward.upper));
}

function oneDirection(
  atoms: LikelihoodAtoms,
  users: number,
  epsilon: number,
  { resolution = 64, ends = 'both' }: BlanketOptions,
): Interval {
  const expEpsilon = Math.exp(epsilon);
  const uncovered = uncoveredExcess(atoms, expEpsilon);
  const upper =
    ends === 'lower'
      ? 1
      : Math.min(
          1,
          uncovered * (1 + 1e-12) +
            expectedPositiveSum(lossAtoms(atoms, expEpsilon), users, resolution) / users,
        );
  if (ends === 'upper') return interval(0, upper);
  const lower = scoreTestDivergence(atoms, users, expEpsilon, resolution);
  return interval(Math.min(lower, upper), upper);
}

/** What the victim shows on atoms that nobody else ever shows. */
function uncoveredExcess({ victim0, victim1, others }: LikelihoodAtoms, expEpsilon: number): number {
  let excess = 0;
  for (let y = 0; y < others.length; y++) {
    if (others[y] === 0) excess += Math.max(0, victim0[y]! - expEpsilon * victim1[y]!);
  }
  return excess;
}

/** The law of G; cells of continuous outputs are split onto the values at their ends, mass and mean kept. */
function lossAtoms(atoms: LikelihoodAtoms, expEpsilon: number): LossAtom[] {
  const { victim0, victim1, others, cellEnds } = atoms;
  const losses: LossAtom[] = [];
  let covered = 0;
  for (let y = 0; y < others.length; y++) {
    const w = others[y]!;
    if (w === 0) continue;
    covered += w;
    const mean = (victim0[y]! - expEpsilon * victim1[y]!) / w;
    if (!cellEnds) {
      losses.push({ value: mean, probability: w });
      continue;
    }
    const start = cellEnds.ratio0Start[y]! - expEpsilon * cellEnds.ratio1Start[y]!;
    const end = cellEnds.ratio0End[y]! - expEpsilon * cellEnds.ratio1End[y]!;
    const low = Math.min(start, end, mean);
    const high = Math.max(start, end, mean);
    const share = high > low ? (mean - low) / (high - low) : 1;
    if (share < 1) losses.push({ value: low, probability: w * (1 - share) });
    if (share > 0) losses.push({ value: high, probability: w * share });
  }
  if (covered < 1) losses.push({ value: 0, probability: 1 - covered });
  return losses;
}

function exchanged(atoms: LikelihoodAtoms): LikelihoodAtoms {
  const { victim0, victim1, cellEnds } = atoms;
  return {
    ...atoms,
    victim0: victim1,
    victim1: victim0,
    ...(cellEnds && {
      cellEnds: {
        ratio0Start: cellEnds.ratio1Start,
        ratio0End: cellEnds.ratio1End,
        ratio1Start: cellEnds.ratio0Start,
        ratio1End: cellEnds.ratio0End,
      },
    }),
  };
}
