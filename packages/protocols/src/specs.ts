/** Protocols as plain data: what a config says of one, told apart by `kind`. */
import type { MessageAccounting } from './message-accounting.ts';

/** A protocol for sets of items with privacy levels. */
export type SetProtocolSpec =
  | SegmentedSpec
  | SubsetExponentialLocalSpec
  | SubsetExponentialShuffledSpec
  | BallsIntoBinsSpec
  | SeparateLevelsSpec
  | WeightedSeparateLevelsSpec;

/** A protocol for one category per user. */
export type FrequencyProtocolSpec = SingleMessageFrequencySpec | RangeQuerySpec | HistogramSpec;

/**
 * How the uniform blanket messages of a user are counted out: ceil(m) coins of probability m/ceil(m), Poisson(m), or a negative
 * binomial number of every item, m in all.
 */
export type BlanketCount = 'paper' | 'poisson' | 'negative-binomial';

export interface BlanketSpec {
  /** Default 'paper', but 'poisson' with the exact accounting. */
  readonly blankets?: BlanketCount;
  /**
   * For negative-binomial blankets, in [0.01, 1), default 0.5: the variance of an item's blankets is their mean over this. The
   * smaller, the fewer messages, and the more noise.
   */
  readonly successProbability?: number;
}

export interface SegmentedSpec extends BlanketSpec {
  readonly kind: 'segmented';
  /** Expected blanket messages of a user, any positive number; 'optimal' (the default) minimises the error bound. */
  readonly blanketRate?: number | 'optimal';
  /**
   * What sets the sending rates: 'published' is Theorem 3 as printed (the default with the paper's blankets);
   * 'exact' is the certified accounting of a user's whole set, for Poisson and negative-binomial blankets (their default).
   */
  readonly accounting?: 'published' | 'exact';
  /**
   * Slots that a user sends the blankets by, for the paper's blankets: each shows an item with probability m / slots. Default ceil(m), as
   * published; an optimal m may need more. With more slots than m the number of messages hides how many items were sent.
   */
  readonly slots?: number;
  /** Central epsilon for the users' choices of level; absent: the levels are shuffled in the clear. */
  readonly levelEpsilon?: number;
}

export interface SubsetExponentialLocalSpec {
  readonly kind: 'subexp-local';
  /** Local budget of all users in nats; default the largest level. */
  readonly epsilon0?: number;
  /** Items in a message; default the size of least variance. */
  readonly subsetSize?: number;
}

export interface SubsetExponentialShuffledSpec {
  readonly kind: 'subexp-shuffled';
  /** Central target of all users in nats; default the smallest level. */
  readonly epsilon?: number;
  /** What sets the local budget: 'variation-ratio' as published (default), or 'blanket', certified. */
  readonly accounting?: MessageAccounting;
  readonly subsetSize?: number;
}

/** 'group': numerical divergence per item, then group privacy; 'original': the closed form of the first analysis. */
export type BallsIntoBinsAccounting = 'group' | 'original' | 'exact';

export interface BallsIntoBinsSpec extends BlanketSpec {
  readonly kind: 'balls-into-bins';
  /** Central target of all users in nats; default the smallest level. */
  readonly epsilon?: number;
  /**
   * Default 'group', the paper's; 'exact' accounts for the whole set at once, under Poisson or negative-binomial blankets. The
   * latter have no other accounting.
   */
  readonly accounting?: BallsIntoBinsAccounting;
}

export interface SeparateLevelsSpec extends BlanketSpec {
  readonly kind: 'sep-mm';
  readonly accounting?: BallsIntoBinsAccounting;
}

export interface WeightedSeparateLevelsSpec extends BlanketSpec {
  readonly kind: 'weighted-sep-mm';
  /** 'square-root' (default): one over the root of the published error order; 'inverse': one over that order. */
  readonly weights?: 'square-root' | 'inverse';
  readonly accounting?: BallsIntoBinsAccounting;
}

export const FREQUENCY_RANDOMIZERS = ['grr', 'binary-rr', 'oue', 'subset', 'local-hash', 'hadamard'] as const;
export type FrequencyRandomizerName = (typeof FREQUENCY_RANDOMIZERS)[number];

export interface SingleMessageFrequencySpec {
  readonly kind: 'frequency';
  readonly randomizer: FrequencyRandomizerName;
  /** Local budget in nats; absent: the largest whose shuffled guarantee meets the setting's central target. */
  readonly epsilon0?: number;
  /** What states the central guarantee: 'blanket', certified (default), or 'variation-ratio' as published. */
  readonly accounting?: MessageAccounting;
  /** For 'subset' only. */
  readonly subsetSize?: number;
  /** For 'local-hash' only. */
  readonly hashRange?: number;
}

export interface RangeQuerySpec {
  readonly kind: 'range-queries';
  /** Children of a node, at least 2 (the default). */
  readonly branching?: number;
  /** Local budget in nats; absent: the largest whose shuffled guarantee meets the setting's central target. */
  readonly epsilon0?: number;
  /** What states the central guarantee: 'blanket', certified (default), or 'variation-ratio', Wang et al. 2024. */
  readonly accounting?: MessageAccounting;
}

/** A multi-message histogram: one data message per user, and blanket messages that depend on nobody's data. */
export type HistogramSpec =
  PureDumpSpec | MixDumpSpec | BallsIntoBinsHistogramSpec | CheuZhilyaevSpec | BalcerCheuSpec;

interface HistogramSpecFields {
  /** Default 'blanket': the exact atoms. 'variation-ratio': with the parameters of Table 4. */
  readonly accounting?: MessageAccounting;
  /**
   * Blanket messages of a user, on average: all users together send the next whole number. Absent: the fewest that meet the
   * setting's central target.
   */
  readonly blanketRate?: number;
}

export interface PureDumpSpec extends HistogramSpecFields {
  readonly kind: 'pure-dump';
}

export interface MixDumpSpec extends HistogramSpecFields {
  readonly kind: 'mix-dump';
  /** Probability that a data message leaves its bin, in (0, (d-1)/d); default 0.1. */
  readonly flip?: number;
}

export interface BallsIntoBinsHistogramSpec extends HistogramSpecFields {
  readonly kind: 'balls-into-bins-histogram';
  /** Buckets of the hash functions, a prime; default the prime nearest to the domain, up to 101. */
  readonly hashRange?: number;
}

export interface CheuZhilyaevSpec extends HistogramSpecFields {
  readonly kind: 'cheu-zhilyaev';
  /**
   * Probability that a bit is flipped, in (0, 1/2). Absent: the least that meets the setting's central target with the blankets of
   * `blanketRate`, which is then 1 by default.
   */
  readonly flip?: number;
}

export interface BalcerCheuSpec extends HistogramSpecFields {
  readonly kind: 'balcer-cheu';
  /** Probability that a blanket message is 1, in (0, 1); default 1/2, the uniform coin. */
  readonly coin?: number;
}
