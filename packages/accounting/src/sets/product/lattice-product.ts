/** Products of likelihood ratios whose losses are put on a lattice. */
import { onceEachObject, Real } from '@shuffle-dp/core';
import type { Waves } from '../conditioned-count.ts';
import type { RatioLaw } from '../ratio-law.ts';
import { lossLaw, splitRatios, type Side } from './loss-lattice.ts';
import { massError, type PairFactor } from './pair-factor.ts';
import { splitExcess, type SplitExcess } from './split-excess.ts';
import type { LatticeFactor } from './tilted-factors.ts';

/** A product whose losses lie on a lattice. */
export interface LatticeProduct {
  /** Which end of its divergence is evaluated: runs of counts are split or merged for it. */
  readonly side: Side;
  readonly step: number;
  readonly factors: readonly LatticeFactor[];
  readonly waves: Waves;
  /** Sum of the sizes of the waves. */
  readonly weights: number;
  /** The least and the largest total loss, in steps. */
  readonly least: number;
  readonly most: number;
  /** Pairs in all. */
  readonly copies: number;
  /** Bound on the relative error of the masses. */
  readonly error: number;
  /** By how much the divergence may be above that of the losses that were split. */
  readonly excess: SplitExcess;
}

export function latticeProduct(
  factors: readonly PairFactor[],
  side: Side,
  step: number,
  waves: Waves,
): LatticeProduct {
  let least = 0;
  let most = 0;
  let copies = 0;
  const split = onceEachObject((ratios: RatioLaw) => splitRatios(ratios, step, side));
  const onLattice = factors.map((factor): LatticeFactor => {
    const labels = factor.labels.map(({ logWeight, sent, unsent }) => ({
      logWeight,
      sent: lossLaw(split(sent), 'sent', step),
      unsent: lossLaw(split(unsent), 'unsent', step),
    }));
    const end = (
      of: (label: (typeof labels)[number]) => number,
      pick: (...ends: number[]) => number,
    ): number => labels.map(of).reduce((a, b) => pick(a, b));
    const leastSent = end(({ sent }) => sent.least, Math.min);
    const leastUnsent = end(({ unsent }) => unsent.least, Math.min);
    least += factor.copies * (leastSent + leastUnsent);
    most +=
      factor.copies * (end(({ sent }) => sent.most, Math.max) + end(({ unsent }) => unsent.most, Math.max));
    copies += factor.copies;
    return { copies: factor.copies, labels, leastSent, leastUnsent };
  });
  const weights = waves.coefficients.reduce((sum, { re, im }) => sum + Real.hypot(re, im), 0);
  const excess = splitExcess(step, onLattice);
  return {
    side,
    step,
    factors: onLattice,
    waves,
    weights,
    least,
    most,
    copies,
    error: 1e-12 + massError(factors),
    excess,
  };
}
