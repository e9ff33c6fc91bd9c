/**
 * Local randomizers: what turns one user's value into messages, and the analyst's half that undoes the bias.
 */
import type { RandomStream } from '../random/random-stream.ts';
import type { AmplificationProfile } from './amplification.ts';
import type { CraftedMessages } from './crafted-messages.ts';
import type { MessageColumns, ShuffledMessages, UserMessages } from './messages.ts';

/** A frozen record: parameters are checked once, by the factory that made it. */
export interface LocalRandomizer<Values, Columns extends MessageColumns> {
  /** The field's short name, as in configs and on the command line: 'grr'. */
  readonly name: string;
  /** Local privacy budget in nats; infinity where the randomizer alone is not pure-DP. */
  readonly epsilon0: number;
  readonly bitsPerMessage: number;
  /** Empty columns for the messages of `users` users. */
  allocate(users: number): UserMessages<Columns>;
  /**
   * Writes the messages of all users to the start of `messages` and sets its `count`. No allocation per user.
   */
  randomizeInto(values: Values, messages: UserMessages<Columns>, stream: RandomStream): void;
  /** What accountants need. */
  amplification(): AmplificationProfile;
}

/** A randomizer of one category per user, from which frequencies can be estimated. */
export interface FrequencyOracle<Columns extends MessageColumns = MessageColumns> extends LocalRandomizer<
  Uint32Array,
  Columns
> {
  /** Number of categories; values are 0 to domain - 1. */
  readonly domain: number;
  /** Probability that a report supports the user's own value (first) and any other given value (second). */
  readonly supportProbability: { readonly own: number; readonly other: number };
  /** For every category the number of messages that support it. */
  supportCounts(messages: ShuffledMessages<Columns>): Float64Array;
  /** Unbiased estimates of the frequencies (fractions of the users); may leave [0, 1]. */
  estimate(supportCounts: Float64Array, users: number): Float64Array;
  /** Exact variance of the estimate of a category held by the fraction `frequency` of `users` users. */
  variance(users: number, frequency: number): number;
  /**
   * Draws support counts for users whose values have this histogram, without making messages: the aggregated
   * path. Exact in distribution (or as documented); its cost does not grow with the number of users.
   */
  sampleSupportCounts(histogram: Float64Array, stream: RandomStream): Float64Array;
  /**
   * True where `sampleSupportCounts` draws all counts from their joint law, as sums over categories need.
   * Otherwise each count has its exact law, and nothing is said of two.
   */
  readonly jointSupportCounts?: boolean;
  /**
   * Which categories a message supports together: at most one, or each independently of the others, given the
   * user's. Absent where neither holds. With it the errors of sums over categories are known.
   */
  readonly supports?: 'at-most-one' | 'independently';
  /** Messages of users who send what they like; absent where the best one is not known here. */
  readonly crafted?: CraftedMessages<Columns>;
  /**
   * log Pr[message | value], where the outputs can be counted; `message` holds one entry per column.
   * Absent for output spaces that are too large to list.
   */
  logProbability?(message: readonly number[], value: number): number;
}
