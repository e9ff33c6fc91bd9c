/** Randomizers of one number per user, from whose messages the mean of the users' numbers is estimated. */
import type { RandomStream } from '../random/random-stream.ts';
import type { LocalRandomizer } from './local-randomizer.ts';
import type { ShuffledMessages } from './messages.ts';

export type ValueColumns = { readonly value: Float64Array };

export interface MeanRandomizer extends LocalRandomizer<Float64Array, ValueColumns> {
  /** Users' values lie here; values outside are moved to the nearest end before anything else. */
  readonly inputRange: { readonly low: number; readonly high: number };
  /** Probability density of a message at `output`, for a user with value `input`. */
  density(output: number, input: number): number;
  /** Expectation of a message. */
  mean(input: number): number;
  /** Variance of a message. */
  variance(input: number): number;
  /**
   * Draws the sum of the messages of this many users with one value, by its exact law; absent where none is
   * known.
   */
  sampleSum?(input: number, users: number, stream: RandomStream): number;
  /** Estimate of the mean of the users' values; may leave the range. */
  estimateMean(messages: ShuffledMessages<ValueColumns>): number;
}
