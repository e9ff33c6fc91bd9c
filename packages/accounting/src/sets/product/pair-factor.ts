/**
 * The pairs of hypotheses whose product is looked at. A _sent_ factor has its likelihood ratio under the
 * first hypothesis and the base under the second, so that its loss is the ratio's logarithm; an _unsent_ one
 * the other way round.
 */
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

/** Without labels, of one law in both roles. */
export function alikeFactor(copies: number, law: RatioLaw): PairFactor {
  return { copies, labels: [{ logWeight: 0, sent: law, unsent: law }] };
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
