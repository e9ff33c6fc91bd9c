/** Two-sided confidence intervals, and Student's quantile that one of them needs. */
import { requireInteger, requireProbability } from '../arguments.ts';
import { interval, type Interval } from '../interval.ts';
import { logBinomialLowerTail, logBinomialTail } from '../numeric/binomial-distribution.ts';
import { regularizedIncompleteBeta } from '../numeric/incomplete-beta.ts';
import { normalQuantile } from '../numeric/normal-distribution.ts';
import { bracketRoot } from '../numeric/root.ts';
import { keptByKey } from '../once-each.ts';
import type { RunningMoments } from './running-moments.ts';

/** The few that the cells of a run ask for. */
const quantiles = keptByKey<number>();

/**
 * The t with Pr[T <= t] = p for Student's law; libraries' tables stop at 30 degrees.
 * @throws ParameterError unless p is in (0, 1) and degrees an integer of at least 1
 * @example studentQuantile(0.975, 10) // 2.22814
 */
export function studentQuantile(p: number, degrees: number): number {
  requireProbability('p', p);
  requireInteger('degrees', degrees, 1);
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  return quantiles(`${p} ${degrees}`, () => {
    const tail = (t: number): number =>
      0.5 * regularizedIncompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5);
    let high = Math.max(2, 2 * normalQuantile(p));
    while (tail(high) > 1 - p) high *= 2;
    return bracketRoot((t) => 1 - p - tail(t), 0, high, { relativeTolerance: 1e-13 }).upper;
  });
}

/** Of two-sided intervals at 95 %. */
export const UPPER_QUANTILE = 0.975;

/**
 * Student's interval of the mean at 95 %; the whole line for fewer than two values.
 *
 * @example meanConfidenceInterval([1, 2, 3].reduce((all, x) => (all.add(x), all), new RunningMoments())) // { lower: -0.484138, upper: 4.48414 }
 */
export function meanConfidenceInterval(moments: RunningMoments): Interval {
  if (moments.count < 2) return { lower: -Infinity, upper: Infinity };
  const half = studentQuantile(UPPER_QUANTILE, moments.count - 1) * moments.standardError;
  return interval(moments.mean - half, moments.mean + half);
}

/** Down to neighbouring doubles: beside 1 the tail moves by n times what the end moves. */
const EVERY_DIGIT = { relativeTolerance: 0 };

/**
 * The exact interval of a proportion (C. J. Clopper and E. S. Pearson, Biometrika 26, 1934): covers with at
 * least the stated confidence, the ends rounded outward. @throws ParameterError unless 0 <= successes <=
 * trials, trials >= 1
 *
 * @example clopperPearsonInterval(0, 100) // { lower: 0, upper: 0.0362167 }
 */
export function clopperPearsonInterval(successes: number, trials: number, confidence = 0.95): Interval {
  requireInteger('trials', trials, 1);
  requireInteger('successes', successes, 0, trials);
  requireProbability('confidence', confidence);
  if (confidence === 1) return interval(0, 1);
  const target = Math.log((1 - confidence) / 2);
  const share = successes / trials;
  const lower =
    successes === 0
      ? 0
      : bracketRoot((p) => logBinomialTail(successes, trials, p) - target, 0, share, EVERY_DIGIT).lower;
  const upper =
    successes === trials
      ? 1
      : bracketRoot((p) => target - logBinomialLowerTail(successes, trials, p), share, 1, EVERY_DIGIT).upper;
  return interval(lower, upper);
}
