/**
 * The closed forms of the privacy blanket: Balle, Bell, Gascón and Nissim, "The Privacy Blanket of the
 * Shuffle Model" (CRYPTO 2019, arXiv 1903.02837). Each of the n users sends, with probability gamma, a
 * message of the blanket, which is the same for all; delta is (1/(gamma n)) E (L_1 + … + L_M)_+ for M ~
 * Bin(n, gamma) of them, with the independent losses L = (R_0 - e^eps R_1) / blanket of mean 1 - e^eps.
 * Hoeffding's and Bennett's inequalities bound the sum.
 *
 * Generic: any epsilon0-LDP randomizer. Specific: the losses of the mechanism at hand, from its blanket
 * atoms. Our Bennett bound is uncentred (it uses E L^2, not the variance), for which L <= bPlus suffices.
 */
import {
  interval,
  log1pMinus,
  Real,
  type Interval,
  type LikelihoodAtoms,
  type Target,
  ROUNDOFF,
} from '@shuffle-dp/core';
import { extremeLosses } from '../blanket/cell-ends.ts';
import { bothOrders } from '../blanket/privacy-blanket.ts';
import { epsilonAtDelta } from '../privacy-profile.ts';
import {
  condition,
  shown,
  soundBound,
  underConditions,
  type BoundValue,
  type Condition,
  type PublishedBound,
  type ShuffleSetting,
} from './published-bound.ts';

/** What the inequalities need of the loss L at one epsilon. */
export interface BlanketMoments {
  /** Probability that a message comes from the blanket. */
  readonly gamma: number;
  /** At least max L. */
  readonly largest: number;
  /** At least max L - min L. */
  readonly range: number;
  /** At least E L^2 under the blanket. */
  readonly secondMoment: number;
}

/** Upper bound of delta(epsilon) by Hoeffding's inequality, for epsilon > 0. Far out it underflows. */
export function hoeffdingDelta({ gamma, range }: BlanketMoments, users: number, epsilon: number): number {
  const a = Real.expm1(epsilon);
  const perMessage = -Real.expm1((-2 * a * a) / (range * range));
  return (range * range * Real.exp(users * Real.log1p(-gamma * perMessage))) / (4 * a * gamma * users);
}

/**
 * Upper bound of delta(epsilon) by Bennett's inequality, for epsilon > 0 and a positive loss. Far out it
 * underflows.
 */
export function bennettDelta(moments: BlanketMoments, users: number, epsilon: number): number {
  const { gamma, largest, secondMoment } = moments;
  const u = (Real.expm1(epsilon) * largest) / secondMoment;
  const exponent = (secondMoment / (largest * largest)) * bennettFunction(u);
  return (largest * blanketTransform(gamma, users, exponent)) / (gamma * users * Real.log1p(u));
}

/** (1 + u) log(1 + u) - u, of terms that hardly cancel. */
function bennettFunction(u: number): number {
  return u * Real.log1p(u) + log1pMinus(u);
}

/**
 * E over M >= 1 of e^(-M exponent) for M ~ Bin(users, gamma): a difference of powers, taken without
 * cancellation.
 */
function blanketTransform(gamma: number, users: number, exponent: number): number {
  if (gamma >= 1) return Real.exp(-users * exponent);
  const none = users * Real.log1p(-gamma);
  const ratio = users * Real.log1p((gamma * Real.exp(-exponent)) / (1 - gamma));
  return ratio < 1 ? Real.exp(none) * Real.expm1(ratio) : Real.exp(none + ratio) - Real.exp(none);
}

/** Any epsilon0-LDP randomizer. */
function genericMoments(epsilon0: number, epsilon: number): BlanketMoments {
  const p = Real.exp(epsilon0);
  const growth = Real.exp(epsilon);
  // Differences of numbers that are near 1 at a small budget, by what they exceed 1 by:
  // p - e^eps/p, (e^eps + 1)(p - 1/p) and p (e^(2 eps) + 1) - 2 e^eps/p^3.
  const excess = Real.expm1(epsilon);
  return {
    gamma: 1 / p,
    largest: Real.expm1(epsilon0) - Real.expm1(epsilon - epsilon0),
    range: (growth + 1) * 2 * Real.sinh(epsilon0),
    secondMoment: p * excess * excess + 2 * growth * (Real.expm1(epsilon0) - Real.expm1(-3 * epsilon0)),
  };
}

/** Of the atoms' masses, relative: their differences are known to so much of their sums. */
const ROUNDING = 4 * ROUNDOFF;

