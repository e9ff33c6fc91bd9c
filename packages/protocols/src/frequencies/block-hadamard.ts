/**
 * Hadamard response with blocks as a protocol: one index per user, shuffled; all frequencies by one transform
 * for each block. More blocks favour fewer indices, which is better at larger budgets.
 */
import { ParameterError } from '@shuffle-dp/core';
import { blockHadamardResponse } from '@shuffle-dp/randomizers';
import {
  integerField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  type FrequencyProtocolCard,
} from '../protocol-card.ts';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import { checkCategoricalSetting, checkData, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { shuffleWithTrace } from '../traced-shuffle.ts';

export interface BlockHadamardSpec extends SingleMessageChoice {
  readonly kind: 'block-hadamard';
  /** A power of two; default the largest below both e^epsilon0 and twice the domain. */
  readonly blocks?: number;
}

export type BlockHadamardParameters = SingleMessageParameters & {
  readonly blocks: number;
  /** Indices that a message is one of. */
  readonly order: number;
};

export const BLOCK_HADAMARD: FrequencyProtocolCard<BlockHadamardSpec, BlockHadamardParameters> = {
  kind: 'block-hadamard',
  title: 'Hadamard response with blocks',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'local budget',
  sharpBound: true,
  fields: [
    integerField('blocks', 1, 'Blocks of the matrix, a power of two; default the best for the budget.'),
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
  ],
  create: blockHadamard,
};

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function blockHadamard(
  spec: BlockHadamardSpec,
  setting: CategoricalSetting,
): FrequencyProtocol<BlockHadamardParameters> {
  checkCategoricalSetting(setting);
  const { users, domain } = setting;
  const { accounting = 'sharpest' } = spec;
  const make = (budget: number) =>
    blockHadamardResponse({
      domain,
      epsilon0: budget,
      ...(spec.blocks === undefined ? {} : { blocks: spec.blocks }),
    });
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  const randomizer = make(epsilon0);
  const { blocks, order } = randomizer;
  return Object.freeze({
    kind: 'block-hadamard',
    name: 'Hadamard response with blocks',
    description: 'One index of a matrix of blocks per user, shuffled.',
    parameters: Object.freeze({ blocks, order, epsilon0, accounting }),
    paths: ['messages'] as const,
    jointPaths: ['messages'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkData(data, setting);
      if (path !== 'messages' || data.values === undefined)
        throw new ParameterError('path', path, "'messages', of users one by one");
      const messages = randomizer.allocate(users);
      randomizer.randomizeInto(data.values, messages, stream.fork('messages'));
      const shuffled = shuffleWithTrace('data messages', messages, stream, trace);
      return randomizer.estimate(randomizer.scores(shuffled), users);
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: ({ histogram, ...data }) => {
      checkData(data, setting);
      const blockHolders = new Float64Array(blocks);
      histogram.forEach((holders, value) => (blockHolders[randomizer.blockOf(value)]! += holders));
      return histogram.reduce(
        (error, holders, value) =>
          error +
          randomizer.variance(users, holders / users, blockHolders[randomizer.blockOf(value)]! / users),
        0,
      );
    },
    expectedRangeError: () => null,
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies FrequencyProtocol<BlockHadamardParameters>);
}
