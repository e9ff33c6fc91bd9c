/**
 * PCKV-GRR for key-value data: a user samples one of the own pairs, rounds its value to -1 or 1, and sends
 * pair and sign by randomized response, correlated so that only the pair as sampled is likelier than the
 * rest. X. Gu, M. Li, Y. Cheng, L. Xiong, Y. Cao, "PCKV: Locally Differentially Private Correlated Key-Value
 * Data Collection with Optimized Utility", USENIX Security 2020. Equivalently: a uniform pair of key and
 * sign, but with probability s (p-1) / (s p + 2 d - s) one of the own, p = e^epsilon0; so a message of the
 * own s pairs has probability p / (s p + 2 d - s), every other 1 / (s p + 2 d - s).
 */
import {
  domainUpTo,
  EPSILON0,
  from,
  integer,
  modelOf,
  ParameterError,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type LocalRandomizer,
  type MechanismCard,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { clampTo } from '../numbers/bounded-value.ts';
import { categoryColumn, countCategories, type CategoryColumns } from '../columns/category-column.ts';
import { localRatios } from '../laws/local-ratios.ts';
import {
  estimateFrequencies,
  frequencyVariance,
  SUPPORT_FORMULA,
  type SupportProbability,
} from '../categories/pure-frequency-protocol.ts';
import {
  largestVariation,
  lowBlanket,
  regionAtoms,
  sameAsFirst,
  separateRegions,
  twoLevelLaw,
  type Region,
  type TwoLevelLaw,
} from '../laws/two-level-law.ts';

export interface KeyValueData {
  readonly users: number;
  /** Row-major: the distinct keys of user u stand at u * items. */
  readonly keys: Uint16Array | Uint32Array;
  /** The value of each key, in [-1, 1]; values outside are moved to the nearest end. */
  readonly values: Float64Array;
}

export interface PckvGrrParameters {
  /** Number of keys that exist, those that pad users with fewer pairs included; up to 2^20. */
  readonly domain: number;
  /** Pairs that every user holds, 1 to domain. */
  readonly items: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
}

export interface PckvGrr extends LocalRandomizer<KeyValueData, CategoryColumns> {
  readonly domain: number;
  readonly items: number;
  /** Probability that a message has an own key (first) and any given other key (second). */
  readonly supportProbability: SupportProbability;
  /** How often each pair was sent: key k with sign -1 at 2 k, with sign 1 at 2 k + 1. */
  pairCounts(messages: ShuffledMessages<CategoryColumns>): Float64Array;
  /** Unbiased fractions of the users who hold each key. */
  estimateFrequencies(pairCounts: Float64Array, users: number): Float64Array;
  /** Exact variance of the estimated frequency of a key held by the fraction `frequency` of `users` users. */
  frequencyVariance(users: number, frequency: number): number;
  /** Unbiased sums of each key's values, divided by the users; over the frequency, the key's mean. */
  estimateValues(pairCounts: Float64Array, users: number): Float64Array;
  /**
   * Exact variance of that estimate for a key held by the fraction `frequency` of `users` users.
   * @param meanSquare sum of the squares of the key's values, divided by the users
   */
  valueVariance(users: number, frequency: number, meanSquare: number): number;
  /** log Pr[message | the user's keys and values]. */
  logProbability(message: readonly number[], keys: readonly number[], values: readonly number[]): number;
}

const MOST_KEYS = 2 ** 20;

export const PCKV_GRR: MechanismCard = {
  name: 'pckv-grr',
  title: 'PCKV by randomized response',
  holds: 'key-value pairs',
  description: 'One key-value pair, drawn from those of the user, by correlated randomized response.',
  source: 'Gu et al., USENIX Security 2020',
  citation: 'gu2020',
  parameters: [
    EPSILON0,
    domainUpTo(MOST_KEYS, 'number of keys'),
    integer(
      'items',
      from(1),
      from(({ domain }) => domain, 'domain'),
      'pairs a user',
    ),
  ],
  ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (s p + 2 d - s)', q: 'p' },
  estimator: `${SUPPORT_FORMULA} for keys with ps = (p + 1) / (s p + 2 d - s), ps' = 2 / (s p + 2 d - s)`,
  example: { epsilon0: 1, domain: 32, items: 4 },
  model: (given: Given<'epsilon0' | 'domain' | 'items'>) => modelOf(pckvGrr(given), given),
};

const VALUES = { low: -1, high: 1 };

/**
 * PCKV-GRR for pairs of key and value, with its unbiased estimators.
 *
 * @throws ParameterError
 * @example pckvGrr({ domain: 8, epsilon0: 1, items: 2 }).supportProbability.own // 0.191303
 */
export function pckvGrr({ domain, items, epsilon0 }: PckvGrrParameters): PckvGrr {
  requireInteger('domain', domain, 1, MOST_KEYS);
  requireInteger('items', items, 1, domain);
  requirePositive('epsilon0', epsilon0);
  const pairs = 2 * domain;
  const law = twoLevelLaw(items / pairs, epsilon0);
  const [likely, other] = [law.high / pairs, law.low / pairs];
  /** Probability of an own pair on top of a uniform one. */
  const truthful = -Real.expm1(-epsilon0) * items * likely;
  const gap = truthful / items;
  const support = Object.freeze({ own: likely + other, other: 2 * other });
  return Object.freeze({
    name: 'pckv-grr',
    epsilon0,
    domain,
    items,
    supportProbability: support,
    bitsPerMessage: Math.log2(pairs),
    allocate: (users: number) => ({ columns: { value: categoryColumn(pairs, users) }, count: 0 }),
    randomizeInto({ users, keys, values }, messages, stream) {
      const { value } = messages.columns;
      if (keys.length < users * items || values.length < users * items)
        throw new ParameterError('the number of pairs', keys.length, `at least ${users * items}`);
      for (let user = 0; user < users; user++) {
        if (stream.next() < truthful) {
          const pair = user * items + stream.integerBelow(items);
          const positive = 2 * stream.next() - 1 < clampTo(VALUES, values[pair]!);
          value[user] = 2 * keys[pair]! + (positive ? 1 : 0);
        } else value[user] = stream.integerBelow(pairs);
      }
      messages.count = users;
    },
    pairCounts: ({ columns, count }) => countCategories(columns.value, count, pairs),
    estimateFrequencies: (counts, users) =>
      estimateFrequencies(
        Float64Array.from({ length: domain }, (_, k) => counts[2 * k]! + counts[2 * k + 1]!),
        users,
        support,
      ),
    frequencyVariance: (users, frequency) => frequencyVariance(users, frequency, support),
    estimateValues(counts, users) {
      requireInteger('users', users, 1);
      return Float64Array.from(
        { length: domain },
        (_, k) => (counts[2 * k + 1]! - counts[2 * k]!) / (users * gap),
      );
    },
    valueVariance: (users, frequency, meanSquare) =>
      ((frequency * support.own + (1 - frequency) * support.other) / (gap * gap) - meanSquare) / users,
    logProbability([message], keys, values) {
      const place = keys.indexOf(message! >>> 1);
      if (place < 0) return Real.log(other);
      const value = clampTo(VALUES, values[place]!) * (message! % 2 === 1 ? 1 : -1);
      return Real.log(other + (gap * (1 + value)) / 2);
    },
    amplification: () => profile(domain, items, epsilon0),
  } satisfies PckvGrr);
}

/**
 * Beta: Table 2's row for GRR with 2 d options of which s are the user's. Users with the same keys and
 * opposite values are furthest apart; values inside of (-1, 1) mix such laws.
 */
function profile(domain: number, items: number, epsilon0: number): AmplificationProfile {
  const law = twoLevelLaw(items / (2 * domain), epsilon0, (domain - items) / domain);
  const left = (2 * domain - 3 * items) / (2 * domain);
  return {
    variationRatio: localRatios(epsilon0, largestVariation(law)),
    blanket: [lowBlanket('the same keys with opposite values', law)],
    homogeneous: [
      3 * items <= 2 * domain
        ? regionAtoms(
            'all others hold other pairs than either of the victim',
            law,
            separateRegions(law.share, left),
          )
        : halfLikeEach(domain, items, law),
      sameAsFirst("the victim's first pairs", law),
    ],
  };
}

/**
 * Three users whose keys and signs are as different as may be. The victim's two inputs share 2 s - d keys,
 * with opposite signs; a pair that neither input has is left at each of the other 2 (d - s) keys. Others hold
 * all of those, and of the shared keys half with the one sign and half with the other. Up to s = 2 d / 3
 * those left are enough.
 */
function halfLikeEach(domain: number, items: number, law: TwoLevelLaw): LikelihoodAtoms {
  const left = 2 * (domain - items);
  const shared = items - left;
  const [ofFirst, ofSecond] = [Math.ceil(shared / 2), Math.floor(shared / 2)];
  const regions = (
    [
      [ofFirst, true, false, true],
      [items - ofFirst, true, false, false],
      [ofSecond, false, true, true],
      [items - ofSecond, false, true, false],
      [left, false, false, true],
    ] as const
  ).map(([pairs, ...likely]): Region => [pairs / (2 * domain), ...likely]);
  return regionAtoms(
    "all others hold what pairs the victim leaves, and as many of either input's",
    law,
    regions,
    ofFirst === ofSecond,
  );
}
