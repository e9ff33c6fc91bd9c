/**
 * The protocols by kind, by their cards. A new one is its file and a line here: specs and parameters follow
 * from the cards.
 */
import { ParameterError } from '@shuffle-dp/core';
import { BLOCK_HADAMARD } from './frequencies/block-hadamard.ts';
import { SINGLE_MESSAGE_FREQUENCY } from './frequencies/single-message-frequency.ts';
import { BINOMIAL_DUMMIES } from './histograms/binomial-dummies.ts';
import { ONE_SIDED_DUMMIES, TWO_SIDED_DUMMIES } from './histograms/geometric-dummies.ts';
import { NEGATIVE_BINOMIAL_COUNTS } from './histograms/negative-binomial-counts.ts';
import { COINS_HISTOGRAM } from './histograms/balcer-cheu.ts';
import { BALLS_INTO_BINS_HISTOGRAM } from './histograms/balls-into-bins-histogram.ts';
import { FLIPPED_BITS_HISTOGRAM } from './histograms/cheu-zhilyaev.ts';
import { MIX_DUMP_HISTOGRAM } from './histograms/mix-dump.ts';
import { PURE_DUMP_HISTOGRAM } from './histograms/pure-dump.ts';
import { BALLS_INTO_BINS_SETS } from './item-sets/balls-into-bins.ts';
import { SEPARATE_LEVELS, WEIGHTED_SEPARATE_LEVELS } from './item-sets/separate-levels.ts';
import { COLLISION_SETS, SAMPLED_RAPPOR_SETS, WHEEL_SETS } from './item-sets/set-oracles.ts';
import { SEGMENTED } from './item-sets/set-valued-protocol.ts';
import { SUBSET_EXPONENTIAL_LOCAL, SUBSET_EXPONENTIAL_SHUFFLED } from './item-sets/subset-exponential.ts';
import type {
  FrequencyProtocolCard,
  KeyValueProtocolCard,
  NumberProtocolCard,
  PlaceProtocolCard,
  ProtocolCard,
  SetProtocolCard,
  VectorProtocolCard,
} from './protocol-card.ts';
import { PCKV } from './key-values/pckv.ts';
import { PLANAR_LAPLACE_PLACES } from './places/planar-laplace-places.ts';
import { RANGE_QUERIES } from './range-queries/range-query-protocol.ts';
import { ANONYMOUS_COUNT } from './sums-and-means/anonymous-count.ts';
import { FIXED_POINT_MEAN } from './sums-and-means/fixed-point-mean.ts';
import { SPLIT_AND_MIX } from './sums-and-means/split-and-mix.ts';
import { CLIP_LAPLACE_VECTOR } from './vectors/clip-laplace-vector.ts';
import { PRIV_UNIT_MEAN } from './vectors/priv-unit-mean.ts';
import { SAMPLED_VECTOR_MEAN } from './vectors/sampled-vector-mean.ts';
import { SINGLE_MESSAGE_MEAN } from './sums-and-means/single-message-mean.ts';

const SET_CARDS = [
  SEGMENTED,
  SUBSET_EXPONENTIAL_LOCAL,
  SUBSET_EXPONENTIAL_SHUFFLED,
  BALLS_INTO_BINS_SETS,
  SEPARATE_LEVELS,
  WEIGHTED_SEPARATE_LEVELS,
  WHEEL_SETS,
  COLLISION_SETS,
  SAMPLED_RAPPOR_SETS,
] as const;

const HISTOGRAM_CARDS = [
  PURE_DUMP_HISTOGRAM,
  MIX_DUMP_HISTOGRAM,
  BALLS_INTO_BINS_HISTOGRAM,
  FLIPPED_BITS_HISTOGRAM,
  COINS_HISTOGRAM,
] as const;

const NOISY_COUNTS_CARDS = [
  NEGATIVE_BINOMIAL_COUNTS,
  BINOMIAL_DUMMIES,
  TWO_SIDED_DUMMIES,
  ONE_SIDED_DUMMIES,
] as const;

const FREQUENCY_CARDS = [
  SINGLE_MESSAGE_FREQUENCY,
  BLOCK_HADAMARD,
  RANGE_QUERIES,
  ...HISTOGRAM_CARDS,
  ...NOISY_COUNTS_CARDS,
] as const;

const NUMBER_CARDS = [SINGLE_MESSAGE_MEAN, FIXED_POINT_MEAN, SPLIT_AND_MIX, ANONYMOUS_COUNT] as const;

