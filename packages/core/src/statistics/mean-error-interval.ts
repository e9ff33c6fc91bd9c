/**
 * The interval of a mean error from few trials. Errors of trials are positive and skewed: a squared error is
 * nearly a sum of squared normal variables, of one for two categories. Student's interval then misses upwards
 * several times as often as it should, and reaches below zero. Here the mean of T trials is taken for a gamma
 * variable, which it is where the errors are (F. E. Satterthwaite, "An approximate distribution of estimates
 * of variance components", Biometrics 2, 1946), and the spread that the trials show is corrected for how few
 * they are.
 */
import { interval, type Interval } from '../interval.ts';
import { logGammaQuantile } from '../numeric/gamma-quantile.ts';
import { logNormalTail } from '../numeric/normal-distribution.ts';
import { studentQuantile, UPPER_QUANTILE } from './confidence-interval.ts';
import type { RunningMoments } from './running-moments.ts';

/** An end that is this many times away from the mean says nothing, and is given as 0 or infinity. */
const FARTHEST = 1000;
/** So wide a law of the mean leaves nothing to say. */
const WIDEST = 1000;
/**
 * Log of the least tail that is looked up; beyond it all ends lie farther than that, or are one with the
 * mean.
 */
const LEAST_LOG_TAIL = -690;

/**
 * The variance of the mean of the values, over its square: what the trials show, v = s^2 / m^2 of one value,
 * becomes v / (1 - v / T)^3, and at least `leastVariance`. One factor makes v unbiased to first order for
 * gamma values, whose v cannot exceed T; the other two are for heavier tails, which few trials show even less
 * of. Infinite for fewer than two values and for a mean of zero.
 * @param leastVariance what is known of the variance of one value over its squared mean, from below
 * @example relativeVarianceOfMean([1, 2, 3].reduce((all, x) => (all.add(x), all), new RunningMoments()), 0.1) // 0.108189
 */
export function relativeVarianceOfMean(moments: RunningMoments, leastVariance: number): number {
  const { count, mean, variance } = moments;
  if (count < 2 || !(mean > 0)) return Infinity;
  const shown = variance / mean / mean;
  const left = 1 - shown / count;
  if (!(left > 0)) return Infinity;
  return Math.max(leastVariance, shown / (left * left * left)) / count;
}

/**
 * A two-sided interval, at 95 %, of the mean of values that are never negative, never below zero; [0,
 * infinity] for fewer than two of them. Quantiles are those of a gamma variable with the relative variance
 * above, at the normal level of Student's quantile for so many trials. Covers with about that at least for
 * sums of squared normal and of squared Laplace variables, whatever their number; docs/statistics.md has the
 * coverage measured.
 *
 * @example meanErrorInterval([1, 2, 3].reduce((all, x) => (all.add(x), all), new RunningMoments()), 0.1) // { lower: 0.6489, upper: 13.5136 }
 */
export function meanErrorInterval(moments: RunningMoments, leastVariance: number): Interval {
  const spread = relativeVarianceOfMean(moments, leastVariance);
  if (spread > WIDEST) return { lower: 0, upper: Infinity };
  const { count, mean } = moments;
  const logTail = Math.max(LEAST_LOG_TAIL, logNormalTail(studentQuantile(UPPER_QUANTILE, count - 1)));
  const shape = 1 / spread;
  const tail = Math.exp(logTail);
  const lower = Math.exp(Math.log(shape) - logGammaQuantile(tail, shape, 'above'));
  const upper = Math.exp(Math.log(shape) - logGammaQuantile(tail, shape, 'below'));
  return interval(lower < 1 / FARTHEST ? 0 : mean * lower, upper > FARTHEST ? Infinity : mean * upper);
}
