/**
 * Hadamard response with blocks as a protocol: one index per user, shuffled; all frequencies by one transform
 * for each block. More blocks favour fewer indices, which is better at larger budgets.
 */
import { ParameterError } from '@shuffle-dp/core';
import { blockHadamardResponse, type BlockHadamardResponse } from '@shuffle-dp/randomizers';
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
import { randomizedAndShuffled } from '../traced-shuffle.ts';

export interface BlockHadamardSpec extends SingleMessageChoice {
  readonly kind: 'block-hadamard';
  /**
   * A power of two. Default at a central target the one of the least error for users spread evenly; at a
   * given budget the largest below both e^epsilon0 and twice the domain.
   */
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
  messagesOnly: true,
  fields: [
    integerField(
      'blocks',
      1,
      'Blocks of the matrix, a power of two; default the best for the target, or the budget.',
    ),
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
  const withBlocks = (given: number | undefined) => {
    const make = (budget: number) =>
      blockHadamardResponse({ domain, epsilon0: budget, ...(given === undefined ? {} : { blocks: given }) });
    const chosen = localBudget(spec.epsilon0, make, setting, accounting);
    return { ...chosen, randomizer: make(chosen.epsilon0) };
  };
  // At a target each number of blocks has a budget of its own, and none is the best everywhere: values of one
  // block overlap, and hide each other.
  const powers = Array.from({ length: Math.ceil(Math.log2(domain)) + 1 }, (_, i) => 2 ** i);
  const isFree = spec.blocks === undefined && spec.epsilon0 === undefined;
  const evenly = new Float64Array(domain).fill(users / domain);
  const best = isFree
    ? powers
        .map((blocks) => {
          const made = withBlocks(blocks);
          return { ...made, error: errorOf(made.randomizer, users, evenly) };
        })
        .reduce((least, made) => (made.error < least.error ? made : least))
    : withBlocks(spec.blocks);
  const { epsilon0, by, randomizer } = best;
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
      const run = { users, stream, trace };
      const shuffled = randomizedAndShuffled('data messages', randomizer, data.values, run);
      return randomizer.estimate(randomizer.scores(shuffled), users);
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: (data) => {
      checkData(data, setting);
      return errorOf(randomizer, users, data.histogram);
    },
    expectedRangeError: () => null,
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies FrequencyProtocol<BlockHadamardParameters>);
}

/** The expected sum of squared errors, by the holders of each category. */
function errorOf(
  { blocks, blockOf, variance }: BlockHadamardResponse,
  users: number,
  histogram: Float64Array,
): number {
  const blockHolders = new Float64Array(blocks);
  histogram.forEach((holders, value) => (blockHolders[blockOf(value)]! += holders));
  return histogram.reduce(
    (error, holders, value) =>
      error + variance(users, holders / users, blockHolders[blockOf(value)]! / users),
    0,
  );
}