const KEY_VALUE_CARDS = [PCKV] as const;

const PLACE_CARDS = [PLANAR_LAPLACE_PLACES] as const;

const VECTOR_CARDS = [SAMPLED_VECTOR_MEAN, PRIV_UNIT_MEAN, CLIP_LAPLACE_VECTOR] as const;

type SetCard = (typeof SET_CARDS)[number];
type FrequencyCard = (typeof FREQUENCY_CARDS)[number];
type NumberCard = (typeof NUMBER_CARDS)[number];
type KeyValueCard = (typeof KEY_VALUE_CARDS)[number];
type PlaceCard = (typeof PLACE_CARDS)[number];
type VectorCard = (typeof VECTOR_CARDS)[number];
interface AnyCard {
  readonly kind: string;
  create(...given: never): unknown;
}
type SpecOf<Card extends AnyCard> = Parameters<Card['create']>[0];
type SettingOf<Card extends AnyCard> = Parameters<Card['create']>[1];
type ProtocolOf<Card extends AnyCard, Spec> = Spec extends { readonly kind: Card['kind'] }
  ? ReturnType<Extract<Card, { readonly kind: Spec['kind'] }>['create']>
  : never;

/**
 * A protocol for sets of items with privacy levels, as plain data: what a config says of one, told apart by
 * `kind`.
 */
export type SetProtocolSpec = SpecOf<SetCard>;

/** A protocol for one category per user. */
export type FrequencyProtocolSpec = SpecOf<FrequencyCard>;

/** A protocol for one number per user. */
export type NumberProtocolSpec = SpecOf<NumberCard>;

/** A protocol for key-value pairs. */
export type KeyValueProtocolSpec = SpecOf<KeyValueCard>;

/** A protocol for one place per user. */
export type PlaceProtocolSpec = SpecOf<PlaceCard>;

/** A protocol for one vector per user. */
export type VectorProtocolSpec = SpecOf<VectorCard>;

/**
 * A multi-message histogram: one data message per user, and blanket messages that depend on nobody's data.
 */
export type HistogramSpec = SpecOf<(typeof HISTOGRAM_CARDS)[number]>;

/** A histogram whose counts have noise of a known law each: from an augmented shuffler, or from the users. */
export type NoisyCountsSpec = SpecOf<(typeof NOISY_COUNTS_CARDS)[number]>;

export const SET_PROTOCOLS: readonly SetProtocolCard<SetProtocolSpec>[] = SET_CARDS;
export const FREQUENCY_PROTOCOLS: readonly FrequencyProtocolCard<FrequencyProtocolSpec>[] = FREQUENCY_CARDS;
export const NUMBER_PROTOCOLS: readonly NumberProtocolCard<NumberProtocolSpec>[] = NUMBER_CARDS;
export const KEY_VALUE_PROTOCOLS: readonly KeyValueProtocolCard<KeyValueProtocolSpec>[] = KEY_VALUE_CARDS;
export const PLACE_PROTOCOLS: readonly PlaceProtocolCard<PlaceProtocolSpec>[] = PLACE_CARDS;
export const VECTOR_PROTOCOLS: readonly VectorProtocolCard<VectorProtocolSpec>[] = VECTOR_CARDS;

/**
 * The protocol for sets of items that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError
 * @example createSetProtocol({ kind: 'balls-into-bins', epsilon: 1 }, { users: 1000, domain: 8, items: 2, delta: 1e-6, levels: [1], shares: [1] }).kind // 'balls-into-bins'
 */
export const createSetProtocol = /* @__PURE__ */ creatorOf(SET_CARDS);

/**
 * The protocol for one category a user that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range; OutOfRegimeError
 * @example createFrequencyProtocol({ kind: 'frequency', randomizer: 'grr', epsilon0: 1 }, { users: 1000, domain: 4, delta: 1e-6 }).cost().messagesPerUser // 1
 */
export const createFrequencyProtocol = /* @__PURE__ */ creatorOf(FREQUENCY_CARDS);

/**
 * The protocol for one bounded number a user that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range
 * @example createNumberProtocol({ kind: 'mean', randomizer: 'laplace', epsilon0: 1 }, { users: 1000, range: { low: 0, high: 1 }, delta: 1e-6 }).kind // 'mean'
 */