/** The moments of one direction, victim0 against victim1, from blanket atoms; cells by their worse end. */
function momentsOfAtoms(atoms: LikelihoodAtoms, epsilon: number): BlanketMoments | null {
  const growth = Real.exp(epsilon);
  const { victim0: first, victim1: second, others, cellEnds } = atoms;
  let gamma = 0;
  let largest = -Infinity;
  let smallest = Infinity;
  let squares = 0;
  for (let i = 0; i < others.length; i++) {
    const w = others[i]!;
    if (w === 0) {
      if (first[i]! + second[i]! > 0) return null;
      continue;
    }
    gamma += w;
    let high = (first[i]! - growth * second[i]!) / w;
    let low = high;
    const rounding = (ROUNDING * (first[i]! + growth * second[i]!)) / w;
    if (cellEnds) [low, high] = extremeLosses(cellEnds, i, growth);
    high += rounding;
    low -= rounding;
    largest = Math.max(largest, high);
    smallest = Math.min(smallest, low);
    squares += w * Math.max(low * low, high * high);
  }
  // Losses are relative to the normalised blanket.
  return {
    gamma: Math.min(1, gamma),
    largest: largest * gamma,
    range: (largest - smallest) * gamma,
    secondMoment: squares * gamma,
  };
}

export type Inequality = (moments: BlanketMoments, users: number, epsilon: number) => number;

/** Outward by more than the rounding of these formulas. */
const OUTWARD = 1 + 1e-11;

/**
 * What an inequality says of the divergence: 0 only where no loss is positive. A bound that underflows says
 * that the divergence is small, not that it is 0, and one that is not a number says nothing.
 */
export function boundBy(
  inequality: Inequality,
  moments: BlanketMoments | null,
  users: number,
  epsilon: number,
): number {
  if (moments === null || !(epsilon > 0)) return 1;
  if (moments.largest <= 0) return 0;
  const value = inequality(moments, users, epsilon) * OUTWARD;
  return value >= 0 ? Math.min(1, Math.max(value, Number.MIN_VALUE)) : 1;
}

function at(
  conditions: readonly Condition[],
  delta: (epsilon: number) => number,
  target: Target,
  epsilonMax: number,
): BoundValue {
  const profile = (epsilon: number): Interval => interval(0, delta(epsilon));
  return underConditions(conditions, () =>
    'epsilon' in target
      ? profile(target.epsilon).upper
      : epsilonAtDelta(profile, target.delta, { epsilonMax, relativeTolerance: 1e-12 }).upper,
  );
}

function generic(name: string, label: string, inequality: Inequality): PublishedBound {
  const source = `Balle et al. 2019, ${label}, any randomizer`;
  return soundBound({ name, source, citation: 'bbgn2019' }, ({ users, epsilon0 }, target) =>
    at(
      [condition('a finite epsilon0', `epsilon0 = ${shown(epsilon0)}`, epsilon0 < Infinity)],
      (epsilon) =>
        epsilon >= epsilon0 ? 0 : boundBy(inequality, genericMoments(epsilon0, epsilon), users, epsilon),
      target,
      epsilon0,
    ),
  );
}

function specific(name: string, label: string, inequality: Inequality): PublishedBound {
  const source = `Balle et al. 2019, ${label}, this randomizer's blanket`;
  return soundBound({ name, source, citation: 'bbgn2019' }, (setting, target) =>
    at(
      specificConditions(setting),
      (epsilon) => specificDelta(setting, inequality, epsilon),
      target,
      Number.isFinite(setting.epsilon0) ? setting.epsilon0 : 700,
    ),
  );
}

function specificConditions({ amplification: { blanket } }: ShuffleSetting): readonly Condition[] {
  const covered = blanket.every((atoms) => momentsOfAtoms(atoms, 0) !== null);
  return [
    condition('a known blanket', `classes of victim pairs: ${blanket.length}`, blanket.length > 0),
    condition('a blanket that covers every output', covered ? 'it does' : 'some output has none', covered),
  ];
}

function specificDelta(
  { amplification, users, epsilon0 }: ShuffleSetting,
  inequality: Inequality,
  epsilon: number,
): number {
  if (epsilon >= epsilon0) return 0;
  let worst = 0;
  for (const atoms of amplification.blanket) {
    for (const direction of bothOrders(atoms)) {
      const moments = momentsOfAtoms(direction, epsilon);
      worst = Math.max(worst, boundBy(inequality, moments, users, epsilon));
    }
  }
  return worst;
}

export const blanketBounds: readonly PublishedBound[] = [
  generic('blanket-hoeffding-generic', 'Hoeffding', hoeffdingDelta),
  generic('blanket-bennett-generic', 'Bennett', bennettDelta),
  specific('blanket-hoeffding', 'Hoeffding', hoeffdingDelta),
  specific('blanket-bennett', 'Bennett', bennettDelta),
];
