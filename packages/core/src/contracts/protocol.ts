/** A protocol end to end: randomizers, shuffler and analyzer with the privacy that the whole gives. */
import type { RandomStream } from '../random/random-stream.ts';
import type { PrivacyStatement } from './privacy.ts';

/**
 * 'messages': every message of every user is made, shuffled and counted, as a deployment does.
 * 'aggregated': the analyzer's counts are drawn from their exact distribution.
 */
export type SimulationPath = 'messages' | 'aggregated';

export interface Cost {
  /** Expected number of messages a user sends. */
  readonly messagesPerUser: number;
  /** Expected number of bits a user sends. */
  readonly bitsPerUser: number;
}

/** One look into the message path, for `run --trace`. */
export interface ShuffleTrace {
  /** What the shuffle carries: 'data messages', 'privacy levels'. */
  readonly stage: string;
  /** The path of the random stream that permuted the messages. */
  readonly permutedBy: string;
  readonly messages: number;
  /** The first few messages in user order, and the first few as the analyzer gets them, as readable text. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface Protocol<Data> {
  readonly name: string;
  /** One sentence for tables and reports. */
  readonly description: string;
  /** Parameters in effect, optimised ones included, for reports. */
  readonly parameters: Readonly<Record<string, number | string | readonly number[]>>;
  readonly paths: readonly SimulationPath[];
  /** Unbiased frequency estimates, one per item of the domain; unclipped. */
  run(
    data: Data,
    stream: RandomStream,
    path: SimulationPath,
    trace?: (entry: ShuffleTrace) => void,
  ): Float64Array;
  /** One statement per group of users that is protected differently. */
  privacy(): readonly PrivacyStatement[];
  /**
   * Expected sum of squared errors over the domain against the empirical frequencies of the data; null where no
   * closed form is known.
   */
  expectedError(data: Data): number | null;
  cost(): Cost;
}