export const createNumberProtocol = /* @__PURE__ */ creatorOf(NUMBER_CARDS);

/**
 * The protocol for pairs of key and value that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range
 * @example createKeyValueProtocol({ kind: 'pckv-grr', epsilon0: 1 }, { users: 1000, domain: 8, items: 2, range: { low: -1, high: 1 }, measure: 'frequencies', delta: 1e-6 }).kind // 'pckv-grr'
 */
export const createKeyValueProtocol = /* @__PURE__ */ creatorOf(KEY_VALUE_CARDS);

/**
 * The protocol for one vector a user that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range
 * @example createVectorProtocol({ kind: 'priv-unit', epsilon0: 1 }, { users: 1000, dimensions: 3, range: { low: -1, high: 1 }, delta: 1e-6 }).kind // 'priv-unit'
 */
export const createVectorProtocol = /* @__PURE__ */ creatorOf(VECTOR_CARDS);

/**
 * The protocol for one place in the plane a user that the spec names.
 *
 * @returns the protocol of the spec's kind, with the parameters of that kind
 * @throws ParameterError for an unknown kind, and for a setting or spec outside its range
 * @example createPlaceProtocol({ kind: 'planar-laplace', epsilon0: 1 }, { users: 1000, region: { x: { low: 0, high: 3 }, y: { low: 0, high: 4 } }, measure: 'mean', side: 4, delta: 1e-6 }).kind // 'planar-laplace'
 */
export const createPlaceProtocol = /* @__PURE__ */ creatorOf(PLACE_CARDS);

/**
 * Whether protocols of this kind can meet their users block by block.
 *
 * @example sendsByBlocks('frequency') // true
 */
export function sendsByBlocks(kind: string): boolean {
  return cardSays('byBlocks', kind);
}

/**
 * Whether messages of this kind's protocols may have a bound sharper than the blanket.
 *
 * @example mayBeSharper('frequency') // true
 */
export function mayBeSharper(kind: string): boolean {
  return cardSays('sharpBound', kind);
}

/**
 * Whether protocols of this kind have to know on the aggregated path how many users hold each whole set.
 *
 * @example needsWholeSets('subexp-shuffled') // true
 */
export function needsWholeSets(kind: string): boolean {
  return cardSays('wholeSets', kind);
}

function cardSays(what: 'byBlocks' | 'sharpBound' | 'wholeSets', kind: string): boolean {
  return [SET_PROTOCOLS, FREQUENCY_PROTOCOLS, NUMBER_PROTOCOLS, VECTOR_PROTOCOLS].some((cards) =>
    cards.some((card) => card.kind === kind && card[what]),
  );
}

/**
 * Whether a protocol takes one category per user; the others take sets.
 *
 * @example isFrequencySpec({ kind: 'frequency' }) // true
 */
export function isFrequencySpec<Spec extends { readonly kind: string }>(
  spec: Spec,
): spec is Extract<Spec, { readonly kind: FrequencyProtocolSpec['kind'] }> {
  return FREQUENCY_PROTOCOLS.some(({ kind }) => kind === spec.kind);
}

/** @throws ParameterError for a kind of no card, and for budgets of a protocol that knows none */
export function create<Spec extends { readonly kind: string }, Setting, Protocol>(
  cards: readonly ProtocolCard<Spec, Setting, Protocol>[],
  spec: Spec,
  setting: Setting,
): Protocol {
  const card = cards.find(({ kind }) => kind === spec.kind);
  const { budgets } = setting as { readonly budgets?: readonly unknown[] };
  if (card && budgets && !card.ownBudgets)
    throw new ParameterError(
      'budgets',
      `${budgets.length} levels`,
      `left out for ${card.kind}: no budgets of users' own are accounted there`,
    );
  if (card) return card.create(spec, setting);
  throw new ParameterError('kind', spec.kind, `one of ${cards.map(({ kind }) => kind).join(', ')}`);
}

/** What makes the protocol that a spec names, among those of these cards. */
function creatorOf<Card extends AnyCard>(cards: readonly Card[]) {
  // Every card takes the specs of its kind, and settings as the others do.
  const all = cards as unknown as readonly ProtocolCard<{ readonly kind: string }, unknown, unknown>[];
  return <Spec extends SpecOf<Card>>(spec: Spec, setting: SettingOf<Card>) =>
    create(all, spec as { readonly kind: string }, setting) as ProtocolOf<Card, Spec>;
}
