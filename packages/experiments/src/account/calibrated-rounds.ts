/** What many rounds of a mechanism show at values of its parameter, for a calibration. */
import { onceEach, Real, type MechanismModel, type TypedPair } from '@shuffle-dp/core';
import {
  calibrate,
  certifiedDelta,
  logExcess,
  roughUpperEnd,
  type CentralTarget,
} from '@shuffle-dp/accounting';
import type { ParameterAxis } from './parameter-axis.ts';

/** The upper end of many rounds at values of the parameter, roughly. */
export function estimatedRounds(
  models: (value: number) => MechanismModel,
  { users, delta, rounds }: { readonly users: number; readonly delta: number; readonly rounds: number },
): (value: number) => number {
  return onceEach((value) => {
    const { amplification, epsilon0 } = models(value);
    return roughUpperEnd([{ amplification, epsilon0, users, count: rounds }], { delta });
  });
}

/**
 * How closely a calibration of rounds ends, in positions of the axis: less so where one composition takes
 * seconds, for its sharp bounds of many pairs of inputs or its outputs.
 */
export function composedTolerance({ amplification: { typed, blanket } }: MechanismModel): number {
  if (typed === undefined)
    return blanket.some(({ others }) => others.length > MANY_ATOMS) ? FAIR_TOLERANCE : TOLERANCE;
  return typed.takesLong === true || isDear(typed.pairs) ? DEAR_TOLERANCE : TOLERANCE;
}

function isDear(pairs: readonly TypedPair[]): boolean {
  const masses = pairs[0]?.inputs.reduce((sum, { own }) => sum + own.length, 0) ?? 0;
  return pairs.length > MANY_PAIRS || masses > MANY_MASSES;
}

const [TOLERANCE, FAIR_TOLERANCE, DEAR_TOLERANCE] = [2e-4, 1e-3, 3e-3];
/** Of continuous outputs, whose blankets take a second where their tails are heavy. */
const MANY_ATOMS = 512;
/** Pairs of inputs, and masses of one pair's laws. */
const [MANY_PAIRS, MANY_MASSES] = [7, 5000];

/**
 * What one round shows of equal users, over a target in logarithms: where the sharp bound is known it is
 * near to that, and the blanket is not. Null where it is not known.
 */
export function equalUsersExcess(
  { amplification, epsilon0 }: MechanismModel,
  { users, epsilon, delta }: CentralTarget,
): number | null {
  if (amplification.typed === undefined || epsilon >= epsilon0) return null;
  const equal = { ...amplification, blanket: [] };
  return logExcess(certifiedDelta(equal, users, epsilon, { epsilon0, relativeGap: GUESS_GAP }).lower, delta);
}

/** It tells where a search begins. */
const GUESS_GAP = 1e-2;

/** Where a search begins, and about how fast the logarithm of epsilon grows with the position there. */
export interface Guess {
  readonly value: number;
  readonly slope?: number;
}

/**
 * Losses of independent rounds add up like their squares, and so do deltas at as many deviations.
 * @param excess of one round over a delta, in logarithms
 */
export function guessOfRounds(
  axis: ParameterAxis,
  excess: (value: number, epsilon: number, delta: number) => number,
  target: { readonly epsilon: number; readonly delta: number; readonly rounds: number },
  first: { readonly start: number; readonly step: number; readonly growth: number },
): Guess {
  const share = target.epsilon / Math.sqrt(target.rounds);
  const delta = target.delta / Math.sqrt(target.rounds);
  const quick = { ...first, excess: (value: number) => excess(value, share, delta) };
  const found = calibrate(axis, { ...quick, tolerance: GUESS_TOLERANCE });
  if (found === null) return { value: axis.valueAt(axis.mostPrivate) };
  // Along the curve on which delta stays what it is.
  const { value } = found;
  const here = excess(value, share, delta);
  const beside = Math.max(axis.mostPrivate, axis.positionOf(value) - GUESS_TOLERANCE);
  const morePrivate = excess(axis.valueAt(beside), share, delta);
  const growth = (here - morePrivate) / GUESS_TOLERANCE;
  const further = excess(value, share * (1 + GUESS_TOLERANCE), delta);
  const slope = (growth / (here - further)) * Real.log1p(GUESS_TOLERANCE);
  return slope > 0 && slope < Infinity ? { value, slope } : { value };
}

/** How closely the guess is looked for, in positions. */
const GUESS_TOLERANCE = 3e-2;
