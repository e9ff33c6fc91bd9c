/** Statistics over the trials of a run. */
import {
  clopperPearsonInterval,
  meanConfidenceInterval,
  meanErrorInterval,
  RunningMoments,
  type Interval,
} from '@shuffle-dp/core';

/** Number, mean and squared deviations of the values, in one pass. */
export function momentsOf(values: Iterable<number>): RunningMoments {
  const moments = new RunningMoments();
  for (const value of values) moments.add(value);
  return moments;
}

/** The mean of shares, such as accuracies, or of distances. */
export interface MeanShare {
  readonly mean: number;
  /** 95 % interval of the mean over the trials; infinite for one trial. */
  readonly interval: Interval;
}

/**
 * The mean of shares, one for each trial, with its 95 % interval, which stays in [0, 1]: that of a mean
 * error, of the shares or of what they leave of 1, whichever is less, as that is the skewed one of the two.
 */
export function meanShare(values: readonly number[]): MeanShare {
  const { mean, interval } = meanDistance(values);
  if (values.length < 2) return { mean, interval };
  if (mean > 0.5) {
    const { lower, upper } = shareInterval(values.map((share) => 1 - share));
    return { mean, interval: { lower: 1 - upper, upper: 1 - lower } };
  }
  return { mean, interval: shareInterval(values) };
}

function shareInterval(values: readonly number[]): Interval {
  const { mean, interval } = meanDistance(values);
  // A share of mean m is 0 with a probability of at most 1 - m, as a success that is missed is.
  if (mean === 0) return clopperPearsonInterval(0, values.length);
  return { lower: interval.lower, upper: Math.min(1, interval.upper) };
}

/**
 * The mean of values that are never negative, one for each trial, with the 95 % interval of a mean error.
 * Trials that are all alike show no spread, and their interval has no width.
 */
export function meanDistance(values: readonly number[]): MeanShare {
  const moments = momentsOf(values);
  const { mean, variance } = moments;
  if (values.length < 2) return { mean, interval: meanConfidenceInterval(moments) };
  if (variance === 0 && mean > 0) return { mean, interval: { lower: mean, upper: mean } };
  return { mean, interval: meanErrorInterval(moments, 0) };
}

/**
 * The mean of accuracies on thousands of examples, with Student's interval, cut to [0, 1]: such a share is
 * one of many choices, and as good as normal.
 */
export function meanAccuracy(values: readonly number[]): MeanShare {
  const moments = momentsOf(values);
  const { lower, upper } = meanConfidenceInterval(moments);
  const known = values.length > 1;
  return {
    mean: moments.mean,
    interval: known ? { lower: Math.max(0, lower), upper: Math.min(1, upper) } : { lower, upper },
  };
}

/** Columns of a table; empty for an end that is unknown, as both are of one trial. */
export function intervalColumns<Of extends string>(
  of: Of,
  { lower, upper }: Interval,
): Readonly<Record<`${Of}_ci_low` | `${Of}_ci_high`, number | null>> {
  const ends = {
    [`${of}_ci_low`]: Number.isFinite(lower) ? lower : null,
    [`${of}_ci_high`]: Number.isFinite(upper) ? upper : null,
  };
  return ends as Readonly<Record<`${Of}_ci_low` | `${Of}_ci_high`, number | null>>;
}
