/**
 * Sums of independent copies of a law on a lattice, by the discrete Fourier transform. The transform is
 * circular: mass that leaves the window comes back into it, which can only raise what is read there.
 */
import {
  forwardTransform,
  inverseTransform,
  onceEach,
  raiseSpectrum,
  transformSize,
  ROUNDOFF,
} from '@shuffle-dp/core';
import { unrolled, wound } from './circle.ts';

/**
 * Error of one transform in the Euclidean norm: at most this times log2(size) units in the last place of the
 * input's. N. Higham's bound for exact roots of unity ("Accuracy and Stability of Numerical Algorithms",
 * section 24.1) is 7.
 */
export const TRANSFORM_ERROR = 8;

/** The law of a sum inside a window of lattice points. */
export interface WindowedSum {
  /** The first lattice point. */
  readonly first: number;
  /** Masses from there on: never below the true ones by more than the error says. */
  readonly masses: Float64Array;
  /** Bound of the errors of rounding in the Euclidean norm. */
  readonly error: number;
}

/** A law of mass 1 on whole numbers, and the laws of sums of its copies. */
export class LatticePower {
  readonly #points: Int32Array;
  readonly #masses: Float64Array;
  readonly #least: number;

  /** @param points whole numbers, in any order and repeated at will; @param masses of sum 1 */
  constructor(points: Int32Array, masses: Float64Array) {
    this.#points = points;
    this.#masses = masses;
    this.#least = points.reduce((least, point) => Math.min(least, point), Infinity);
  }

  /** The law of the sum of `count` copies at the points from `first` to `last`. */
  sum(count: number, first: number, last: number): WindowedSum {
    const size = transformSize(last - first + 1);
    const single = this.#spectrumOf(size);
    const power = single.spectrum.slice();
    raiseSpectrum(power, count);
    const turned = inverseTransform(power);
    const origin = count * this.#least;
    const masses = unrolled(turned, first - origin, last - first + 1);
    // Entries of the spectrum are at most 1, so each factor passes the others' errors on unenlarged.
    const error = count * single.error + TRANSFORM_ERROR * Math.log2(size) * ROUNDOFF * norm(turned);
    return { first, masses, error };
  }

  readonly #spectrumOf = onceEach((size) => {
    const folded = wound(this.#points, this.#masses, this.#least, size);
    const error = (TRANSFORM_ERROR * Math.log2(size) + 4) * ROUNDOFF * norm(folded);
    return { spectrum: forwardTransform(folded, size), error };
  });
}

export function norm(values: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!;
  return Math.sqrt(sum);
}
