/** Frequency estimation with one message per user, by the oracles of this project. */
import type { ParameterSpec } from '@shuffle-dp/core';
import { CATEGORY_RANDOMIZERS } from '@shuffle-dp/randomizers';
import {
  integerField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  type FrequencyProtocolCard,
  type ProtocolField,
} from '../protocol-card.ts';
import { PERSONAL_CATEGORY_RANDOMIZERS, personalFrequency } from './personal-frequency.ts';
import type { CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { categoryRandomizer, frequencyOracle, type SingleMessageFrequencySpec } from './named-oracle.ts';
import { shuffledOracle, type ShuffledOracleParameters } from './shuffled-oracle.ts';

export const SINGLE_MESSAGE_FREQUENCY: FrequencyProtocolCard<
  SingleMessageFrequencySpec,
  ShuffledOracleParameters
> = {
  kind: 'frequency',
  title: 'Single-message frequency',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'local budget',
  sharpBound: true,
  byBlocks: true,
  ownBudgets: PERSONAL_CATEGORY_RANDOMIZERS,
  fields: [
    {
      type: 'choice',
      name: 'randomizer',
      choices: CATEGORY_RANDOMIZERS.map(({ name }) => name),
      swept: true,
      required: true,
    },
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
    ...CATEGORY_RANDOMIZERS.flatMap(({ options }) => options.map(optionField)),
  ],
  create: (spec, { budgets, ...setting }) =>
    budgets ? personalFrequency(spec, { ...setting, budgets }) : singleMessageFrequency(spec, setting),
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
