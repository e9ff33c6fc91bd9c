/**
 * The epsilon of a delta where one certified evaluation is a sum of millions of terms, and an estimate is
 * not.
 */
import { exactly, interval, Real, type Interval } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';

/**
 * How far an estimate's root is moved to either side, in log delta, beyond what certified evaluations say.
 */
const MARGIN = 2e-12;
/** Where brackets are wider, their width differs a hair away by this much of itself. */
const [WIDE, WAVER] = [1e-7, 0.02];

/**
 * A search on estimates of log delta, then certified evaluations a hair to either side of its root. Null
 * where the estimates mislead; the plain search then decides.
 */
export function concludedSearch(
  logEstimate: (epsilon: number) => number,
  profile: (epsilon: number) => Interval,
  delta: number,
): Interval | null {
  let isLost = false;
  const guess = epsilonAtDelta((epsilon) => {
    const log = logEstimate(epsilon);
    isLost ||= Number.isNaN(log);
    return exactly(isLost ? 0 : Real.exp(Math.min(0, log)));
  }, delta).upper;
  if (isLost || guess === 0 || guess === Infinity) return null;
  return nextTo(guess, logEstimate, profile, delta) ?? around(guess, profile, delta);
}

/** By the slope there, where the estimate is right to many digits. */
function nextTo(
  guess: number,
  logEstimate: (epsilon: number) => number,
  profile: (epsilon: number) => Interval,
  delta: number,
): Interval | null {
  const step = 1e-5 * guess;
  const steepness = (logEstimate(guess - step) - logEstimate(guess + step)) / (2 * step);
  if (!(steepness > 0)) return null;
  const there = profile(guess);
  const target = Real.log(delta);
  const width = there.upper / there.lower - 1;
  const margin = width > WIDE ? WAVER * width : MARGIN;
  const upper = guess + (Real.log(there.upper) - target + margin) / steepness;
  const lower = guess + (Real.log(there.lower) - target - margin) / steepness;
  if (!(lower > 0 && upper < Infinity)) return null;
  if (!(profile(upper).upper <= delta && profile(lower).lower > delta)) return null;
  return interval(lower, upper);
}

/** Where the estimate is right to a few digits only. */
function around(guess: number, profile: (epsilon: number) => Interval, delta: number): Interval | null {
  for (const distance of [1e-8, 1e-6, 1e-4, 1e-2]) {
    const lower = guess * (1 - distance);
    const upper = guess * (1 + distance);
    if (profile(upper).upper <= delta && profile(lower).lower > delta) return interval(lower, upper);
  }
  return null;
}
