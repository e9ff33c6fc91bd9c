/**
 * Hadamard response with blocks: the order-K index space is cut into B blocks, values are shared out among
 * them, and a user sends an index; those of the own block where the row of the own value is +1 are e^epsilon0
 * times as likely as the others. J. Acharya, Z. Sun, H. Zhang, "Hadamard Response", AISTATS 2019. One block
 * is `hadamardResponse`; for large budgets about e^epsilon0 are best.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  integer,
  modelOf,
  optional,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type CategoryCard,
  type LocalRandomizer,
  type MechanismModel,
  type Given,
  type ParameterValues,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { categoryColumn, countCategories, type CategoryColumns } from '../columns/category-column.ts';
import { blockHadamardInputs, sameBlockRegions } from '../laws/block-hadamard-inputs.ts';
import { hadamardResponse, parity, walshHadamard } from './hadamard-response.ts';
import { SUPPORT_FORMULA, type CategoryParameters } from './pure-frequency-protocol.ts';
import { localRatios } from '../laws/local-ratios.ts';
import {
  lowBlanket,
  regionAtoms,
  sameAsFirst,
  separateRegions,
  twoLevelLaw,
  type TwoLevelLaw,
} from '../laws/two-level-law.ts';

export interface BlockHadamardResponseParameters extends CategoryParameters {
  /** A power of two; default the largest below both e^epsilon0 and 2 domain, at least 1. */
  readonly blocks?: number;
}

export interface BlockHadamardResponse extends LocalRandomizer<Uint32Array, CategoryColumns> {
  readonly domain: number;
  /** K, the number of indices. */
  readonly order: number;
  /** B. */
  readonly blocks: number;
  /**
   * Half the signed sums: a message scores 1/2 or -1/2 for all values of its block, by their rows, and 0 for
   * others.
   */
  scores(messages: ShuffledMessages<CategoryColumns>): Float64Array;
  /** Unbiased estimates of the frequencies; may leave [0, 1]. */
  estimate(scores: Float64Array, users: number): Float64Array;
  /**
   * Exact variance of the estimate of a value held by the fraction `frequency` of `users` users.
   * @param blockFrequency fraction of users with any value of its block
   */
  variance(users: number, frequency: number, blockFrequency: number): number;
  /** Block of a value. */
  blockOf(value: number): number;
  logProbability(message: readonly number[], value: number): number;
}

const DOMAIN = domainUpTo(2 ** 20);
const favoured = ({ order, blocks = 1 }: ParameterValues): number | undefined =>
  order && order / (2 * blocks);

export const HADAMARD: CategoryCard = {
  name: 'hadamard',
  title: 'Hadamard response',
  holds: 'a category',
  description:
    'A random column of a Hadamard matrix; columns in which the row of the category is +1 are likelier.',
  source: 'Acharya, Sun and Zhang, AISTATS 2019',
  citation: 'acharya2019',
  parameters: [
    EPSILON0,
    { ...integer('order', from(4), from(2 ** 20), 'order of the matrix'), kind: 'power of two' },
    optional(
      integer(
        'support',
        from(favoured, 'order / (2 blocks)'),
        from(favoured, 'order / (2 blocks)'),
        'indices that a category favours',
      ),
    ),
    optional({
      ...integer(
        'blocks',
        from(1),
        from(({ order }) => order && order / 2, 'order / 2'),
        'blocks of the matrix; default 1',
      ),
      kind: 'power of two',
    }),
  ],
  options: [],
  ratios: {
    p: 'e^epsilon0',
    beta: 'with s = order / (2 blocks): s (p - 1) / (s p + order - s), of which one block has half',
    q: 'p',
  },
  estimator: `${SUPPORT_FORMULA} with ps = p / (p + 1), ps' = 1/2; all counts by one Walsh-Hadamard transform`,
  example: { epsilon0: 1, order: 16 },
  make: hadamardResponse,
  model: modelOfOrder,
};

function modelOfOrder(given: Given<'epsilon0' | 'order'>): MechanismModel {
  const { epsilon0, order, blocks = 1 } = given;
  const shown = { ...given, support: order / blocks / 2, blocks };
  // Every block has a row for each value but that of all ones.
  const domain = blocks * (order / blocks - 1);
  return blocks === 1
    ? modelOf(hadamardResponse({ epsilon0, domain }), shown)
    : modelOf(blockHadamardResponse({ epsilon0, domain, blocks }), shown);
}

