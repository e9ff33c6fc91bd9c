/** What many rounds of a mechanism certify at values of its parameter, for a calibration. */
import { onceEach, type Interval, type MechanismModel } from '@shuffle-dp/core';
import { certifiedDelta, logExcess, nearCompositions } from '@shuffle-dp/accounting';

/** What is certified at a value. */
export interface CertifiedValues {
  /** Its upper end, which may take less time than both. */
  readonly upper: (value: number) => number;
  /** About the upper end, seldom above it; null where that is no quicker. */
  readonly estimate?: (value: number) => number | null;
  readonly bracket: (value: number) => Interval;
  /** How many upper ends were evaluated; absent where each value is asked for by itself. */
  readonly looks?: () => number;
}

/**
 * Compositions that each begin with what served the one before. Null of a single round.
 *
 * @param models of the values, as accountants see them among `users` who hide
 */
export function calibratedRounds(
  models: (value: number) => MechanismModel,
  { users, delta, rounds }: { readonly users: number; readonly delta: number; readonly rounds: number },
): CertifiedValues | null {
  if (rounds === 1) return null;
  const near = nearCompositions({ delta });
  let looks = 0;
  const ends = onceEach((value) => {
    looks++;
    const { amplification, epsilon0 } = models(value);
    return near([{ amplification, epsilon0, users, count: rounds }]);
  });
  return {
    upper: onceEach((value) => ends(value).upper()),
    estimate: onceEach((value) => ends(value).estimate?.() ?? null),
    bracket: onceEach((value) => ends(value).bracket()),
    looks: () => looks,
  };
}

/**
 * How closely a calibration of rounds ends, in positions of the axis: less so where one composition takes
 * seconds, for its sharp bounds of many pairs of inputs or its outputs.
 */
export function composedTolerance({ amplification: { typed, blanket } }: MechanismModel): number {
  if (typed === undefined)
    return blanket.some(({ others }) => others.length > MANY_ATOMS) ? FAIR_TOLERANCE : TOLERANCE;
  const masses = typed.pairs[0]?.inputs.reduce((sum, { own }) => sum + own.length, 0) ?? 0;
  const isDear = typed.takesLong === true || typed.pairs.length > MANY_PAIRS || masses > MANY_MASSES;
  return isDear ? DEAR_TOLERANCE : TOLERANCE;
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
  { users, epsilon, delta }: { readonly users: number; readonly epsilon: number; readonly delta: number },
): number | null {
  if (amplification.typed === undefined || epsilon >= epsilon0) return null;
  const equal = { ...amplification, blanket: [] };
  return logExcess(certifiedDelta(equal, users, epsilon, { epsilon0, relativeGap: GUESS_GAP }).lower, delta);
}

/** It tells where a search begins. */
const GUESS_GAP = 1e-2;
