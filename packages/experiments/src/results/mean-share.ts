/** The mean of shares over trials, such as accuracies, with its interval. */
import { meanConfidenceInterval, RunningMoments, type Interval } from '@shuffle-dp/core';

export interface MeanShare {
  readonly mean: number;
  /** 95 % interval of the mean over the trials; infinite for one trial. */
  readonly interval: Interval;
}

export function meanShare(values: readonly number[]): MeanShare {
  const moments = new RunningMoments();
  for (const value of values) moments.add(value);
  return { mean: moments.mean, interval: meanConfidenceInterval(moments) };
}
