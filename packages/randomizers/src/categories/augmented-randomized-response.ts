/**
 * Augmented randomized response: with one probability a user answers by generalized randomized response,
 * otherwise "nothing", an output of its own. A. Shvets, "Growing Alphabets in Canonical Shuffle Experiments",
 * arXiv:2603.18080, 2026, and "Anchored Likelihood-Ratio Geometry of Anonymous Shuffle Experiments",
 * arXiv:2603.21197, 2026: the optimum for a budget of one pair of data sets, in which all other users hold
 * the victim's value. That pair is not the worst (the claim canonical.augmented-rr).
 */
import {
  beyond,
  checkParameter,
  domainUpTo,
  EPSILON0,
  from,
  modelOf,
  real,
  Real,
  requirePositive,
  sampleBinomial,
  sampleUniformMultinomial,
  type FrequencyOracle,
  type Given,
  type MechanismCard,
} from '@shuffle-dp/core';
import { categoryColumn, countCategories, type CategoryColumns } from '../columns/category-column.ts';
import { answersProfile } from '../laws/answers-profile.ts';
import {
  frequencyEstimator,
  sampleKept,
  SUPPORT_FORMULA,
  type CategoryParameters,
} from './pure-frequency-protocol.ts';

export interface AugmentedRandomizedResponseParameters extends CategoryParameters {
  /** Probability that a user answers at all, in (0, 1]. */
  readonly informative: number;
}

const DOMAIN = domainUpTo(2 ** 21 - 1);
const INFORMATIVE = real('informative', beyond(0), from(1), 'probability s that a user sends an answer');

export const AUGMENTED_RR: MechanismCard = {
  name: 'augmented-rr',
  title: 'Augmented randomized response',
  holds: 'a category',
  description: 'Randomized response with probability s, otherwise the message "nothing".',
  source: 'Shvets, arXiv 2603.18080, 2026',
  citation: 'shvets2026',
  parameters: [EPSILON0, DOMAIN, INFORMATIVE],
  ratios: { p: 'e^epsilon0', beta: 's (p - 1) / (p + d - 1)', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = s p / (p + d - 1), ps' = s / (p + d - 1)`,
  example: { epsilon0: 3, domain: 16, informative: 0.5 },
  model: (given: Given<'epsilon0' | 'domain' | 'informative'>) =>
    modelOf(augmentedRandomizedResponse(given), given),
};

/**
 * Randomized response that may also answer "nothing", as a frequency oracle.
 *
 * @throws ParameterError
 * @example augmentedRandomizedResponse({ domain: 8, epsilon0: 1, informative: 0.5 }).supportProbability.own // 0.139854
 */
export function augmentedRandomizedResponse({
  domain,
  epsilon0,
  informative,
}: AugmentedRandomizedResponseParameters): FrequencyOracle<CategoryColumns> {
  checkParameter(DOMAIN, domain);
  checkParameter(INFORMATIVE, informative);
  requirePositive('epsilon0', epsilon0);
  const inverse = Real.exp(-epsilon0);
  const likely = informative / (1 + (domain - 1) * inverse);
  const support = { own: likely, other: inverse * likely };
  /** Probability of the own value on top of a uniform answer. */
  const truthful = -Real.expm1(-epsilon0) * likely;
  const nothing = domain;
  /** Of those who do not tell the truth, the share that answers. */
  const uniformShare = Math.min(1, (informative - truthful) / (1 - truthful));
  return Object.freeze({
    name: 'augmented-rr',
    epsilon0,
    domain,
    ...frequencyEstimator(support),
    bitsPerMessage: Math.log2(domain + 1),
    allocate: (users: number) => ({ columns: { value: categoryColumn(domain + 1, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let i = 0; i < values.length; i++) {
        if (stream.next() < truthful) value[i] = values[i]!;
        else value[i] = stream.next() < uniformShare ? stream.integerBelow(domain) : nothing;
      }
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) => countCategories(columns.value, count, domain + 1).slice(0, domain),
    jointSupportCounts: true,
    supports: 'at-most-one',
    sampleSupportCounts(histogram, stream) {
      const { counts, rest } = sampleKept(histogram, truthful, stream);
      sampleUniformMultinomial(sampleBinomial(rest, uniformShare, stream), counts, stream);
      return counts;
    },
    logProbability: ([message], value) =>
      Real.log(message === nothing ? 1 - informative : message === value ? support.own : support.other),
    amplification: () => answersProfile({ domain, epsilon0, truthful, ...support, nothing: 1 - informative }),
  } satisfies FrequencyOracle<CategoryColumns>);
}
