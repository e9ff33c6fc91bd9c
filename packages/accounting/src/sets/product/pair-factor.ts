/**
 * The pairs of hypotheses whose product is looked at. A _sent_ factor has its likelihood ratio under the
 * first hypothesis and the base under the second, so that its loss is the ratio's logarithm; an _unsent_ one
 * the other way round.
 */
import { Real } from '@shuffle-dp/core';
import type { RatioLaw } from '../ratio-law.ts';

/** A label that both hypotheses show with this probability, and the ratios given it. */
export interface LabelledPair {
  readonly logWeight: number;
  readonly sent: RatioLaw;
  readonly unsent: RatioLaw;
}

/** `copies` independent pairs of a sent and an unsent factor, each a mixture over its labels. */
export interface PairFactor {
  readonly copies: number;
  readonly labels: readonly LabelledPair[];
}

/** No finite loss of the product is larger. */
export function largestLoss(factors: readonly PairFactor[]): number {
  return factors.reduce(
    (sum, { copies, labels }) =>
      sum +
      copies *
        labels.reduce((most, { sent, unsent }) => Math.max(most, sent.highest - unsent.lowest), -Infinity),
    0,
  );
}

/** Bound on the relative error of the product's masses under either hypothesis. */
export function massError(factors: readonly PairFactor[]): number {
  return factors.reduce(
    (sum, { copies, labels }) =>
      sum +
      2 * copies * labels.reduce((most, { sent, unsent }) => Math.max(most, sent.error, unsent.error), 0),
    0,
  );
}

/** Mass of unlabelled pairs under either hypothesis that is in no atom, at most. */
export function cutOf(factors: readonly PairFactor[]): number {
  return factors.reduce(
    (sum, { copies, labels }) => sum + copies * (labels[0]!.sent.cut + labels[0]!.unsent.cut),
    0,
  );
}

/** Between the least and the largest ratio of all labels, in logarithms. */
export function ratioSpan({ labels }: PairFactor): number {
  let low = Infinity;
  let high = -Infinity;
  for (const { sent, unsent } of labels) {
    low = Math.min(low, sent.lowest, unsent.lowest);
    high = Math.max(high, sent.highest, unsent.highest);
  }
  return high - low;
}

/** The likeliest label stands for all where only a guess is needed. */
export function likeliest<Label extends { readonly logWeight: number }>(labels: readonly Label[]): Label {
  return labels.reduce((best, label) => (label.logWeight > best.logWeight ? label : best));
}

/**
 * Variance of the product's loss under the first hypothesis, the likeliest label standing for all: for
 * choices that decide no bound.
 */
export function typicalVariance(factors: readonly PairFactor[]): number {
  return factors.reduce((sum, { copies, labels }) => {
    const { sent, unsent } = likeliest(labels);
    return sum + copies * (varianceOfLog(sent, 1) + varianceOfLog(unsent, 0));
  }, 0);
}

/** Of the logarithm of the ratio, under the base law times ratio^power. */
function varianceOfLog({ logMass, logRatio }: RatioLaw, power: 0 | 1): number {
  let total = 0;
  let mean = 0;
  let second = 0;
  for (let i = 0; i < logMass.length; i++) {
    const log = logRatio[i]!;
    const weight = Real.exp(logMass[i]! + power * log);
    total += weight;
    mean += weight * log;
    second += weight * log * log;
  }
  mean /= total;
  return Math.max(second / total - mean * mean, 1e-12 * mean * mean, Number.MIN_VALUE);
}
