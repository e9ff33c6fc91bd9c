/** The protocols by kind, by their cards. A new one is its file and a line here. */
import { ParameterError } from '@shuffle-dp/core';
import { BALLS_INTO_BINS_SETS, type BallsIntoBinsSpec } from './item-sets/balls-into-bins.ts';
import {
  SEPARATE_LEVELS,
  WEIGHTED_SEPARATE_LEVELS,
  type SeparateLevelsSpec,
  type WeightedSeparateLevelsSpec,
} from './item-sets/separate-levels.ts';
import {
  SUBSET_EXPONENTIAL_LOCAL,
  SUBSET_EXPONENTIAL_SHUFFLED,
  type SubsetExponentialLocalSpec,
  type SubsetExponentialShuffledSpec,
} from './item-sets/subset-exponential.ts';
import {
  SINGLE_MESSAGE_FREQUENCY,
  type SingleMessageFrequencySpec,
} from './frequencies/single-message-frequency.ts';
import { BINOMIAL_DUMMIES, type BinomialDummiesSpec } from './histograms/binomial-dummies.ts';
import {
  ONE_SIDED_DUMMIES,
  TWO_SIDED_DUMMIES,
  type OneSidedDummiesSpec,
  type TwoSidedDummiesSpec,
} from './histograms/geometric-dummies.ts';
import {
  NEGATIVE_BINOMIAL_COUNTS,
  type NegativeBinomialCountsSpec,
} from './histograms/negative-binomial-counts.ts';
import { COINS_HISTOGRAM, type BalcerCheuSpec } from './histograms/balcer-cheu.ts';
import {
  BALLS_INTO_BINS_HISTOGRAM,
  type BallsIntoBinsHistogramSpec,
} from './histograms/balls-into-bins-histogram.ts';
import { FLIPPED_BITS_HISTOGRAM, type CheuZhilyaevSpec } from './histograms/cheu-zhilyaev.ts';
import { MIX_DUMP_HISTOGRAM, type MixDumpSpec } from './histograms/mix-dump.ts';
import { PURE_DUMP_HISTOGRAM, type PureDumpSpec } from './histograms/pure-dump.ts';
import { RANGE_QUERIES, type RangeQuerySpec } from './range-queries/range-query-protocol.ts';
import { SEGMENTED, type SegmentedSpec } from './item-sets/set-valued-protocol.ts';
import { ANONYMOUS_COUNT, type AnonymousCountSpec } from './sums-and-means/anonymous-count.ts';
import { FIXED_POINT_MEAN, type FixedPointMeanSpec } from './sums-and-means/fixed-point-mean.ts';
import { SPLIT_AND_MIX, type SplitAndMixSpec } from './sums-and-means/split-and-mix.ts';
import type { CategoricalSetting, NumberSetting, SetValuedSetting } from './setting.ts';
import type { FrequencyProtocol, NumberProtocol, SetProtocol } from './shuffle-protocol.ts';
import type { FrequencyProtocolCard, NumberProtocolCard, SetProtocolCard } from './protocol-card.ts';

/** A protocol for sets of items with privacy levels, as plain data: what a config says of one, told apart by `kind`. */
export type SetProtocolSpec =
  | SegmentedSpec
  | SubsetExponentialLocalSpec
  | SubsetExponentialShuffledSpec
  | BallsIntoBinsSpec
  | SeparateLevelsSpec
  | WeightedSeparateLevelsSpec;

/** A multi-message histogram: one data message per user, and blanket messages that depend on nobody's data. */
export type HistogramSpec =
  PureDumpSpec | MixDumpSpec | BallsIntoBinsHistogramSpec | CheuZhilyaevSpec | BalcerCheuSpec;

/** A histogram whose counts have noise of a known law each: from an augmented shuffler, or from the users. */
export type NoisyCountsSpec =
  BinomialDummiesSpec | TwoSidedDummiesSpec | OneSidedDummiesSpec | NegativeBinomialCountsSpec;

/** A protocol for one category per user. */
export type FrequencyProtocolSpec =
  SingleMessageFrequencySpec | RangeQuerySpec | HistogramSpec | NoisyCountsSpec;

/** A protocol for one number per user. */
export type NumberProtocolSpec = FixedPointMeanSpec | SplitAndMixSpec | AnonymousCountSpec;

/** A card takes the specs of its own kind; the compiler cannot follow the pairing through a list. */
type AnySetCard = SetProtocolCard<SetProtocolSpec>;
type AnyFrequencyCard = FrequencyProtocolCard<FrequencyProtocolSpec>;
type AnyNumberCard = NumberProtocolCard<NumberProtocolSpec>;

export const SET_PROTOCOLS = [
  SEGMENTED,
  SUBSET_EXPONENTIAL_LOCAL,
  SUBSET_EXPONENTIAL_SHUFFLED,
  BALLS_INTO_BINS_SETS,
  SEPARATE_LEVELS,
  WEIGHTED_SEPARATE_LEVELS,
] as readonly AnySetCard[];

export const FREQUENCY_PROTOCOLS = [
  SINGLE_MESSAGE_FREQUENCY,
  RANGE_QUERIES,
  PURE_DUMP_HISTOGRAM,
  MIX_DUMP_HISTOGRAM,
  BALLS_INTO_BINS_HISTOGRAM,
  FLIPPED_BITS_HISTOGRAM,
  COINS_HISTOGRAM,
  NEGATIVE_BINOMIAL_COUNTS,
  BINOMIAL_DUMMIES,
  TWO_SIDED_DUMMIES,
  ONE_SIDED_DUMMIES,
] as readonly AnyFrequencyCard[];

export const NUMBER_PROTOCOLS = [
  FIXED_POINT_MEAN,
  SPLIT_AND_MIX,
  ANONYMOUS_COUNT,
] as readonly AnyNumberCard[];

/** @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError */
export function createSetProtocol(spec: SetProtocolSpec, setting: SetValuedSetting): SetProtocol {
  return cardOf(SET_PROTOCOLS, spec.kind).create(spec, setting);
}

/** @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError */
export function createFrequencyProtocol(
  spec: FrequencyProtocolSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  return cardOf(FREQUENCY_PROTOCOLS, spec.kind).create(spec, setting);
}

/** @throws ParameterError for an unknown kind, and for a setting or spec outside its range */
export function createNumberProtocol(spec: NumberProtocolSpec, setting: NumberSetting): NumberProtocol {
  return cardOf(NUMBER_PROTOCOLS, spec.kind).create(spec, setting);
}

/** Whether a protocol takes one category per user; the others take sets. */
export function isFrequencySpec<Spec extends { readonly kind: string }>(
  spec: Spec,
): spec is Extract<Spec, { readonly kind: FrequencyProtocolSpec['kind'] }> {
  return FREQUENCY_PROTOCOLS.some(({ kind }) => kind === spec.kind);
}

function cardOf<Card extends { readonly kind: string }>(cards: readonly Card[], kind: string): Card {
  const card = cards.find((known) => known.kind === kind);
  if (card) return card;
  throw new ParameterError('kind', kind, `one of ${cards.map((known) => known.kind).join(', ')}`);
}