/**
 * Hadamard response with blocks, as a frequency oracle.
 *
 * @throws ParameterError
 * @example blockHadamardResponse({ domain: 8, epsilon0: 1, blocks: 2 }).epsilon0 // 1
 */
export function blockHadamardResponse(parameters: BlockHadamardResponseParameters): BlockHadamardResponse {
  const { domain, epsilon0 } = parameters;
  checkParameter(DOMAIN, domain);
  requirePositive('epsilon0', epsilon0);
  const blocks = parameters.blocks ?? defaultBlocks(domain, epsilon0);
  requireInteger('blocks', blocks, 1, 2 * domain);
  if (2 ** Math.round(Math.log2(blocks)) !== blocks)
    throw new ParameterError('blocks', blocks, 'a power of two');
  const size = 2 ** Math.ceil(Math.log2(Math.ceil(domain / blocks) + 1));
  /** The row of ones is no value's. */
  const perBlock = size - 1;
  const order = blocks * size;
  const law = twoLevelLaw(1 / (2 * blocks), epsilon0);
  /** Probability of one of the own indices on top of a uniform index. */
  const truthful = law.share * (law.high - law.low);
  const gap = truthful / 2;
  const likely = (message: number, value: number): boolean =>
    Math.floor(message / size) === Math.floor(value / perBlock) &&
    parity((message % size) & ((value % perBlock) + 1)) === 0;
  return Object.freeze({
    name: 'block-hadamard',
    epsilon0,
    domain,
    order,
    blocks,
    bitsPerMessage: Math.log2(order),
    allocate: (users: number) => ({ columns: { value: categoryColumn(order, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let i = 0; i < values.length; i++) {
        if (stream.next() < truthful) {
          const block = Math.floor(values[i]! / perBlock);
          const row = values[i]! - block * perBlock + 1;
          const index = stream.integerBelow(size);
          // Flipping the row's lowest bit sets the sign right.
          value[i] = block * size + (parity(index & row) === 0 ? index : index ^ (row & -row));
        } else value[i] = stream.integerBelow(order);
      }
      messages.count = values.length;
    },
    scores({ columns, count }) {
      const indices = countCategories(columns.value, count, order);
      for (let block = 0; block < blocks; block++)
        walshHadamard(indices.subarray(block * size, (block + 1) * size));
      return Float64Array.from(
        { length: domain },
        (_, v) => indices[Math.floor(v / perBlock) * size + (v % perBlock) + 1]! / 2,
      );
    },
    estimate(scores, users) {
      requireInteger('users', users, 1);
      return scores.map((score) => score / (users * gap));
    },
    variance(users, frequency, blockFrequency) {
      // 1 / truthful is 1 + low / truthful, and no digits are lost of budgets however large or small.
      const above = law.share * law.rise;
      const uniform = (law.low / above) * (blockFrequency + 1 / (blocks * above));
      return (blockFrequency - frequency + uniform) / users;
    },
    blockOf: (value) => Math.floor(value / perBlock),
    logProbability: ([message], value) => Real.log((likely(message!, value) ? law.high : law.low) / order),
    amplification: () => {
      const used = Math.ceil(domain / perBlock);
      const typed = blockHadamardInputs(law, used, domain);
      return { ...profile(epsilon0, law, used, Math.min(domain, perBlock)), typed };
    },
  } satisfies BlockHadamardResponse);
}

function defaultBlocks(domain: number, epsilon0: number): number {
  return 2 ** Math.max(0, Math.ceil(Math.min(epsilon0 / Math.LN2, Math.log2(2 * domain))) - 1);
}

/**
 * Beta: Wang et al. 2024, Table 2; values of one block share half of their indices, values of different
 * blocks none.
 * @param used blocks that hold values
 * @param inFirst values of the first block
 */
function profile(epsilon0: number, law: TwoLevelLaw, used: number, inFirst: number): AmplificationProfile {
  const { share } = law;
  const overlap = used > 1 ? 0 : share / 2;
  const another = "all others hold another value of the block of the victim's first";
  return {
    variationRatio: localRatios(epsilon0, (share - overlap) * law.rise),
    blanket: [lowBlanket(used > 1 ? 'values of different blocks' : 'any two inputs', law, overlap)],
    homogeneous: [
      ...(used > 2
        ? [regionAtoms('all others hold a value of a third block', law, separateRegions(share))]
        : []),
      ...(used > 1 && inFirst > 1 ? [regionAtoms(another, law, sameBlockRegions(share), false)] : []),
      sameAsFirst("the victim's first value", law, overlap),
    ],
  };
}
