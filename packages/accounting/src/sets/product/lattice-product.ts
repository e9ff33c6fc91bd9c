/** Products of likelihood ratios whose losses are put on a lattice. */
import { Real } from '@shuffle-dp/core';
import { tilted } from '../../lattice/tilted-law.ts';
import type { Waves } from '../conditioned-count.ts';
import { latticeLaw, type Side } from './loss-lattice.ts';
import { likeliest, massError, type PairFactor } from './pair-factor.ts';
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

const TILT_STEPS = 4;
/** Where a step of Newton's goes astray, as it does on skewed laws, halvings follow, so many at most. */
const MOST_TILT_STEPS = 40;
/** For each step of the lattice: of more only the largest loss is left. */
const MOST_TILT = 1;
/** A change of the tilt that moves the total by so few deviations is the last. */
const CLOSE_TILT = 0.02;

export function latticeProduct(
  factors: readonly PairFactor[],
  side: Side,
  step: number,
  waves: Waves,
): LatticeProduct {
  let least = 0;
  let most = 0;
  let copies = 0;
  const onLattice = factors.map((factor): LatticeFactor => {
    const labels = factor.labels.map(({ logWeight, sent, unsent }) => ({
      logWeight,
      sent: latticeLaw(sent, 'sent', step, side),
      unsent: latticeLaw(unsent, 'unsent', step, side),
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

/**
 * Exponential tilt, for each unit of loss, under which the total has mean about `loss`: there the terms that
 * matter are the largest. At least 0, where the mean is beyond without a tilt. Any value gives a valid
 * result; a good one gives digits.
 */
export function tiltFor({ factors, step }: LatticeProduct, loss: number): number {
  const typical = factors.flatMap(({ copies, labels }) => {
    const { sent, unsent } = likeliest(labels);
    return [sent, unsent].map((law) => ({ copies, law, room: new Float64Array(law.points.length) }));
  });
  let tilt = 0;
  // The mean grows with the tilt.
  let [low, high] = [0, Infinity];
  for (let i = 0, most = TILT_STEPS; i < most; i++) {
    let mean = 0;
    let variance = 0;
    for (const { copies, law, room } of typical) {
      const under = tilted(law, tilt, room);
      mean += copies * under.mean;
      variance += copies * under.variance;
    }
    const change = (loss / step - mean) / variance;
    if (change > 0) low = tilt;
    else if (tilt === 0) return 0;
    else high = tilt;
    if (Number.isNaN(change)) return 0;
    if (tilt + change > low && tilt + change < high) tilt += change;
    else {
      tilt = high < Infinity ? (low + high) / 2 : 2 * low;
      most = MOST_TILT_STEPS;
    }
    // The likeliest label may have no such losses.
    if (tilt > MOST_TILT) return MOST_TILT / step;
    if (Math.abs(change) * Math.sqrt(variance) < CLOSE_TILT) break;
  }
  return tilt / step;
}
