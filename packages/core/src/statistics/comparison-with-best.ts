/**
 * Several positive means compared with the least of them, all comparisons counted (D. G. Edwards, J. C. Hsu,
 * "Multiple comparisons with the best treatment", J. Amer. Statist. Assoc. 78, 1983), on the scale of
 * logarithms.
 *
 * For the logarithms t_i of the true means and b the index of the least, let all K - 1 differences t_i - t_b
 * lie within c_ib of the measured ones: by Bonferroni that holds with the stated confidence, whatever the
 * dependence of the differences. Then no measured difference m_b - m_i exceeds c_ib, so b is among the
 * indices of which that is true, and t_i - t_b lies in one of the intervals [m_i - m_j - c_ij,
 * m_i - m_j + c_ij] with j from these. Their hull, cut at 0, is what is returned. Means that tie for the
 * least are all told apart from it wrongly with at most that probability.
 */
import { interval, type Interval } from '../interval.ts';
import { studentQuantile, UPPER_QUANTILE } from './confidence-interval.ts';

export interface MeasuredMean {
  /** Zero or positive. */
  readonly mean: number;
  /** Variance of the mean over its square; infinite where nothing is known of it. */
  readonly relativeVariance: number;
  /** Values that the mean is of. */
  readonly count: number;
}

/** An end that is this many times the measured ratio says nothing, and is given as infinity. */
const FARTHEST = 1000;

/**
 * For each mean the interval, within [1, infinity], of its ratio to the least true mean, at 95 % for all of
 * them together. A measured mean of zero leaves all ratios open.
 *
 * @example ratiosToLeast([{ mean: 1, relativeVariance: 1e-4, count: 50 }, { mean: 2, relativeVariance: 1e-4, count: 50 }])[1] // { lower: 1.94465, upper: 2.05692 }
 */
export function ratiosToLeast(means: readonly MeasuredMean[]): Interval[] {
  if (means.some(({ mean }) => !(mean > 0))) return means.map(() => interval(1, Infinity));
  const logs = means.map(({ mean }) => Math.log(mean));
  const least = Math.min(...logs);
  const level = (1 - UPPER_QUANTILE) / Math.max(1, means.length - 1);
  const allowances = means.map((first, i) =>
    means.map((second, j) => (i === j ? 0 : allowance(first, second, level))),
  );
  const mayBeLeast = means.map((_, i) => means.every((_, j) => logs[i]! - logs[j]! <= allowances[i]![j]!));
  return means.map((_, i) => {
    let lower = Infinity;
    let upper = 0;
    mayBeLeast.forEach((may, j) => {
      if (!may) return;
      const difference = logs[i]! - logs[j]!;
      lower = Math.min(lower, difference - allowances[i]![j]!);
      upper = Math.max(upper, difference + allowances[i]![j]!);
    });
    const open = upper - (logs[i]! - least) > Math.log(FARTHEST);
    return interval(Math.exp(Math.max(0, lower)), open ? Infinity : Math.exp(upper));
  });
}

/**
 * What two logarithms of means may differ by, with Welch's degrees of freedom (B. L. Welch, Biometrika 34,
 * 1947), rounded down.
 */
function allowance(first: MeasuredMean, second: MeasuredMean, level: number): number {
  const [a, b] = [first.relativeVariance, second.relativeVariance];
  const variance = a + b;
  if (!(variance < Infinity)) return Infinity;
  const degrees = variance ** 2 / (a ** 2 / (first.count - 1) + b ** 2 / (second.count - 1));
  return studentQuantile(1 - level, Math.max(1, Math.floor(degrees))) * Math.sqrt(variance);
}
