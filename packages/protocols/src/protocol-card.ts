/**
 * The card of a protocol: its names, what it serves, what a config may set of it, and how it is made. It
 * stands in the protocol's own file; configs, their schema, tables and tests read it from the registry.
 */
import {
  beyond,
  from,
  integer,
  real,
  type ParameterSpec,
  type ProtocolParameters,
  type Trust,
} from '@shuffle-dp/core';
import { MESSAGE_ACCOUNTINGS, SINGLE_MESSAGE_ACCOUNTINGS } from '@shuffle-dp/accounting';
import { BLANKET_KINDS } from '@shuffle-dp/randomizers';
import type { HeavyHitterProtocol, HeavyHitterSetting } from './heavy-hitters/heavy-hitter-protocol.ts';
import type {
  CategoricalSetting,
  KeyValueSetting,
  NumberSetting,
  PlaceSetting,
  SetValuedSetting,
  VectorSetting,
} from './setting.ts';
import type {
  FrequencyProtocol,
  KeyValueProtocol,
  NumberProtocol,
  PlaceProtocol,
  SetProtocol,
  VectorProtocol,
} from './shuffle-protocol.ts';

/** A number in a config; where it is swept, also a list of them. */
export interface NumberField {
  readonly type: 'number';
  readonly name: string;
  readonly range: ParameterSpec;
  /** What is allowed in words, where the range's own text is not what a person would say. */
  readonly allowed: string;
  /** A word that may stand in place of the number: 'optimal'. */
  readonly word?: string;
  readonly description?: string;
}

/** One of some words; where it is swept, also a list of them. */
export interface ChoiceField {
  readonly type: 'choice';
  readonly name: string;
  readonly choices: readonly string[];
  readonly swept: boolean;
  readonly required: boolean;
  readonly description?: string;
}

export type ProtocolField = NumberField | ChoiceField;

/**
 * What the central target of categories and numbers (privacy.epsilon) sets: the local budget, the blanket
 * messages, or the noise that all users or the shuffler add up to. Protocols for sets have levels in its
 * place.
 */
export type SetByTarget = 'local budget' | 'blankets' | 'blankets or flip' | 'noise' | 'levels';

export interface ProtocolCard<Spec extends { readonly kind: string }, Setting, Protocol> {
  readonly kind: Spec['kind'];
  /** The name in tables and charts. */
  readonly title: string;
  /** What users hold. */
  readonly dataKind: 'sets' | 'categories' | 'numbers' | 'key-values' | 'vectors' | 'places' | 'identifiers';
  /** What is estimated. */
  readonly task: 'frequencies' | 'ranges' | 'mean' | 'heavy-hitters';
  readonly setByTarget: SetByTarget;
  /** Absent for 'shuffler'. */
  readonly trust?: Trust;
  /** Some of its messages have a bound sharper than the blanket, by every input of the others. */
  readonly sharpBound?: true;
  /** Its protocols have `messageRounds`: users can be met block by block. */
  readonly byBlocks?: true;
  /** It has no aggregated path, whatever its parameters. */
  readonly messagesOnly?: true;
  /** On the aggregated path its counts depend on whole sets: how many users hold each item does not do. */
  readonly wholeSets?: true;
  /**
   * Randomizers of which users may have local budgets of their own, a setting's `budgets`; absent for none.
   */
  readonly ownBudgets?: readonly string[];
  /** What a config may say beside kind and label. */
  readonly fields: readonly ProtocolField[];
  /** @throws ParameterError for a setting or spec outside its range; OutOfRegimeError */
  create(spec: Spec, setting: Setting): Protocol;
}

export type SetProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, SetValuedSetting, SetProtocol<Parameters>>;

export type FrequencyProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, CategoricalSetting, FrequencyProtocol<Parameters>>;

export type NumberProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, NumberSetting, NumberProtocol<Parameters>>;

export type KeyValueProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, KeyValueSetting, KeyValueProtocol<Parameters>>;

export type HeavyHitterProtocolCard<Spec extends { readonly kind: string }> = ProtocolCard<
  Spec,
  HeavyHitterSetting,
  HeavyHitterProtocol
>;

export type PlaceProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, PlaceSetting, PlaceProtocol<Parameters>>;

export type VectorProtocolCard<
  Spec extends { readonly kind: string },
  Parameters extends ProtocolParameters = ProtocolParameters,
> = ProtocolCard<Spec, VectorSetting, VectorProtocol<Parameters>>;

/** @example positiveField('epsilon', 'Central target in nats; default the smallest level.').allowed // 'a positive number' */
/* @__NO_SIDE_EFFECTS__ */
export function positiveField(name: string, description: string, word?: string): NumberField {
  const range = real(name, beyond(0), beyond(Infinity, 'inf'), description);
  return rangeField(
    range,
    word === undefined ? 'a positive number' : `a positive number, '${word}'`,
    description,
    word,
  );
}

/* @__NO_SIDE_EFFECTS__ */
export function integerField(name: string, least: number, description: string): NumberField {
  const range = integer(name, from(least), from(Infinity, 'inf'), description);
  return rangeField(range, `an integer of at least ${least}`, description);
}

/** In the range of a parameter, told in these words; `word` may stand in its place. */
/* @__NO_SIDE_EFFECTS__ */
export function rangeField(
  range: ParameterSpec,
  allowed: string,
  description: string,
  word?: string,
): NumberField {
  return {
    type: 'number',
    name: range.name,
    range,
    allowed,
    ...(word === undefined ? {} : { word }),
    description,
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function choiceField(name: string, choices: readonly string[], description?: string): ChoiceField {
  return {
    type: 'choice',
    name,
    choices,
    swept: false,
    required: false,
    ...(description === undefined ? {} : { description }),
  };
}

export const SUBSET_SIZE = integerField('subsetSize', 1, 'Items in a message.');
export const LOCAL_BUDGET = positiveField(
  'epsilon0',
  'Local budget in nats; by default the largest that meets privacy.epsilon.',
);
export const MESSAGE_ACCOUNTING = choiceField('accounting', MESSAGE_ACCOUNTINGS);
export const SINGLE_MESSAGE_ACCOUNTING = choiceField('accounting', SINGLE_MESSAGE_ACCOUNTINGS);
export const SET_ACCOUNTINGS = ['group', 'original', 'exact'] as const;
export const SET_ACCOUNTING = choiceField('accounting', SET_ACCOUNTINGS);
export const LEVEL_TARGET = positiveField('epsilon', 'Central target in nats; default the smallest level.');

/** How blanket messages of sets are counted out. */
export const BLANKET_FIELDS: readonly ProtocolField[] = [
  choiceField('blankets', BLANKET_KINDS, "How the number of a user's blanket messages is drawn."),
  rangeField(
    real('successProbability', from(0.01), beyond(1), 'success probability'),
    'a number from 0.01 to below 1',
    "For negative-binomial blankets, default 0.5: the variance of an item's blankets is their mean over this.",
  ),
];

/** What every histogram with blanket messages may be told. */
export const HISTOGRAM_FIELDS: readonly ProtocolField[] = [
  MESSAGE_ACCOUNTING,
  positiveField(
    'blanketRate',
    'Blanket messages of a user on average; by default the fewest that meet privacy.epsilon.',
  ),
];
