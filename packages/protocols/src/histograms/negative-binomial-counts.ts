/**
 * Histograms with negative-binomial noise: every user sends the own category, and a share of messages that
 * add up to a negative binomial number of every category over all users. One-sided counting, for each
 * category apart, of B. Ghazi, R. Kumar, P. Manurangsi, R. Pagh, "Private Counting from Anonymous Messages",
 * ICML 2020; Poisson numbers are the limit of success probability 1.
 *
 * Where we differ: users change their category for another, which moves two counts; the mean is the least by
 * the exact divergence of both.
 */
import {
  from,
  real,
  Real,
  requirePositive,
  sampleLogarithmic,
  sampleNegativeBinomial,
  samplePoisson,
  type RandomStream,
  type UserMessages,
} from '@shuffle-dp/core';
import { exchangedCountDivergence, negativeBinomialNoise } from '@shuffle-dp/accounting';
import { categoryColumn, type CategoryColumns } from '@shuffle-dp/randomizers';
import { leastNoiseMean } from '../least-noise-mean.ts';
import { positiveField, rangeField, type FrequencyProtocolCard } from '../protocol-card.ts';
import { centralTarget, checkCategoricalSetting, type CategoricalSetting } from '../setting.ts';
import type { FrequencyProtocol } from '../shuffle-protocol.ts';
import { noisyCountHistogram, type CountNoise } from './noisy-counts.ts';

export interface NegativeBinomialCountsSpec {
  readonly kind: 'negative-binomial-counts';
  /**
   * Variance of a category's noise over its mean, in [1, 100]; 1 is Poisson. By default that of the least
   * error.
   */
  readonly dispersion?: number;
  /** Noise messages of a user, on average; by default the fewest that meet the setting's target. */
  readonly blanketRate?: number;
}

export const NEGATIVE_BINOMIAL_COUNTS: FrequencyProtocolCard<NegativeBinomialCountsSpec> = {
  kind: 'negative-binomial-counts',
  title: 'Negative-binomial counts',
  dataKind: 'categories',
  task: 'frequencies',
  setByTarget: 'blankets',
  fields: [
    rangeField(
      real('dispersion', from(1), from(100), 'dispersion'),
      'a number from 1 to 100',
      "The variance of a category's noise over its mean; 1 is Poisson. By default the value with the least error.",
    ),
    positiveField(
      'blanketRate',
      'Noise messages of a user on average; by default the fewest that meet privacy.epsilon.',
    ),
  ],
  create: negativeBinomialCounts,
};

/** @throws ParameterError, also where neither the spec fixes blanketRate nor the setting an epsilon */
export function negativeBinomialCounts(
  spec: NegativeBinomialCountsSpec,
  setting: CategoricalSetting,
): FrequencyProtocol {
  checkCategoricalSetting(setting);
  const { users, domain } = setting;
  const { mean, success } = chooseNoise(spec, setting);
  const noise: CountNoise = {
    law: negativeBinomialNoise(mean, success),
    sample: (stream) =>
      success === 1
        ? samplePoisson(mean, stream)
        : sampleNegativeBinomial((mean * success) / (1 - success), success, stream),
  };
  return noisyCountHistogram(
    {
      kind: 'negative-binomial-counts',
      name: 'Negative-binomial counts',
      description: 'The own category in the clear, among a random number of messages of every category.',
      rate: 1,
      noise,
      trust: 'shuffler',
      // A share of negative binomial noise has the share of its mean, and its success probability.
      noiseOf: (left) => negativeBinomialNoise((mean * left) / users, success),
      messagesPerUser: 1 + (domain * mean) / users,
      parameters: { dispersion: 1 / success, blanketRate: (domain * mean) / users },
      send: (values, stream) => withShares(values, domain, mean, success, stream),
    },
    setting,
  );
}

/** Dispersions that are tried: near the best one the variance that is needed hardly depends on them. */
const DISPERSIONS = [1, 1.4, 2, 3, 4, 6, 8];

function chooseNoise(
  spec: NegativeBinomialCountsSpec,
  setting: CategoricalSetting,
): { readonly mean: number; readonly success: number } {
  const { users, domain, delta } = setting;
  if (spec.blanketRate !== undefined) {
    const mean = (requirePositive('blanketRate', spec.blanketRate) * users) / domain;
    return { mean, success: 1 / (spec.dispersion ?? 1) };
  }
  const target = {
    epsilon: centralTarget(setting, 'blanketRate'),
    delta,
    most: MOST_MEAN,
    messages: 'messages of a category',
  };
  let best: { readonly mean: number; readonly success: number } | undefined;
  for (const dispersion of spec.dispersion === undefined ? DISPERSIONS : [spec.dispersion]) {
    const success = 1 / dispersion;
    const divergenceAt = (mean: number): number =>
      exchangedCountDivergence(negativeBinomialNoise(mean, success), 1, target.epsilon).upper;
    const near = best && (best.mean / best.success) * success;
    const mean = leastNoiseMean(divergenceAt, target, near);
    if (best === undefined || mean / success < best.mean / best.success) best = { mean, success };
  }
  return best!;
}

const MOST_MEAN = 1e12;

/**
 * User by user the own category and a share of the noise. A share of a negative binomial number is a Poisson
 * number of bundles of one category each, of logarithmic sizes; of Poisson noise the bundles are single
 * messages.
 */
function withShares(
  values: Uint32Array,
  domain: number,
  mean: number,
  success: number,
  stream: RandomStream,
): UserMessages<CategoryColumns> {
  const perUser = (domain * mean) / values.length;
  const bundles = success === 1 ? perUser : (-perUser * success * Real.log(success)) / (1 - success);
  let sent = categoryColumn(domain, Math.ceil(1.2 * values.length * (1 + perUser)) + 64);
  let count = 0;
  const add = (category: number, copies: number): void => {
    if (count + copies > sent.length) {
      const longer = categoryColumn(domain, 2 * sent.length + copies);
      longer.set(sent);
      sent = longer;
    }
    sent.fill(category, count, count + copies);
    count += copies;
  };
  for (let i = 0; i < values.length; i++) {
    add(values[i]!, 1);
    for (let more = samplePoisson(bundles, stream); more > 0; more--)
      add(stream.integerBelow(domain), success === 1 ? 1 : sampleLogarithmic(success, stream));
  }
  return { columns: { value: sent }, count };
}
