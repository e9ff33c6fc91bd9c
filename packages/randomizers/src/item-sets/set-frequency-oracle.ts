/**
 * Randomizers of sets of items, from which the frequency of every item is estimated as by a pure frequency
 * protocol.
 */
import type {
  LocalRandomizer,
  MessageColumns,
  RandomStream,
  HeldSets,
  ShuffledMessages,
} from '@shuffle-dp/core';
import {
  frequencyEstimator,
  sampleMarginalSupport,
  type SupportProbability,
} from '../categories/pure-frequency-protocol.ts';

/** A randomizer of sets from which the frequency of every item can be estimated. */
export interface SetFrequencyOracle<Columns extends MessageColumns> extends LocalRandomizer<
  HeldSets,
  Columns
> {
  readonly domain: number;
  readonly items: number;
  /** Probability that a message supports an own item (first) and any given other item (second). */
  readonly supportProbability: SupportProbability;
  supportCounts(messages: ShuffledMessages<Columns>): Float64Array;
  /** Unbiased fractions of the users who hold each item. */
  estimate(supportCounts: Float64Array, users: number): Float64Array;
  /** Exact variance of the estimate of an item held by the fraction `frequency` of `users` users. */
  variance(users: number, frequency: number): number;
  /**
   * Counts with the exact law of each item, drawn as if independent; `histogram` holds the users of each
   * item.
   */
  sampleSupportCounts(histogram: Float64Array, users: number, stream: RandomStream): Float64Array;
  /** log Pr[message | the user's items]; `message` holds one entry per column. */
  logProbability(message: readonly number[], items: readonly number[]): number;
}

/** What follows from the probabilities of support alone. */
export function setFrequencyEstimator(
  support: SupportProbability,
): Pick<
  SetFrequencyOracle<MessageColumns>,
  'supportProbability' | 'estimate' | 'variance' | 'sampleSupportCounts'
> {
  return {
    ...frequencyEstimator(support),
    sampleSupportCounts: (histogram, users, stream) =>
      sampleMarginalSupport(histogram, users, support, stream),
  };
}

/** Sum of the variances of all items for one user: what default parameters minimise. */
export function sumOfVariances(domain: number, items: number, { own, other }: SupportProbability): number {
  return (items * own * (1 - own) + (domain - items) * other * (1 - other)) / (own - other) ** 2;
}
