/**
 * The multi-message framework with agnostic segmented privacy (Wang et al., "Segmented private data
 * aggregation in the multi-message shuffle model", 2025, Algorithm 1). The server learns how many users chose
 * each privacy level but not who: the choices go through the shuffler first; then it optimises the parameters
 * for these counts, and the users send their data under them.
 */
import type { Cost, PrivacyStatement, RandomStream, SetValuedData, SimulationPath } from '@shuffle-dp/core';
import type { MessageRound } from '../shuffle-protocol.ts';
import type { Trace } from '../traced-shuffle.ts';

/** Step 1: how the server gets the numbers of users per level. */
export interface LevelAggregation {
  readonly name: string;
  /**
   * Unbiased estimates of the users per level; the exact counts where the levels are only shuffled.
   *
   * @param levelOf of every user, for the message path; absent where all have one level
   */
  collect(
    levelOf: Uint8Array | undefined,
    counts: Float64Array,
    stream: RandomStream,
    path: SimulationPath,
    trace?: Trace,
  ): Float64Array;
  /** The same by blocks of users: the round of messages, and once they are counted the users per level. */
  round(counts: Float64Array | undefined): MessageRound<SetValuedData> | Float64Array;
  /** What the choice of level itself is protected by; empty where it is only made anonymous. */
  privacy(): readonly PrivacyStatement[];
  readonly cost: Cost;
}

/** Steps 2 and 3, as functions of what the server has learnt. */
export interface DataAggregation<Data, Parameters> {
  chooseParameters(levelCounts: Float64Array): Parameters;
  /** Randomises, shuffles and counts: the analyzer's counts. */
  collect(
    data: Data,
    parameters: Parameters,
    stream: RandomStream,
    path: SimulationPath,
    trace?: Trace,
  ): Float64Array;
  analyze(counts: Float64Array, parameters: Parameters, levelCounts: Float64Array): Float64Array;
}

/** The users as the server's two steps meet them. */
export interface SegmentedUsers<Data> {
  readonly data: Data;
  /** Index of each user's privacy level; absent where all have one, or users are only counted. */
  readonly levelOf: Uint8Array | undefined;
  /** Users at each level. */
  readonly counts: Float64Array;
}

/** What one run draws from, and how. */
export interface RunDraws {
  readonly stream: RandomStream;
  readonly path: SimulationPath;
  readonly trace?: Trace | undefined;
}

/**
 * Algorithm 1. On the message path levels and data draw from streams of their own, so that a trace can name
 * them; on the aggregated path they take turns on one, for making a stream costs more than the draws.
 */
export function aggregateSegmented<Data, Parameters>(
  levels: LevelAggregation,
  aggregation: DataAggregation<Data, Parameters>,
  { data, levelOf, counts: trueCounts }: SegmentedUsers<Data>,
  { stream, path, trace }: RunDraws,
): Float64Array {
  const named = (label: string): RandomStream => (path === 'messages' ? stream.fork(label) : stream);
  const levelCounts = levels.collect(levelOf, trueCounts, named('levels'), path, trace);
  const parameters = aggregation.chooseParameters(levelCounts);
  const counts = aggregation.collect(data, parameters, named('data'), path, trace);
  return aggregation.analyze(counts, parameters, levelCounts);
}
