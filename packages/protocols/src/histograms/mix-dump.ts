/**
 * mixDUMP: the own category by generalized randomized response among blanket messages that are uniform over
 * all categories. X. Li et al., "Privacy Enhancement via Dummy Points in the Shuffle Model", IEEE
 * Transactions on Dependable and Secure Computing, 2023.
 *
 * Where we differ: the number of blankets is the least by exact accounting of the victim's message among
 * them. That other users' randomized messages hide the victim too is not counted on, but certified besides.
 */
import { rangeField } from '../protocol-card.ts';
import {
  beyond,
  ParameterError,
  real,
  Real,
  requireInteger,
  sampleUniformMultinomial,
  type Given,
  type MechanismCard,
  type ParameterValues,
  setByTarget,
} from '@shuffle-dp/core';
import {
  categoryColumn,
  fillIntegersBelow,
  generalizedRandomizedResponse,
  type CategoryColumns,
} from '@shuffle-dp/randomizers';
import type { MessageCells } from './all-messages-privacy.ts';
import { histogramCard, type HistogramSpecFields } from './blanket-histogram.ts';
import { BINS, BLANKETS_AND_VICTIM, hiddenByBlankets, mixDumpProfile } from './blanket-profiles.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface MixDumpSpec extends HistogramSpecFields {
  readonly kind: 'mix-dump';
  /** Probability that a data message leaves its bin, in (0, (d - 1) / d); default 0.1. */
  readonly flip?: number;
}

export const MIX_DUMP_HISTOGRAM = /* @__PURE__ */ histogramCard<MixDumpSpec, 'flip'>({
  kind: 'mix-dump',
  title: 'mixDUMP',
  description: 'The own category by randomized response among uniform blanket messages.',
  fields: [
    rangeField(
      real('flip', beyond(0), beyond(1), 'flip'),
      'in (0, (domain - 1) / domain)',
      'Probability that a data message leaves its bin; default 0.1.',
    ),
  ],
  messages: ({ flip = DEFAULT_FLIP }, { domain }) => ({
    scheme: randomizedCategories(flip, domain),
    parameters: { flip },
  }),
});

const DEFAULT_FLIP = 0.1;

/** At which a data message says nothing. */
function mostFlipped({ bins }: ParameterValues): number | undefined {
  return bins && (bins - 1) / bins;
}

export const MIX_DUMP: MechanismCard = {
  name: 'mix-dump',
  title: 'mixDUMP',
  holds: 'a category',
  description: 'Data by randomized response among uniform messages.',
  source: 'Li et al., IEEE Transactions on Dependable and Secure Computing 2023',
  citation: 'li2023',
  parameters: [
    setByTarget(
      real(
        'flip',
        beyond(0),
        beyond(mostFlipped, '(bins - 1) / bins'),
        'probability f that another bin is sent',
      ),
      mostFlipped,
      1e-9,
    ),
    BINS,
  ],
  usersMean: BLANKETS_AND_VICTIM,
  ratios: { p: '(1 - f)(d - 1) / f', beta: '1 - f - f / (d - 1)', q: '(1 - f) d' },
  estimator: "n_v = (C_v - N / d - n f') / (1 - f - f') with f' = f / (d - 1), for N blanket messages",
  example: { flip: 0.1, bins: 16 },
  model: (given: Given<'flip' | 'bins'>) => hiddenByBlankets(mixDumpProfile(given.flip, given.bins), given),
};

function randomizedCategories(flip: number, domain: number): MessageScheme<CategoryColumns> {
  requireInteger('domain', domain, 2, 2 ** 21);
  const most = mostFlipped({ bins: domain })!;
  if (!(flip < most)) throw new ParameterError('flip', flip, `in (0, (domain - 1) / domain) = (0, ${most})`);
  const amplification = mixDumpProfile(flip, domain);
  const epsilon0 = Real.log(amplification.variationRatio!.p);
  const oracle = generalizedRandomizedResponse({ domain, epsilon0 });
  return Object.freeze({
    bitsPerMessage: oracle.bitsPerMessage,
    support: { ...oracle.supportProbability, blanket: new Float64Array(domain).fill(1 / domain) },
    amplification,
    epsilon0,
    othersAsSlots: () => null,
    ...(domain > 2 ? { cells: thirdCategoryCells(flip, domain) } : {}),
    send(values, blankets, stream) {
      const count = values.length + blankets;
      const messages = { columns: { value: categoryColumn(domain, count) }, count };
      oracle.randomizeInto(values, messages, stream);
      fillIntegersBelow(domain, messages.columns.value, values.length, count, stream);
      messages.count = count;
      return messages;
    },
    supportCounts: oracle.supportCounts,
    sampleSupportCounts(histogram, blankets, stream) {
      const counts = oracle.sampleSupportCounts(histogram, stream);
      sampleUniformMultinomial(blankets, counts, stream);
      return counts;
    },
    jointSupportCounts: true,
    supports: 'at-most-one',
  } satisfies MessageScheme<CategoryColumns>);
}

/** Cells: the victim's two categories, a third one, and the rest. */
function thirdCategoryCells(flip: number, domain: number): MessageCells {
  const sizes = [1, 1, 1, domain - 3];
  const other = flip / (domain - 1);
  const holding = (category: number): Float64Array =>
    Float64Array.from(sizes, (size, cell) => (cell === category ? 1 - flip : size * other));
  return {
    victim0: holding(0),
    victim1: holding(1),
    blanket: Float64Array.from(sizes, (size) => size / domain),
    leastOther: Float64Array.from(sizes, (size) => size * other),
    thirdCategory: holding(2),
  };
}
