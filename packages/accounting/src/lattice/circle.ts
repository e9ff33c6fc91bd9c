/**
 * Laws of sums of whole numbers on a circle, by the discrete Fourier transform: a place of the circle has the
 * mass of all sums that fall on it.
 */
import { multiplySpectrum, raiseSpectrum, type Spectrum } from '@shuffle-dp/core';

/** Equal independent terms of a sum. */
export interface Terms {
  /** Of the law of one of them. It is overwritten. */
  readonly spectrum: Spectrum;
  readonly count: number;
}

/**
 * The transform of the law of the sum of all groups of terms; null where there is none.
 *
 * @param termsOf is asked of one group after the other, so that two spectra are in memory
 */
export function sumSpectrum<Group>(
  groups: Iterable<Group>,
  termsOf: (group: Group) => Terms,
): Spectrum | null {
  let product: Spectrum | null = null;
  for (const group of groups) {
    const { spectrum, count } = termsOf(group);
    raiseSpectrum(spectrum, count);
    if (product === null) product = spectrum;
    else multiplySpectrum(product, spectrum);
  }
  return product;
}

/**
 * Masses wound round a circle on which `least` is at 0.
 * @param size a power of two
 * @param circle where they are added to what there is
 */
export function wound(
  points: ArrayLike<number>,
  masses: Float64Array,
  least: number,
  size: number,
  circle: Float64Array = new Float64Array(size),
): Float64Array {
  for (let i = 0; i < points.length; i++) circle[(points[i]! - least) & (size - 1)]! += masses[i]!;
  return circle;
}

/**
 * The circle as a window of `length` sums, of which the first one is at the place `first`, a whole number
 * that may be far round.
 */
export function unrolled(circle: Float64Array, first: number, length: number): Float64Array {
  const size = circle.length;
  const shift = ((first % size) + size) % size;
  const window = new Float64Array(length);
  for (let start = 0, from = shift; start < length; start += size - from, from = 0)
    window.set(circle.subarray(from, Math.min(size, from + length - start)), start);
  return window;
}
