/**
 * Looks of the sharp bound at a target, for calibrations of mechanisms for which an account takes seconds:
 * all at the target's epsilon, where an account looks for the epsilon, and each from the parameters that
 * served the one before.
 */
import { onceEach, provedInterval, Real, type Interval, type MechanismModel } from '@shuffle-dp/core';
import {
  certifiedDelta,
  certifiedEpsilon,
  logExcess,
  newLookMemory,
  sharpLook,
  type Excess,
} from '@shuffle-dp/accounting';

export interface LookedAt {
  /** Users of whom none colludes. */
  readonly users: number;
  readonly epsilon: number;
  readonly delta: number;
  /** At a value of the parameter. */
  readonly modelAt: (value: number) => MechanismModel;
  /** The blanket's divergence at an epsilon. */
  readonly quick: (value: number, epsilon: number) => number;
}

export interface TargetLooks {
  /**
   * About the logarithm of what epsilon is over the target; at most 0 exactly where the target is certified.
   */
  readonly excess: Excess;
  /** About the same of the proved lower end. */
  readonly lower: Excess;
  /** What is proved of epsilon: by the blanket where a few looks do not tell. */
  bracket(value: number): Interval;
  /** How many bounds were evaluated. */
  readonly looks: () => number;
}

/** An epsilon is tried this much further than Gaussian tails say, and this much more, and so many are. */
const [STEEPER, MARGIN, MOST_TRIED] = [2.5, 2e-3, 2];
/** Of divergences, from below. */
const LOWER_GAP = 1e-3;
/** Evaluations of the lower curve, and how closely its share is found, in logarithms. */
const [MOST_STEPS, CLOSE] = [8, 1e-4];

export function targetLooks({ users, epsilon, delta, modelAt, quick }: LookedAt): TargetLooks {
  const memory = newLookMemory();
  let count = 0;
  // A Gaussian tail falls so steeply in the logarithm of epsilon.
  const steepness = Math.max(1, -2 * Real.log(delta));
  const equalUsers = (value: number, at: number): number => {
    const { homogeneous } = modelAt(value).amplification;
    const equal = { variationRatio: null, blanket: [], homogeneous };
    return certifiedDelta(equal, users, at, { relativeGap: LOWER_GAP }).lower;
  };
  const upperDelta = (value: number, at: number): number => {
    count++;
    const { amplification, epsilon0 } = modelAt(value);
    if (at >= epsilon0) return 0;
    const sharp = sharpLook(amplification, { users, epsilon: at, delta, epsilon0 }, memory);
    return sharp <= delta ? sharp : Math.min(sharp, quick(value, at));
  };
  const logAtTarget = onceEach((value) => logExcess(upperDelta(value, epsilon), delta));
  const excess = (value: number): number => logAtTarget(value) / steepness;
  /** At this share of the target's epsilon the lower curve is where the upper one is at the target. */
  const shareAt = (value: number): number => {
    const goal = logAtTarget(value);
    let log = 0;
    for (let step = 0; step < MOST_STEPS; step++) {
      const above = logExcess(equalUsers(value, Real.exp(log) * epsilon), delta) - goal;
      const move = Math.min(0.7, Math.max(-0.7, above / steepness));
      log = Math.min(0, log + move);
      if (Math.abs(move) <= CLOSE) break;
    }
    return log;
  };
  const lower = (value: number): number => excess(value) + shareAt(value);
  const above = (value: number): number => {
    if (logAtTarget(value) <= 0) return epsilon;
    let at = epsilon * Real.exp(STEEPER * excess(value)) * (1 + MARGIN);
    for (let tried = 0; tried < MOST_TRIED; tried++, at *= 1 + 5 * MARGIN) {
      if (upperDelta(value, at) <= delta) return at;
    }
    const { amplification, epsilon0 } = modelAt(value);
    const { blanket } = amplification;
    const alone = { variationRatio: null, blanket, homogeneous: [] };
    return certifiedEpsilon(alone, users, delta, { epsilon0, relativeGap: LOWER_GAP }).upper;
  };
  const bracket = (value: number): Interval => {
    const { amplification, epsilon0 } = modelAt(value);
    const equal = { variationRatio: null, blanket: [], homogeneous: amplification.homogeneous };
    const below = certifiedEpsilon(equal, users, delta, { epsilon0, relativeGap: LOWER_GAP }).lower;
    return provedInterval(
      'epsilon',
      { name: 'equal users, F3', value: below },
      { name: 'the sharp bound or the blanket', value: above(value) },
    );
  };
  return { excess, lower, bracket, looks: () => count };
}
