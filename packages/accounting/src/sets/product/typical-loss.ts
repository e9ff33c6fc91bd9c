/**
 * The total loss of a product under the first hypothesis, the likeliest label standing for all: for choices
 * that decide no bound.
 */
import { tilted } from '../../lattice/tilted-law.ts';
import type { LabelledPair, PairFactor } from './pair-factor.ts';

export interface TypicalLoss {
  readonly variance: number;
  /**
   * Exponential tilt, for each unit of loss, under which the total has mean about `loss`: there the terms
   * that matter are the largest. At least 0, where the mean is beyond without a tilt. Any value gives a valid
   * result; a good one gives digits.
   * @param step of the lattice that losses are put on
   */
  tiltFor(loss: number, step: number): number;
}

const TILT_STEPS = 4;
/** Where a step of Newton's goes astray, as it does on skewed laws, halvings follow, so many at most. */
const MOST_TILT_STEPS = 40;
/** For each step of the lattice: of more only the largest loss is left. */
const MOST_TILT = 1;
/** A change of the tilt that moves the total by so few deviations is the last. */
const CLOSE_TILT = 0.02;

/** Over the squared mean: below, the variance is rounding. */
const LEAST_VARIANCE = 1e-12;

export function typicalLoss(factors: readonly PairFactor[]): TypicalLoss {
  const typical = factors.flatMap(({ copies, labels }) => {
    const { sent, unsent } = likeliest(labels);
    const laws = [
      { points: sent.logRatio, logMass: sent.logMass.map((log, i) => log + sent.logRatio[i]!) },
      { points: unsent.logRatio.map((log) => -log), logMass: unsent.logMass },
    ];
    return laws.map((law) => ({ copies, law, room: new Float64Array(law.points.length) }));
  });
  const momentsAt = (tilt: number): { mean: number; variance: number } => {
    let mean = 0;
    let variance = 0;
    for (const { copies, law, room } of typical) {
      const under = tilted(law, tilt, room);
      mean += copies * under.mean;
      variance += copies * under.variance;
    }
    return { mean, variance };
  };
  const untilted = momentsAt(0);
  return {
    variance: Math.max(untilted.variance, LEAST_VARIANCE * untilted.mean ** 2, Number.MIN_VALUE),
    tiltFor: (loss, step) => {
      let tilt = 0;
      // The mean grows with the tilt.
      let [low, high] = [0, Infinity];
      for (let i = 0, most = TILT_STEPS; i < most; i++) {
        const { mean, variance } = i === 0 ? untilted : momentsAt(tilt);
        const change = (loss - mean) / variance;
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
        if (tilt * step > MOST_TILT) return MOST_TILT / step;
        if (Math.abs(change) * Math.sqrt(variance) < CLOSE_TILT) break;
      }
      return tilt;
    },
  };
}

function likeliest(labels: readonly LabelledPair[]): LabelledPair {
  return labels.reduce((best, label) => (label.logWeight > best.logWeight ? label : best));
}
