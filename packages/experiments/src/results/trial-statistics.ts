/** Statistics over the trials of a run. */
import { meanConfidenceInterval, RunningMoments, type Interval } from '@shuffle-dp/core';

/** Number, mean and squared deviations of the values, in one pass. */
export function momentsOf(values: Iterable<number>): RunningMoments {
  const moments = new RunningMoments();
  for (const value of values) moments.add(value);
  return moments;
}

/** The mean of shares, such as accuracies. */
export interface MeanShare {
  readonly mean: number;
  /** 95 % interval of the mean over the trials; infinite for one trial. */
  readonly interval: Interval;
}

/** The mean of shares, one for each trial, with its 95 % interval. */
export function meanShare(values: readonly number[]): MeanShare {
  const moments = momentsOf(values);
  return { mean: moments.mean, interval: meanConfidenceInterval(moments) };
}

/** Columns of a table; empty for one trial, which says nothing of the spread. */
export function intervalColumns({ lower, upper }: Interval): {
  readonly accuracy_ci_low: number | null;
  readonly accuracy_ci_high: number | null;
} {
  const known = Number.isFinite(upper - lower);
  return { accuracy_ci_low: known ? lower : null, accuracy_ci_high: known ? upper : null };
}
