/** A protocol end to end: randomizers, shuffler and analyzer with the privacy that the whole gives. */
import type { RandomStream } from '../random/random-stream.ts';
import type { MessageColumns, ShuffledMessages, UserMessages } from './messages.ts';
import type { PrivacyStatement } from './privacy.ts';

/**
 * 'messages': every message of every user is made, shuffled and counted, as a deployment does.
 * 'aggregated': the analyzer's counts are drawn from their exact distribution.
 */
export type SimulationPath = (typeof SIMULATION_PATHS)[number];

export const SIMULATION_PATHS = ['aggregated', 'messages'] as const;

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

/** Looks on at every shuffle of a run. */
export type ShuffleTracer = (entry: ShuffleTrace) => void;

/** The messages of one shuffle, as the users send them. */
export interface SentBatch<Columns extends MessageColumns = MessageColumns> {
  /** As in a trace: 'data messages', 'privacy levels'. */
  readonly stage: string;
  readonly messages: UserMessages<Columns>;
  /** Entries of a message in each column: message i stands from i * width on. */
  readonly width: number;
  /** Permutes the batch where the shuffler is one in memory. */
  readonly permutation: RandomStream;
}

/**
 * Brings messages from the users to the analyzer in the place of the shuffler in memory, as over a network.
 */
export interface MessageCarrier {
  carry<Columns extends MessageColumns>(batch: SentBatch<Columns>): ShuffledMessages<Columns>;
}

/** Parameters in effect, by name: what a report can print. */
export type ProtocolParameters = Readonly<Record<string, number | string | readonly number[]>>;

export interface Protocol<Data, Parameters extends ProtocolParameters = ProtocolParameters> {
  readonly name: string;
  /** One sentence for tables and reports. */
  readonly description: string;
  /** Parameters in effect, optimised ones included, for reports. */
  readonly parameters: Parameters;
  readonly paths: readonly SimulationPath[];
  /**
   * Unbiased estimates, one for each quantity that is asked for: each item of the domain, or the one mean;
   * unclipped.
   */
  run(
    data: Data,
    stream: RandomStream,
    path: SimulationPath,
    trace?: ShuffleTracer | MessageCarrier,
  ): Float64Array;
  /** One statement per group of users that is protected differently. */
  privacy(): readonly PrivacyStatement[];
  /**
   * Expected sum over the estimates of squared errors against what is true of the data; null where no closed
   * form is known.
   */
  expectedError(data: Data): number | null;
  cost(): Cost;
}
