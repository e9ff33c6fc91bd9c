/**
 * The largest local budget whose shuffled messages still meet a central target, for any single-message
 * randomizer.
 */
import {
  Real,
  requireInteger,
  requirePositive,
  requireProbability,
  searched,
  type AmplificationProfile,
} from '@shuffle-dp/core';
import type { Axis } from './axis.ts';
import { calibrate } from './calibrate.ts';
import { logExcess } from '../log-excess.ts';
import {
  messageDivergence,
  type AccountedMessage,
  type MessageAccounting,
  type SingleMessageAccounting,
} from './message-accounting.ts';
import { sharplyMet, type MetTarget } from './looks/sharp-calibration.ts';
import type { CentralTarget } from './looks/sharp-look.ts';

/** What calibration needs of a randomizer. */
export interface Amplified {
  readonly epsilon0: number;
  amplification(): AmplificationProfile;
}

/** @throws ParameterError */
function requireCentral(target: CentralTarget): CentralTarget {
  requireInteger('users', target.users, 1);
  requirePositive('epsilon', target.epsilon);
  requireProbability('delta', target.delta);
  return target;
}

/** Local budgets beyond this are no protection; the search ends here. */
const LARGEST_BUDGET = 30;
/** Laws of smaller ones leave the doubles. */
const SMALLEST_BUDGET = 1e-300;
/** Relative tolerance of the local budget; the result is on the private side. */
const TOLERANCE = 1e-5;
/** First search, in the logarithm of the budget. */
const STEP_UP = 0.35;
const STEP_FROM_GUESS = 0.02;
/** Of divergences, in a first search; where the gap asked for is wider there is none. */
export const ROUGH_GAP = 0.1;
/**
 * At epsilon0 = epsilon the divergence is zero and its logarithm of no use: the search begins this much
 * further.
 */
const NEAREST = 1e-3;

/**
 * The largest local budget, in nats, with which `make` gives central (epsilon, delta) after shuffling the
 * messages of `users` users, at least epsilon: shuffling never hurts. It is on the private side, within a
 * relative 1e-5. By 'blanket' it is certified by F2, which answers within milliseconds;
 * `calibratedLocalBudget` looks at the bounds that take longer.
 * @param relativeGap of divergences, as in `BlanketOptions`; a wider one leaves about a tenth of it of the
 * budget open besides
 * @throws ParameterError where the accounting is 'variation-ratio' and the randomizer has no published
 * parameters
 */
export function largestLocalBudget(
  make: (epsilon0: number) => Amplified,
  target: CentralTarget,
  accounting: MessageAccounting,
  relativeGap?: number,
): number {
  const { users, epsilon, delta } = requireCentral(target);
  const axis = budgetAxis(epsilon);
  const quick = {
    excess: (epsilon0: number) =>
      logExcess(messageDivergence(accounted(make(epsilon0)), users, epsilon, accounting, relativeGap), delta),
    start: axis.mostPrivate,
    step: STEP_UP,
    growth: 2,
    tolerance: searchTolerance(relativeGap),
  };
  return searched(
    `local budget ${users} ${epsilon} ${delta}`,
    () => calibrate(axis, { ...quick, ...guess() })?.value ?? epsilon,
  );

  /**
   * Where less is asked of the budget, divergences in wide brackets say about where it is. Else the pair of
   * the mechanism's own parameters is a thousand times quicker to evaluate, and its answer is mostly within a
   * percent.
   */
  function guess(): { readonly start: number; readonly step: number } | undefined {
    if (accounting !== 'blanket') return undefined;
    if (relativeGap !== undefined) {
      if (relativeGap >= ROUGH_GAP) return undefined;
      const rough = largestLocalBudget(make, target, accounting, ROUGH_GAP);
      return { start: Real.log(rough), step: ROUGH_GAP / 4 };
    }
    if (make(1).amplification().variationRatio === null) return undefined;
    const own = (epsilon0: number): Amplified => withOwnParameters(make(epsilon0));
    const value = largestLocalBudget(own, target, 'variation-ratio');
    return { start: Real.log(value) - STEP_FROM_GUESS / 2, step: STEP_FROM_GUESS };
  }
}

function accounted(randomizer: Amplified): AccountedMessage {
  return { epsilon0: randomizer.epsilon0, amplification: randomizer.amplification() };
}

function budgetAxis(epsilon: number): Axis {
  return {
    valueAt: Real.exp,
    mostPrivate: Real.log(Math.max(epsilon, SMALLEST_BUDGET)) + NEAREST,
    leastPrivate: Real.log(Math.max(LARGEST_BUDGET, 2 * epsilon)),
  };
}

/**
 * The largest local budget, in nats, that a few looks prove to meet the target by the least of all bounds,
 * and by which one. No smaller than by 'blanket'; mostly within a relative 1e-4 of the largest, a thousandth
 * for noise on a line, whose looks take long. Where the accounting is 'variation-ratio', what that published
 * bound meets, and `by` says nothing.
 * @param relativeGap of divergences by the blanket, as in `largestLocalBudget`
 * @throws ParameterError as `largestLocalBudget`
 */
export function calibratedLocalBudget(
  make: (epsilon0: number) => Amplified,
  target: CentralTarget,
  accounting: SingleMessageAccounting,
  relativeGap?: number,
): MetTarget {
  const { users, epsilon, delta } = requireCentral(target);
  if (accounting !== 'sharpest') {
    const value = largestLocalBudget(make, target, accounting, relativeGap);
    return { value, by: 'blanket' };
  }
  return searched(`sharpest local budget ${users} ${epsilon} ${delta}`, () => {
    const value = largestLocalBudget(make, target, 'blanket', relativeGap);
    if (value <= epsilon) return { value, by: 'blanket' };
    const messageAt = (epsilon0: number): AccountedMessage => accounted(make(epsilon0));
    const hints = relativeGap === undefined ? {} : { relativeGap };
    return sharplyMet(budgetAxis(epsilon), Real.log(value), messageAt, target, hints);
  });
}

/** Of a parameter's logarithm: finer than what the gap of divergences leaves open is of no use. */
export function searchTolerance(relativeGap = 0): number {
  return Math.max(TOLERANCE, relativeGap / 10);
}

/**
 * Without those that the literature prints instead, and without atoms, which are not looked at beside them.
 */
function withOwnParameters(randomizer: Amplified): Amplified {
  const { variationRatio } = randomizer.amplification();
  const amplification = { variationRatio, blanket: [], homogeneous: [] };
  return { epsilon0: randomizer.epsilon0, amplification: () => amplification };
}
