/**
 * Generalized randomized response (k-ary randomized response, direct encoding): a user sends the own value
 * with probability p/(p+d-1), p = e^epsilon0, and each other value with probability 1/(p+d-1). P. Kairouz, K.
 * Bonawitz, D. Ramage, "Discrete Distribution Estimation under Local Privacy", ICML 2016.
 */
import {
  checkParameter,
  domainUpTo,
  EPSILON0,
  modelOf,
  Real,
  requirePositive,
  sampleUniformMultinomial,
  type CategoryCard,
  type FrequencyOracle,
  type Given,
} from '@shuffle-dp/core';
import { categoryColumn, countCategories, type CategoryColumns } from '../columns/category-column.ts';
import { answersProfile } from '../laws/answers-profile.ts';
import { craftedCategories } from './crafted-messages.ts';
import {
  frequencyEstimator,
  sampleKept,
  SUPPORT_FORMULA,
  type CategoryParameters,
} from './pure-frequency-protocol.ts';
import { responseSampler } from './randomized-response-sampler.ts';

const DOMAIN = domainUpTo(2 ** 21);

export const GRR: CategoryCard = {
  name: 'grr',
  title: 'Generalized randomized response',
  holds: 'a category',
  description:
    'The true category with probability e^epsilon0 / (e^epsilon0 + domain - 1), any other one otherwise.',
  source: 'Kairouz, Bonawitz and Ramage, ICML 2016',
  citation: 'kairouz2016',
  parameters: [EPSILON0, DOMAIN],
  options: [],
  ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + d - 1)', q: 'p' },
  estimator: `${SUPPORT_FORMULA} with ps = p / (p + d - 1), ps' = 1 / (p + d - 1)`,
  example: { epsilon0: 1, domain: 16 },
  make: generalizedRandomizedResponse,
  model: (given: Given<'epsilon0' | 'domain'>) => modelOf(generalizedRandomizedResponse(given), given),
};

/**
 * Generalized randomized response, as a frequency oracle.
 *
 * @throws ParameterError
 * @example generalizedRandomizedResponse({ domain: 8, epsilon0: 1 }).supportProbability.own // 0.279708
 */
export function generalizedRandomizedResponse({
  domain,
  epsilon0,
}: CategoryParameters): FrequencyOracle<CategoryColumns> {
  checkParameter(DOMAIN, domain);
  requirePositive('epsilon0', epsilon0);
  // Dividing by p keeps everything finite at large budgets: 1/(p+d-1) = e^-eps0 / (1 + (d-1) e^-eps0).
  const inverse = Real.exp(-epsilon0);
  const own = 1 / (1 + (domain - 1) * inverse);
  const other = inverse * own;
  /** Probability of the own value on top of a uniform draw: (p-1)/(p+d-1). */
  const truthful = -Real.expm1(-epsilon0) * own;
  const support = { own, other };
  const sample = responseSampler(domain, truthful);
  return Object.freeze({
    name: 'grr',
    epsilon0,
    domain,
    ...frequencyEstimator(support, (domain - 1) * other),
    bitsPerMessage: Math.log2(domain),
    allocate: (users: number) => ({ columns: { value: categoryColumn(domain, users) }, count: 0 }),
    randomizeInto(values, messages, stream) {
      sample(values, messages.columns.value, stream);
      messages.count = values.length;
    },
    supportCounts: ({ columns, count }) => countCategories(columns.value, count, domain),
    jointSupportCounts: true,
    supports: 'at-most-one',
    /** True answers are binomial; all others together are one uniform multinomial: the exact joint law. */
    sampleSupportCounts(histogram, stream) {
      const { counts, rest } = sampleKept(histogram, truthful, stream);
      sampleUniformMultinomial(rest, counts, stream);
      return counts;
    },
    crafted: craftedCategories(domain),
    logProbability: ([message], value) => Real.log(message === value ? own : other),
    // (p, beta, q) of Wang et al. 2024, Table 2.
    amplification: () => answersProfile({ domain, epsilon0, truthful, own, other }),
  } satisfies FrequencyOracle<CategoryColumns>);
}
