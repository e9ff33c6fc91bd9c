/** Frequency estimation with one message per user, by the oracles of this project. */
import { ParameterError, type FrequencyOracle } from '@shuffle-dp/core';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import type { CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import type { FrequencyRandomizerName, SingleMessageFrequencySpec } from '../specs.ts';
import { shuffledOracle } from './shuffled-oracle.ts';

const TITLES: Readonly<Record<FrequencyRandomizerName, string>> = {
  grr: 'Generalized randomized response',
  'binary-rr': 'Symmetric unary encoding',
  oue: 'Optimized unary encoding',
  subset: 'Subset selection',
  'local-hash': 'Local hashing',
  hadamard: 'Hadamard response',
};

/**
 * @param stage what the messages are called in a trace
 * @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon
 */
export function singleMessageFrequency(
  spec: SingleMessageFrequencySpec,
  setting: CategoricalSetting,
  stage?: string,
): FrequencyProtocol {
  const { randomizer, epsilon0, accounting } = spec;
  return shuffledOracle(
    (budget) => frequencyOracle(spec, setting.domain, budget),
    {
      title: TITLES[randomizer],
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
  const { randomizer, subsetSize, hashRange } = spec;
  switch (randomizer) {
    case 'grr':
      return generalizedRandomizedResponse({ domain, epsilon0 });
    case 'binary-rr':
      return symmetricUnaryEncoding({ domain, epsilon0 });
    case 'oue':
      return optimizedUnaryEncoding({ domain, epsilon0 });
    case 'subset':
      return subsetSelection({ domain, epsilon0, ...(subsetSize === undefined ? {} : { subsetSize }) });
    case 'local-hash':
      return localHashing({ domain, epsilon0, ...(hashRange === undefined ? {} : { hashRange }) });
    case 'hadamard':
      return hadamardResponse({ domain, epsilon0 });
    default:
      throw new ParameterError(
        'randomizer',
        randomizer satisfies never,
        `one of ${Object.keys(TITLES).join(', ')}`,
      );
  }
}
