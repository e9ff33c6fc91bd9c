/**
 * All draws of a buffer together, tilted so that what matters of them is in the bulk (docs/sharp-bound.md).
 */
import { Real, ROUNDOFF } from '@shuffle-dp/core';
import { LatticePower, norm, type WindowedSum } from '../../lattice/lattice-power.ts';
import { drawMoments, tiltedRatio, type BufferLaw, type DrawMoments } from './buffer.ts';
import { RatioTails } from './ratio-tails.ts';

/** Masses below may be rounding: the largest term is not looked for among them. */
const TINY = 1e-30;
const LOG_TINY = -69;

/** A buffer whose size is to be chosen, tilted by e^(weight gain + slope ratio). */
export class TiltedBuffer {
  /** Chernoff's bounds with the gains' weight and without. */
  readonly tails: { readonly weighted: RatioTails; readonly plain: RatioTails };
  readonly slope: number;
  readonly #moments: DrawMoments;
  readonly #power: LatticePower;
  readonly #step: number;
  /** Bound of the rounding of one draw's exponent. */
  readonly #rounding: number;

  constructor(law: BufferLaw, weight: number, slope: number) {
    const { step } = law;
    this.#moments = drawMoments(law, weight, slope);
    this.tails = { weighted: RatioTails.of(law, weight), plain: RatioTails.of(law, 0) };
    this.#step = step;
    this.#rounding = 8 * ROUNDOFF * (8 + weight * law.magnitude + Math.abs(slope) * step * law.largestPoint);
    this.slope = slope;
    const { points, masses } = tiltedRatio(law, weight, slope, this.#moments.log);
    this.#power = new LatticePower(points, masses);
  }

  /**
   * log of E e^(weight * sum of the gains) e^(logF(mean ratio)) over the buffers of `size` draws whose ratios
   * sum to a lattice point from `first` to `last`, from above.
   *
   * @param setLogs writes logF of all these, in a row
   */
  logExpectation(size: number, first: number, last: number, setLogs: (logs: Float64Array) => void): number {
    const { masses, error }: WindowedSum = this.#power.sum(size, first, last);
    // First the logarithms of what the points weigh, and in their place what they weigh, over the largest.
    const weights = new Float64Array(masses.length);
    setLogs(weights);
    let top = -Infinity;
    for (let i = 0; i < weights.length; i++) {
      const sum = (first + i) * this.#step;
      const log = weights[i]! - this.slope * sum;
      weights[i] = log;
      top = Math.max(top, masses[i]! > TINY ? log : log + LOG_TINY);
    }
    if (!(top < Infinity)) return Infinity;
    let total = 0;
    for (let i = 0; i < weights.length; i++) {
      weights[i] = Real.exp(weights[i]! - top);
      total += Math.max(0, masses[i]!) * weights[i]!;
    }
    total += error * norm(weights);
    const rounding = size * this.#rounding + 64 * ROUNDOFF * (8 + Math.abs(top));
    return top + Real.log(total) + size * this.#moments.log + rounding;
  }
}
