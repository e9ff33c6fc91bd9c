/**
 * What every protocol here offers beyond the contract of core: its kind, a bound for theory lines, and what
 * is proved of it.
 */
import type { Threats } from '@shuffle-dp/accounting';
import type { KeyValuedData } from './key-values/key-valued-data.ts';
import type { PlaceData } from './places/place-data.ts';
import type { VectorData } from './vectors/vector-data.ts';
import type { NumberData } from './sums-and-means/number-data.ts';
import type {
  CategoricalData,
  Cost,
  FrequencyOracle,
  PrivacyStatement,
  Protocol,
  ProtocolParameters,
  RandomStream,
  SetValuedData,
  ShuffledMessages,
  SimulationPath,
  UserMessages,
} from '@shuffle-dp/core';

/**
 * One round of messages of users who are met block by block. Rounds of one protocol draw from streams named
 * by their stages.
 */
export interface MessageRound<Data> {
  /** What is sent, as a trace calls it: 'data messages'. */
  readonly stage: string;
  /**
   * The messages of a block of users, in their order. @throws ParameterError for data without every user's
   * value
   */
  send(block: Data, stream: RandomStream): UserMessages;
  /** Counts of a part of the shuffled messages; the counts of all parts add up to the analyzer's. */
  count(part: ShuffledMessages): Float64Array;
}

/** The rounds of a protocol: given the counts of those before, the next one; after the last the estimates. */
export type MessageRounds<Data> = (counts: readonly Float64Array[]) => MessageRound<Data> | Float64Array;

export interface ShuffleProtocol<
  Data,
  Parameters extends ProtocolParameters = ProtocolParameters,
> extends Protocol<Data, Parameters> {
  /** The word in configs: 'segmented'. */
  readonly kind: string;
  /**
   * The error bound that the literature prints for this protocol, sampling of the users included: an upper
   * bound on the expected sum of squared errors against the population. Null where none is printed.
   */
  readonly theoreticalBound: number | null;
  /**
   * What is proved of the parameters in effect, however they were chosen: one statement per group of users.
   * Where the parameters were chosen by a sound bound this is that statement or a sharper one.
   */
  certifiedPrivacy(): readonly PrivacyStatement[];
  /**
   * What is proved of an honest user who took part, where some users collude or stay away: one statement per
   * group of users. The parameters are those that were chosen without them. Absent where nothing is known
   * here.
   * @throws ParameterError where nothing is proved of such threats
   */
  threatenedPrivacy?(threats: Threats): readonly PrivacyStatement[];
  /**
   * The same messages by so many others, each with the share of common noise of these; absent where messages
   * are told by parameters alone.
   */
  sentBy?(users: number): ShuffleProtocol<Data, Parameters>;
  /**
   * What these data cost, where that depends on them; `cost` is then of those that cost most. Absent where
   * all cost alike.
   */
  costOf?(data: Data): Cost;
  /**
   * The paths whose estimates have their exact joint law, as sums, projections and the largest of them need;
   * on others each estimate has its own.
   */
  readonly jointPaths: readonly SimulationPath[];
  /**
   * The message path for users who are met block by block, more of them than memory holds; absent where a
   * round needs all at once.
   */
  readonly messageRounds?: MessageRounds<Data>;
}

export type SetProtocol<Parameters extends ProtocolParameters = ProtocolParameters> = ShuffleProtocol<
  SetValuedData,
  Parameters
>;

export interface FrequencyProtocol<
  Parameters extends ProtocolParameters = ProtocolParameters,
> extends ShuffleProtocol<CategoricalData, Parameters> {
  /**
   * Expected squared error of the frequency of a range of neighbouring categories, estimated by the sum of
   * theirs, mean over all ranges and given the data; null where no closed form is known.
   */
  expectedRangeError(data: CategoricalData): number | null;
  sentBy?(users: number): FrequencyProtocol<Parameters>;
  /** Of one message a user: what makes and counts the messages. Absent for other protocols. */
  readonly oracle?: FrequencyOracle;
}

/** `run` gives one estimate, of the mean of the users' numbers; that of their sum is `users` times it. */
export interface NumberProtocol<
  Parameters extends ProtocolParameters = ProtocolParameters,
> extends ShuffleProtocol<NumberData, Parameters> {
  /**
   * The largest expected squared error of the mean over all data sets, or a bound of it; absent where none is
   * known.
   */
  readonly worstError?: number;
  sentBy?(users: number): NumberProtocol<Parameters>;
}

/**
 * `run` gives an estimate for each key: of its frequency, or of the mean of its values, by the setting's
 * measure.
 */
export type KeyValueProtocol<Parameters extends ProtocolParameters = ProtocolParameters> = ShuffleProtocol<
  KeyValuedData,
  Parameters
>;

/**
 * `run` gives an estimate of the mean of the users' vectors, coordinate by coordinate; it may leave the
 * range.
 */
export interface VectorProtocol<
  Parameters extends ProtocolParameters = ProtocolParameters,
> extends ShuffleProtocol<VectorData, Parameters> {
  /**
   * Expected sum over the coordinates of squared errors, for vectors of unit length that are spread evenly
   * over the sphere.
   * @throws ParameterError where the range of the coordinates does not hold the sphere
   */
  directionsError(): number;
}

/**
 * `run` gives the mean place, x and y, or the fraction of the users in each cell of a grid, by the setting's
 * measure.
 */
export type PlaceProtocol<Parameters extends ProtocolParameters = ProtocolParameters> = ShuffleProtocol<
  PlaceData,
  Parameters
>;

/** Messages stand for themselves; counts drawn without them may have their law one by one only. */
export function jointPaths(counts: { readonly jointSupportCounts?: boolean }): readonly SimulationPath[] {
  return counts.jointSupportCounts ? ['messages', 'aggregated'] : ['messages'];
}
