/**
 * The exact error of ranges whose answers are sums of unbiased frequency estimates, for messages of two
 * simple laws.
 */
import { meanSquareOverRanges, shareOfRanges, type FrequencyOracle } from '@shuffle-dp/core';

export interface SupportLaw {
  /** Which categories a message supports together. */
  readonly supports: NonNullable<FrequencyOracle['supports']>;
  /** Probabilities that a data message supports its user's category, and any other given one. */
  readonly own: number;
  readonly other: number;
  /** How many blanket messages there are, and the probability that one supports each category. */
  readonly blankets?: { readonly messages: number; readonly support: Float64Array };
}

/**
 * Expected squared error of the frequency of a range of categories, mean over all ranges, given the data. The
 * counts' errors are the spreads of their messages' supports, added up. Those of data messages are the spread
 * of one message of a random user but for what comes from users who differ, which is no error.
 */
export function expectedRangeError(
  { supports, own, other, blankets }: SupportLaw,
  histogram: Float64Array,
  users: number,
): number {
  const spread = SPREADS[supports];
  const gap = own - other;
  const fractions = histogram.map((holders) => holders / users);
  const ofAnyUser = fractions.map((fraction) => other + gap * fraction);
  const data = users * (spread(ofAnyUser) - gap * gap * spread(fractions));
  const blanket = blankets ? blankets.messages * spread(blankets.support) : 0;
  return (data + blanket) / (users * gap * users * gap);
}

/**
 * Of one thing that each user has: the mean over ranges of f (1 - f), f the fraction of the users who have it
 * there.
 */
export function spreadOverRanges(fractions: Float64Array): number {
  return SPREADS['at-most-one'](fractions);
}

type Spread = (support: Float64Array) => number;

/**
 * Expected mean square over ranges of what a message adds to the counts, less its mean; from its
 * probabilities of support.
 */
const SPREADS: Readonly<Record<SupportLaw['supports'], Spread>> = {
  'at-most-one': (support) => weightedShares(support) - meanSquareOverRanges(support),
  independently: (support) => weightedShares(support.map((probability) => probability * (1 - probability))),
};

function weightedShares(weights: Float64Array): number {
  let sum = 0;
  for (let v = 0; v < weights.length; v++) sum += weights[v]! * shareOfRanges(v, weights.length);
  return sum;
}
