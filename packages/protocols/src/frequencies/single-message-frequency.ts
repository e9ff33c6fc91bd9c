/** Frequency estimation with one message per user, by the oracles of this project. */
import {
  ParameterError,
  type CategoryCard,
  type FrequencyOracle,
  type ParameterSpec,
} from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import {
  integerField,
  LOCAL_BUDGET,
  MESSAGE_ACCOUNTING,
  type FrequencyProtocolCard,
  type ProtocolField,
} from '../protocol-card.ts';
import type { CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import {
  shuffledOracle,
  type ShuffledOracleOptions,
  type ShuffledOracleParameters,
} from './shuffled-oracle.ts';

export interface SingleMessageFrequencySpec extends Pick<ShuffledOracleOptions, 'epsilon0' | 'accounting'> {
  readonly kind: 'frequency';
  /** A name of CATEGORY_RANDOMIZERS. */
  readonly randomizer: string;
  /** What the randomizer's card lists as its options: subsetSize, hashRange. */
  readonly [option: string]: unknown;
}

export const SINGLE_MESSAGE_FREQUENCY: FrequencyProtocolCard<
  SingleMessageFrequencySpec,
  ShuffledOracleParameters
> = {
  kind: 'frequency',
  title: 'Single-message frequency',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'local budget',
  byBlocks: true,
  fields: [
    {
      type: 'choice',
      name: 'randomizer',
      choices: CATEGORY_RANDOMIZERS.map(({ name }) => name),
      swept: true,
      required: true,
    },
    LOCAL_BUDGET,
    MESSAGE_ACCOUNTING,
    ...CATEGORY_RANDOMIZERS.flatMap(({ options }) => options.map(optionField)),
  ],
  create: (spec, setting) => singleMessageFrequency(spec, setting),
};

/** The upper end of an option may depend on the domain, which is checked where the randomizer is made. */
function optionField({ name, low, description }: ParameterSpec): ProtocolField {
  const [first = '', ...rest] = description;
  return integerField(name, low.value as number, `${first.toUpperCase()}${rest.join('')}.`);
}

/**
 * @param stage what the messages are called in a trace
 * @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon
 */
export function singleMessageFrequency(
  spec: SingleMessageFrequencySpec,
  setting: CategoricalSetting,
  stage?: string,
): FrequencyProtocol<ShuffledOracleParameters> {
  const { randomizer, epsilon0, accounting } = spec;
  return shuffledOracle(
    (budget) => frequencyOracle(spec, setting.domain, budget),
    {
      title: categoryRandomizer(randomizer).title,
      randomizer,
      ...(epsilon0 === undefined ? {} : { epsilon0 }),
      ...(accounting === undefined ? {} : { accounting }),
      ...(stage === undefined ? {} : { stage }),
    },
    setting,
  );
}

/** The oracle that a spec names. @throws ParameterError */
export function frequencyOracle(
  spec: SingleMessageFrequencySpec,
  domain: number,
  epsilon0: number,
): FrequencyOracle {
  const card = categoryRandomizer(spec.randomizer);
  const options = card.options.flatMap(({ name }) =>
    spec[name] === undefined ? [] : [[name, spec[name] as number] as const],
  );
  return card.make({ ...Object.fromEntries(options), domain, epsilon0 });
}

/** @throws ParameterError */
function categoryRandomizer(name: string): CategoryCard {
  const card = CATEGORY_RANDOMIZERS.find((known) => known.name === name);
  if (card) return card;
  throw new ParameterError(
    'randomizer',
    name,
    `one of ${CATEGORY_RANDOMIZERS.map((known) => known.name).join(', ')}`,
  );
}
