/**
 * pureDUMP: the own category in the clear among blanket messages that are uniform over all categories. X. Li
 * et al., "Privacy Enhancement via Dummy Points in the Shuffle Model", IEEE Transactions on Dependable and
 * Secure Computing, 2023.
 *
 * Where we differ: the number of blankets is the least by exact accounting. As all data messages stand in the
 * clear, every data set is protected alike, and the certified bound is exact.
 */
import { sampleUniformMultinomial, type Given, type MechanismCard, setByTarget } from '@shuffle-dp/core';
import {
  categoryColumn,
  countCategories,
  fillIntegersBelow,
  type CategoryColumns,
} from '@shuffle-dp/randomizers';
import { histogramCard, type HistogramSpecFields } from './blanket-histogram.ts';
import { BINS, BLANKETS_AND_VICTIM, hiddenByBlankets, uniformBinsProfile } from './blanket-profiles.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface PureDumpSpec extends HistogramSpecFields {
  readonly kind: 'pure-dump';
}

export const PURE_DUMP_HISTOGRAM = /* @__PURE__ */ histogramCard<PureDumpSpec>({
  kind: 'pure-dump',
  title: 'pureDUMP',
  description: 'The own category in the clear among uniform blanket messages.',
  messages: (_, { domain }) => ({ scheme: clearCategories(domain), parameters: {} }),
});

export const PURE_DUMP: MechanismCard = {
  name: 'pure-dump',
  title: 'pureDUMP',
  holds: 'a category',
  description: 'Data in the clear among uniform messages.',
  source: 'Li et al., IEEE Transactions on Dependable and Secure Computing 2023',
  citation: 'li2023',
  parameters: [setByTarget(BINS, 2, 2 ** 32)],
  usersMean: BLANKETS_AND_VICTIM,
  ratios: { p: 'inf', beta: '1', q: 'd' },
  estimator: 'n_v = C_v - N / d for N blanket messages',
  example: { bins: 16 },
  model: (given: Given<'bins'>) => hiddenByBlankets(uniformBinsProfile(given.bins), given),
};

function clearCategories(domain: number): MessageScheme<CategoryColumns> {
  return Object.freeze({
    bitsPerMessage: Math.log2(domain),
    support: { own: 1, other: 0, blanket: new Float64Array(domain).fill(1 / domain) },
    amplification: uniformBinsProfile(domain),
    epsilon0: Infinity,
    othersAsSlots: () => 0,
    send(values, blankets, stream) {
      const count = values.length + blankets;
      const value = categoryColumn(domain, count);
      value.set(values);
      fillIntegersBelow(domain, value, values.length, count, stream);
      return { columns: { value }, count };
    },
    supportCounts: ({ columns, count }) => countCategories(columns.value, count, domain),
    sampleSupportCounts(histogram, blankets, stream) {
      const counts = histogram.slice();
      sampleUniformMultinomial(blankets, counts, stream);
      return counts;
    },
    jointSupportCounts: true,
    supports: 'at-most-one',
  } satisfies MessageScheme<CategoryColumns>);
}
