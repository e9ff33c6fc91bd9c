/**
 * Histograms from flipped bits: the own category as a one-hot row among rows of zeros from fake users, every
 * bit of every row flipped with one probability. A. Cheu, M. Zhilyaev, "Differentially Private Histograms in
 * the Shuffle Model from Fake Users", IEEE Symposium on Security and Privacy, 2022.
 *
 * Where we differ: the flip probability, or the number of fake rows, is the least by exact accounting of the
 * victim's row among the fake ones. Only the bits of the victim's two categories count; in them the rows of
 * users who hold a third category are as fake rows are, which bounds the privacy from below.
 */
import { rangeField } from '../protocol-card.ts';
import {
  beyond,
  real,
  Real,
  requirePositive,
  sampleBinomial,
  type Given,
  type MechanismCard,
  setByTarget,
} from '@shuffle-dp/core';
import { fillRandomBits, symmetricUnaryEncoding, type BitColumns } from '@shuffle-dp/randomizers';
import type { AccountedMessage } from '@shuffle-dp/accounting';
import { centralTarget, type CategoricalSetting } from '../setting.ts';
import { histogramCard, fixedBlankets, type HistogramSpecFields } from './blanket-histogram.ts';
import { BLANKETS_AND_VICTIM, flippedBitsProfile, hiddenByBlankets } from './blanket-profiles.ts';
import { leastFlip } from './blanket-privacy.ts';
import type { MessageScheme } from './message-scheme.ts';

export interface CheuZhilyaevSpec extends HistogramSpecFields {
  readonly kind: 'cheu-zhilyaev';
  /**
   * Probability that a bit is flipped, in (0, 1/2). Absent: the least that meets the setting's central target
   * with the blankets of `blanketRate`, which is then 1 by default.
   */
  readonly flip?: number;
}

export const FLIPPED_BITS_HISTOGRAM = /* @__PURE__ */ histogramCard<CheuZhilyaevSpec, 'flip'>({
  kind: 'cheu-zhilyaev',
  title: 'Flipped bits',
  description: 'The own category as a one-hot row among rows of zeros, all bits flipped.',
  setByTarget: 'blankets or flip',
  fields: [
    rangeField(
      real('flip', beyond(0), beyond(0.5, '1/2'), 'flip'),
      'in (0, 1/2)',
      'Probability that a bit is flipped; by default the least that meets privacy.epsilon, with one blanket row per user.',
    ),
  ],
  messages(spec, setting) {
    const flip = spec.flip ?? calibratedFlip(spec, setting);
    const messages = { scheme: flippedRows(flip, setting.domain), parameters: { flip } };
    if (spec.flip !== undefined) return messages;
    return { ...messages, blankets: fixedBlankets(spec.blanketRate ?? DEFAULT_RATE, setting.users) };
  },
});

const DEFAULT_RATE = 1;

export const FLIPPED_BITS: MechanismCard = {
  name: 'cheu-zhilyaev',
  title: 'Histograms from flipped bits',
  holds: 'a category',
  description: 'One-hot data, and rows of zeros from fake users, with every bit flipped.',
  source: 'Cheu and Zhilyaev, S&P 2022',
  citation: 'cheu2022',
  parameters: [
    setByTarget(
      real('flip', beyond(0), beyond(0.5, '1/2'), 'probability f that a bit is flipped'),
      0.5,
      1e-9,
    ),
  ],
  usersMean: BLANKETS_AND_VICTIM,
  ratios: { p: '((1 - f) / f)^2', beta: '1 - 2 f', q: '(1 - f) / f' },
  estimator: 'n_v = (C_v - N f) / (1 - 2 f) for N messages in all',
  example: { flip: 0.25 },
  model: (given: Given<'flip'>) => hiddenByBlankets(flippedBitsProfile(given.flip), given),
};

function calibratedFlip(spec: CheuZhilyaevSpec, setting: CategoricalSetting): number {
  const rate = requirePositive('blanketRate', spec.blanketRate ?? DEFAULT_RATE);
  return leastFlip(
    hiddenRow,
    fixedBlankets(rate, setting.users),
    centralTarget(setting, 'flip'),
    setting.delta,
    spec.accounting ?? 'blanket',
  );
}

function hiddenRow(flip: number): AccountedMessage {
  const amplification = flippedBitsProfile(flip);
  return { amplification, epsilon0: Real.log(amplification.variationRatio!.p) };
}

function flippedRows(flip: number, domain: number): MessageScheme<BitColumns> {
  const hidden = hiddenRow(flip);
  const oracle = symmetricUnaryEncoding({ domain, epsilon0: hidden.epsilon0 });
  return Object.freeze({
    ...hidden,
    bitsPerMessage: oracle.bitsPerMessage,
    support: { ...oracle.supportProbability, blanket: new Float64Array(domain).fill(flip) },
    othersAsSlots: (users: number) => (domain > 2 ? users - 1 : null),
    send(values, blankets, stream) {
      const messages = oracle.allocate(values.length + blankets);
      oracle.randomizeInto(values, messages, stream);
      Object.values(messages.columns).forEach((column, w) => {
        const width = Math.min(32, domain - 32 * w);
        fillRandomBits(column.subarray(values.length), blankets, flip, width, stream);
      });
      messages.count = values.length + blankets;
      return messages;
    },
    supportCounts: oracle.supportCounts,
    sampleSupportCounts: (histogram, blankets, stream) =>
      oracle
        .sampleSupportCounts(histogram, stream)
        .map((count) => count + sampleBinomial(blankets, flip, stream)),
    jointSupportCounts: true,
    supports: 'independently',
  } satisfies MessageScheme<BitColumns>);
}
