/**
 * Any frequency oracle as a protocol: one message per user, the shuffler, and the oracle's unbiased
 * estimator. The local budget is the largest whose shuffled messages meet the central target (Balle, Bell,
 * Gascón and Nissim, "The privacy blanket of the shuffle model", 2019, for the certified accounting).
 */
import { type CategoricalData, type FrequencyOracle, ParameterError } from '@shuffle-dp/core';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import { categoriesOf, checkCategoricalSetting, checkData, type CategoricalSetting } from '../setting.ts';
import { chosenSizes } from '../chosen-sizes.ts';
import { oneRound } from '../message-rounds.ts';
import { jointPaths, type FrequencyProtocol } from '../shuffle-protocol.ts';
import { expectedRangeError } from './range-error.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';

export interface ShuffledOracleOptions extends SingleMessageChoice {
  /** For tables. */
  readonly title: string;
  /** Short name, as in configs. */
  readonly randomizer: string;
  /** What the messages are called in a trace; default 'data messages'. */
  readonly stage?: string;
}

export type ShuffledOracleParameters = SingleMessageParameters & {
  readonly randomizer: string;
};

/**
 * Any frequency oracle as a protocol, with the largest local budget whose shuffled messages meet the target.
 *
 * @param make the oracle at a local budget, for the setting's domain
 * @throws ParameterError, also where neither epsilon0 is fixed nor the setting has an epsilon
 */
export function shuffledOracle(
  make: (epsilon0: number) => FrequencyOracle,
  options: ShuffledOracleOptions,
  setting: CategoricalSetting,
): FrequencyProtocol<ShuffledOracleParameters> {
  checkCategoricalSetting(setting);
  const { users } = setting;
  const { title, randomizer, accounting = 'sharpest', stage = 'data messages' } = options;
  const { epsilon0, by } = localBudget(options.epsilon0, make, setting, accounting);
  const oracle = make(epsilon0);
  if (oracle.domain !== setting.domain)
    throw new ParameterError(
      'the domain of the oracle',
      oracle.domain,
      `${setting.domain}, as that of the setting`,
    );

  return Object.freeze({
    kind: 'frequency',
    name: title,
    description: 'One randomized message per user, shuffled.',
    parameters: Object.freeze({ randomizer, epsilon0, ...chosenSizes(oracle), accounting }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: jointPaths(oracle),
    theoreticalBound: null,
    oracle,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path === 'aggregated') {
        return oracle.estimate(oracle.sampleSupportCounts(data.histogram, stream), users);
      }
      const held = categoriesOf(data, path);
      const shuffled = randomizedAndShuffled(stage, oracle, held, { users, stream, trace });
      return oracle.estimate(oracle.supportCounts(shuffled), users);
    },
    messageRounds: oneRound(
      {
        stage,
        send: (block, stream) => {
          if (block.values === undefined)
            throw new ParameterError('data.values', 'nothing', "every user's category");
          const messages = oracle.allocate(block.users);
          oracle.randomizeInto(block.values, messages, stream);
          return messages;
        },
        count: (part) => oracle.supportCounts(part),
      },
      (counts) => oracle.estimate(counts, users),
    ),
    // Of few outputs epsilons are quick: they are told as closely as ever, however quickly the budget was
    // found.
    ...messageStatements(oracle, { ...setting, relativeGap: undefined }, accounting, by),
    expectedError: (data: CategoricalData) => {
      checkData(data, setting);
      let error = 0;
      for (const holders of data.histogram) error += oracle.variance(users, holders / users);
      return error;
    },
    expectedRangeError: (data: CategoricalData) => {
      checkData(data, setting);
      const { supports, supportProbability } = oracle;
      if (supports === undefined) return null;
      return expectedRangeError({ supports, ...supportProbability }, data.histogram, users);
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: oracle.bitsPerMessage }),
  } satisfies FrequencyProtocol<ShuffledOracleParameters>);
}
