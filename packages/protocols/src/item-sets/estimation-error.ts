/**
 * The exact error of estimating item frequencies from a histogram of sent items and blanket messages.
 *
 * The analyzer divides the debiased count of item j by D = sum_k n_k lambda_k. Against the empirical
 * frequency n_j / n of all users that is unbiased over a random assignment of levels, but for one assignment
 * the levels weigh unequally:
 *   E[error^2 | data] = sum_j ( sum_k n_kj lambda_k (1 - lambda_k) + blanket variance ) / D^2
 *                     + sum_j ( sum_k n_kj lambda_k / D - n_j / n )^2.
 * Over uniformly random assignments with n_k users per level, sum_k n_kj lambda_k is the sum of a random
 * sample of n_j of the n users' rates, without replacement: the second line becomes sum_j n_j
 * (n - n_j) / (n - 1) * v / D^2, with v the variance of the users' rates.
 */
import type { BlanketChoice } from './blanket-choice.ts';
import type { LevelHistograms } from './level-histograms.ts';
import { blanketCoins } from './parameters.ts';

/** Sum over the domain of the variances of the blanket counts of `users` users. */
export function blanketVariance(
  users: number,
  domain: number,
  blanketRate: number,
  { blankets, successProbability, slots }: BlanketChoice,
): number {
  const mean = users * blanketRate;
  // Every slot of a user shows an item with probability gamma / d.
  return blankets === 'paper'
    ? mean * (1 - blanketCoins(blanketRate, slots).probability / domain)
    : mean / successProbability;
}

/** Expected sum of squared errors for these data with this assignment of levels. */
export function errorGivenLevels(
  histogram: Float64Array,
  users: number,
  levels: LevelHistograms,
  rates: ArrayLike<number>,
  variance: number,
): number {
  let sent = 0;
  for (let k = 0; k < rates.length; k++) sent += levels.users[k]! * rates[k]!;
  let error = variance;
  for (let j = 0; j < histogram.length; j++) {
    let expected = 0;
    for (let k = 0; k < rates.length; k++) {
      const rate = rates[k]!;
      const holders = levels.items[k]![j]!;
      error += holders * rate * (1 - rate);
      expected += holders * rate;
    }
    const bias = expected - (histogram[j]! / users) * sent;
    error += bias * bias;
  }
  return error / (sent * sent);
}

/**
 * Expected sum of squared errors over uniformly random assignments of levels with `levelUsers` users each.
 */
export function errorOverAssignments(
  histogram: Float64Array,
  users: number,
  levelUsers: ArrayLike<number>,
  rates: ArrayLike<number>,
  variance: number,
): number {
  let sent = 0;
  let unsure = 0;
  for (let k = 0; k < rates.length; k++) {
    sent += levelUsers[k]! * rates[k]!;
    unsure += levelUsers[k]! * rates[k]! * (1 - rates[k]!);
  }
  const mean = sent / users;
  let spread = 0;
  for (let k = 0; k < rates.length; k++) {
    spread += (levelUsers[k]! / users) * (rates[k]! - mean) * (rates[k]! - mean);
  }
  let error = variance;
  for (const holders of histogram) {
    error += (holders / users) * unsure;
    if (users > 1) error += ((holders * (users - holders)) / (users - 1)) * spread;
  }
  return error / (sent * sent);
}
