/**
 * Binary sums among coins: the own bit in the clear among blanket messages that are 1 with a known
 * probability. V. Balcer, A. Cheu, "Separating Local and Shuffled Differential Privacy via Histograms", ITC
 * 2020, with a biased coin; V. Balcer, A. Cheu, M. Joseph, J. Mao, "Connecting Robust Shuffle Privacy and
 * Pan-Privacy", SODA 2021, with the uniform one.
 *
 * Where we differ: the number of coins is the least by exact accounting, not one per user. As all data
 * messages stand in the clear, every data set is protected alike, and the certified bound is exact.
 */
import { rangeField } from '../protocol-card.ts';
import {
  beyond,
  ParameterError,
  real,
  sampleBinomial,
  type Given,
  type MechanismCard,
  setByTarget,
} from '@shuffle-dp/core';
import { countCategories, fillRandomBits } from '@shuffle-dp/randomizers';
import { histogramCard, type HistogramSpecFields } from './blanket-histogram.ts';
import { BLANKETS_AND_VICTIM, coinsProfile, hiddenByBlankets } from './blanket-profiles.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface BalcerCheuSpec extends HistogramSpecFields {
  readonly kind: 'balcer-cheu';
  /** Probability that a blanket message is 1, in (0, 1); default 1/2, the uniform coin. */
  readonly coin?: number;
}

export const COINS_HISTOGRAM = /* @__PURE__ */ histogramCard<BalcerCheuSpec, 'coin'>({
  kind: 'balcer-cheu',
  title: 'Binary sums among coins',
  description: 'The own bit in the clear among coins of known bias.',
  fields: [
    rangeField(
      real('coin', beyond(0), beyond(1), 'coin'),
      'in (0, 1)',
      'Probability that a blanket message is 1; default 1/2.',
    ),
  ],
  messages({ coin = UNIFORM_COIN }, { domain }) {
    if (domain !== 2) throw new ParameterError('domain', domain, '2: the protocol sums bits');
    return { scheme: clearBits(coin), parameters: { coin } };
  },
});

const UNIFORM_COIN = 0.5;

type CoinColumns = { readonly value: Uint32Array };

export const COINS: MechanismCard = {
  name: 'balcer-cheu',
  title: 'Binary sums among coins',
  holds: 'a bit',
  description: 'A bit in the clear among coins that show 1 with a known probability.',
  source: 'Balcer and Cheu, ITC 2020',
  citation: 'balcer2020',
  parameters: [
    // A coin of more than 1/2 is as one of less.
    setByTarget(real('coin', beyond(0), beyond(1), 'probability c that a blanket message is 1'), 0.5, 1e-9),
  ],
  usersMean: BLANKETS_AND_VICTIM,
  ratios: { p: 'inf', beta: '1', q: 'max(1/c, 1/(1-c))' },
  estimator: 'the number of ones less c times the number of blanket messages',
  example: { coin: 0.25 },
  model: (given: Given<'coin'>) => hiddenByBlankets(coinsProfile(given.coin), given),
};

function clearBits(coin: number): MessageScheme<CoinColumns> {
  return Object.freeze({
    bitsPerMessage: 1,
    support: { own: 1, other: 0, blanket: Float64Array.of(1 - coin, coin) },
    amplification: coinsProfile(coin),
    epsilon0: Infinity,
    othersAsSlots: () => 0,
    send(values, blankets, stream) {
      const count = values.length + blankets;
      const value = new Uint32Array(count);
      value.set(values);
      fillRandomBits(value.subarray(values.length), blankets, coin, 1, stream);
      return { columns: { value }, count };
    },
    supportCounts: ({ columns, count }) => countCategories(columns.value, count, 2),
    sampleSupportCounts([zeros, ones], blankets, stream) {
      const heads = sampleBinomial(blankets, coin, stream);
      return Float64Array.of(zeros! + blankets - heads, ones! + heads);
    },
    jointSupportCounts: true,
    supports: 'at-most-one',
  } satisfies MessageScheme<CoinColumns>);
}
