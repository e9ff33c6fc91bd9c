/**
 * Frequency estimation with one message per user: a frequency oracle, the shuffler, and its unbiased estimator. The local
 * budget is the largest whose shuffled messages meet the central target (Balle, Bell, Gascón and Nissim, "The privacy blanket of
 * the shuffle model", 2019, for the certified accounting).
 */
import {
  ParameterError,
  requirePositive,
  type CategoricalData,
  type FrequencyOracle,
} from '@shuffle-dp/core';
import {
  generalizedRandomizedResponse,
  hadamardResponse,
  localHashing,
  optimizedUnaryEncoding,
  subsetSelection,
  symmetricUnaryEncoding,
} from '@shuffle-dp/randomizers';
import { largestLocalBudget, singleMessagePrivacy } from '../local-budget.ts';
import { onDemand } from '../on-demand.ts';
import { checkCategoricalSetting, checkData, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import type { FrequencyRandomizerName, SingleMessageFrequencySpec } from '../specs.ts';
import { formatMessage, shuffleWithTrace } from '../traced-shuffle.ts';

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
  stage = 'data messages',
): FrequencyProtocol {
  checkCategoricalSetting(setting);
  const { users, domain, delta } = setting;
  const accounting = spec.accounting ?? 'blanket';
  const make = (epsilon0: number): FrequencyOracle => frequencyOracle(spec, domain, epsilon0);
  const epsilon0 = spec.epsilon0 ?? largestLocalBudget(make, users, target(setting), delta, accounting);
  const oracle = make(epsilon0);
  const group = 'all users';

  return Object.freeze({
    kind: 'frequency',
    name: TITLES[spec.randomizer],
    description: 'One randomized message per user, shuffled.',
    parameters: Object.freeze({ randomizer: spec.randomizer, epsilon0, accounting }),
    paths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated') {
        return oracle.estimate(oracle.sampleSupportCounts(data.histogram, stream), users);
      }
      if (data.values === undefined) {
        throw new ParameterError('path', path, "'aggregated' for data that are only a histogram");
      }
      const messages = oracle.allocate(users);
      oracle.randomizeInto(data.values, messages, stream.fork('messages'));
      const shuffled = shuffleWithTrace(stage, messages, stream, formatMessage, trace);
      return oracle.estimate(oracle.supportCounts(shuffled), users);
    },
    privacy: onDemand(() => [singleMessagePrivacy(oracle, users, delta, accounting, group)]),
    certifiedPrivacy: onDemand(() => [singleMessagePrivacy(oracle, users, delta, 'blanket', group)]),
    expectedError: (data: CategoricalData) => {
      checkData(data, setting);
      let error = 0;
      for (const holders of data.histogram) error += oracle.variance(users, holders / users);
      return error;
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: oracle.bitsPerMessage }),
  } satisfies FrequencyProtocol);
}

function target({ epsilon }: CategoricalSetting): number {
  if (epsilon === undefined) {
    throw new ParameterError('epsilon', 'nothing', 'given, or the local budget epsilon0 fixed');
  }
  return requirePositive('epsilon', epsilon);
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
