/**
 * Frequencies and means of key-value pairs with one message per user: PCKV-GRR, shuffled. X. Gu, M. Li, Y.
 * Cheng, L. Xiong, Y. Cao, "PCKV: Locally Differentially Private Correlated Key-Value Data Collection with
 * Optimized Utility", USENIX Security 2020.
 *
 * The frequency of a key and the sum of its values are estimated without bias; its mean is their ratio, which
 * is consistent and not unbiased.
 */
import { ParameterError, requirePositive, sampleBinomial, type RandomStream } from '@shuffle-dp/core';
import { pckvGrr, type PckvGrr } from '@shuffle-dp/randomizers';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import { LOCAL_BUDGET, SINGLE_MESSAGE_ACCOUNTING, type KeyValueProtocolCard } from '../protocol-card.ts';
import { checkKeyValueSetting, type KeyValueSetting } from '../setting.ts';
import type { KeyValueProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkKeyValues, type KeyValueCounts, type KeyValuedData } from './key-valued-data.ts';

export interface PckvSpec extends SingleMessageChoice {
  readonly kind: 'pckv-grr';
}

export type PckvParameters = SingleMessageParameters & {
  /** Range of the values. */
  readonly low: number;
  readonly high: number;
};

export const PCKV: KeyValueProtocolCard<PckvSpec, PckvParameters> = {
  kind: 'pckv-grr',
  title: 'PCKV by randomized response',
  dataKind: 'key-values',
  task: 'frequencies',
  setByTarget: 'local budget',
  fields: [LOCAL_BUDGET, SINGLE_MESSAGE_ACCOUNTING],
  create: pckv,
};

/** Above this share of a frequency its deviation is too large for the first-order error of the ratio. */
const MOST_DEVIATION = 0.2;

/** @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon */
export function pckv(spec: PckvSpec, setting: KeyValueSetting): KeyValueProtocol<PckvParameters> {
  checkKeyValueSetting(setting);
  const { users, domain, items, measure } = setting;
  const { low, high } = setting.range;
  const { accounting = 'sharpest' } = spec;
  const middle = (low + high) / 2;
  const half = (high - low) / 2;
  const make = (epsilon0: number): PckvGrr => pckvGrr({ domain, items, epsilon0 });
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  const randomizer = make(requirePositive('epsilon0', epsilon0));

  const estimate = (pairCounts: Float64Array): Float64Array => {
    const frequencies = randomizer.estimateFrequencies(pairCounts, users);
    if (measure === 'frequencies') return frequencies;
    const values = randomizer.estimateValues(pairCounts, users);
    // A key is held by one user at least, or has no mean: nothing is divided by less.
    return values.map((value, key) => middle + (half * value) / Math.max(frequencies[key]!, 1 / users));
  };

  return Object.freeze({
    kind: 'pckv-grr',
    name: 'PCKV by randomized response',
    description:
      measure === 'frequencies'
        ? 'One of the own pairs by randomized response, shuffled.'
        : 'One of the own pairs by randomized response, shuffled; a mean is the ratio of two unbiased estimates, and biased by that.',
    parameters: Object.freeze({ epsilon0, accounting, low, high }),
    paths: ['messages', 'aggregated'] as const,
    // Each key's two counts have their joint law on the aggregated path; nothing is said of two keys.
    jointPaths: ['messages'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      checkKeyValues(data, setting);
      if (path === 'aggregated') {
        if (data.counts === undefined)
          throw new ParameterError('path', path, "'messages': the values are too many to count");
        return estimate(samplePairCounts(randomizer, users, data.counts, { middle, half }, stream));
      }
      if (data.pairs === undefined)
        throw new ParameterError('path', path, "'aggregated' for data that are only counted");
      const { keys, values } = data.pairs;
      const placed = { users, keys, values: values.map((value) => (value - middle) / half) };
      const shuffled = randomizedAndShuffled('pairs', randomizer, placed, { users, stream, trace });
      return estimate(randomizer.pairCounts(shuffled));
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: (data) => {
      checkKeyValues(data, setting);
      let error = 0;
      // An added key has no mean that anybody asks for.
      const counted = measure === 'means' ? (data.keys ?? domain) : domain;
      for (let key = 0; key < counted; key++) {
        const frequency = data.histogram[key]! / users;
        const spread = randomizer.frequencyVariance(users, frequency);
        if (measure === 'frequencies') error += spread;
        else {
          if (Math.sqrt(spread) > MOST_DEVIATION * frequency) return null;
          error += half * half * ratioVariance(randomizer, data, key, { middle, half });
        }
      }
      return error;
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies KeyValueProtocol<PckvParameters>);
}

interface Placing {
  readonly middle: number;
  readonly half: number;
}

/**
 * To first order the variance of s/f for a key, values placed in [-1, 1]: (Var s - 2 m Cov + m^2 Var
 * f) / f^2. A message has the key with probability a = own for a holder, and its sign the mean g v for one
 * with value v, so that Cov = (1 - a) s / (n g).
 */
function ratioVariance(
  { supportProbability: { own, other }, frequencyVariance, valueVariance }: PckvGrr,
  { users, histogram, sums, squares }: KeyValuedData,
  key: number,
  { middle, half }: Placing,
): number {
  const holders = histogram[key]!;
  const frequency = holders / users;
  const sum = (sums[key]! - holders * middle) / half / users;
  const square =
    (squares[key]! - 2 * middle * sums[key]! + holders * middle * middle) / (half * half) / users;
  const mean = sum / frequency;
  const covariance = ((1 - own) * sum) / (users * (own - other));
  return (
    (valueVariance(users, frequency, square) -
      2 * mean * covariance +
      mean * mean * frequencyVariance(users, frequency)) /
    (frequency * frequency)
  );
}

/**
 * Counts of every key with both signs, each key's by their exact joint law: holders value by value, then all
 * other users.
 */
function samplePairCounts(
  { domain, supportProbability: { own, other } }: PckvGrr,
  users: number,
  { values, holders }: KeyValueCounts,
  { middle, half }: Placing,
  stream: RandomStream,
): Float64Array {
  const counts = new Float64Array(2 * domain);
  const gap = own - other;
  for (let key = 0; key < domain; key++) {
    let others = users;
    const add = (count: number, positive: number, any: number): void => {
      const sent = sampleBinomial(count, any, stream);
      const ups = sampleBinomial(sent, positive / any, stream);
      counts[2 * key]! += sent - ups;
      counts[2 * key + 1]! += ups;
    };
    values.forEach((value, j) => {
      const count = holders[key * values.length + j]!;
      if (count === 0) return;
      others -= count;
      const place = Math.min(1, Math.max(-1, (value - middle) / half));
      add(count, (other + gap * (1 + place)) / 2, own);
    });
    add(others, other / 2, other);
  }
  return counts;
}
