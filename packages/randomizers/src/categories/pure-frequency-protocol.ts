/**
 * What all "pure" frequency protocols share (T. Wang et al., "Locally Differentially Private Protocols for
 * Frequency Estimation", USENIX Security 2017): a message supports the user's own value with one probability
 * and any other given value with a smaller one, so counts of support are binomial and one formula gives
 * estimate and variance.
 */
import { requireInteger, sampleBinomial, type FrequencyOracle, type RandomStream } from '@shuffle-dp/core';

export interface CategoryParameters {
  /** Number of categories, at least 2. */
  readonly domain: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

/** How frequencies are estimated from the numbers C_v of messages that support each category. */
export const SUPPORT_FORMULA = "f_v = (C_v / n - ps') / (ps - ps')";

export interface SupportProbability {
  /** Probability that a message supports its user's value. */
  readonly own: number;
  /** Probability that it supports any other given value. */
  readonly other: number;
}

/**
 * What follows from the probabilities of support alone.
 * @param missed 1 - own, where it is known to more digits
 */
export function frequencyEstimator(
  support: SupportProbability,
  missed: number = 1 - support.own,
): Pick<FrequencyOracle, 'supportProbability' | 'estimate' | 'variance'> {
  return {
    supportProbability: Object.freeze({ own: support.own, other: support.other }),
    estimate: (counts, users) => estimateFrequencies(counts, users, support),
    variance: (users, frequency) => frequencyVariance(users, frequency, support, missed),
  };
}

/** Unbiased frequencies (C_v / n - other) / (own - other). @throws ParameterError without users */
export function estimateFrequencies(
  counts: ArrayLike<number>,
  users: number,
  { own, other }: SupportProbability,
): Float64Array {
  requireInteger('users', users, 1);
  return Float64Array.from(counts, (count) => (count / users - other) / (own - other));
}

/**
 * Exact variance, given the data, of the estimate of a value held by the fraction `frequency` of the users.
 * @param missed 1 - own, where it is known to more digits
 */
export function frequencyVariance(
  users: number,
  frequency: number,
  { own, other }: SupportProbability,
  missed: number = 1 - own,
): number {
  const gap = own - other;
  return (frequency * own * missed + (1 - frequency) * other * (1 - other)) / (users * gap * gap);
}

/**
 * Support counts drawn value by value: Bin(n_v, own) + Bin(n - n_v, other). Each count has its exact law;
 * jointly they are exact where a message supports values independently.
 */
export function sampleMarginalSupport(
  histogram: Float64Array,
  users: number,
  { own, other }: SupportProbability,
  stream: RandomStream,
): Float64Array {
  return histogram.map(
    (holders) => sampleBinomial(holders, own, stream) + sampleBinomial(users - holders, other, stream),
  );
}

/** How many holders of each value keep it, each with this probability, and how many users in all do not. */
export function sampleKept(
  histogram: Float64Array,
  probability: number,
  stream: RandomStream,
): { readonly counts: Float64Array; readonly rest: number } {
  const counts = histogram.map((holders) => sampleBinomial(holders, probability, stream));
  return { counts, rest: totalUsers(histogram) - totalUsers(counts) };
}

/** The users of a histogram with one category each. */
export function totalUsers(histogram: Float64Array): number {
  let users = 0;
  for (const holders of histogram) users += holders;
  return users;
}
