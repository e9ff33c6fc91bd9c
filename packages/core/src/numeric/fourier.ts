/**
 * Discrete Fourier transforms over fft.js, with plans kept per size.
 *
 * Error: for masses of total 1 each entry of a convolution errs by less than 1e-15 in absolute terms (about
 * log2(size) units in the last place of the largest entry, measured), so small entries have no relative
 * accuracy: tilt before transforming where tails matter.
 */
import FFT from 'fft.js';
import { onceEach } from '../once-each.ts';
import { reusedMemory } from '../reused-memory.ts';
import * as Real from './elementary/index.ts';

const planFor = onceEach((size) => {
  const plan = new FFT(size);
  plan.table = rootsOfUnity(size) as unknown as number[];
  return plan;
});

/** e^(-2 pi i k / size), real and imaginary parts one after the other: the same in every engine. */
function rootsOfUnity(size: number): Float64Array {
  const roots = new Float64Array(2 * size);
  const both = new Float64Array(2);
  for (let place = 0; place < roots.length; place += 2) {
    Real.sinCos((Math.PI * place) / size, both);
    roots[place] = both[1]!;
    roots[place + 1] = -both[0]!;
  }
  return roots;
}

/**
 * The least power of two that is at least `length` (and at least 2).
 *
 * @example transformSize(5) // 8
 */
export function transformSize(length: number): number {
  return 2 ** Math.max(1, Math.ceil(Math.log2(length)));
}

/**
 * A spectrum, real and imaginary parts interleaved: of real values the first half and the middle, `size` + 2
 * numbers, as the rest is their mirror; of complex values the whole.
 */
export type Spectrum = Float64Array;

const spareMemory = reusedMemory();
const spareValues = reusedMemory();

/**
 * Transform of real values, padded with zeros to `size`, a power of two.
 *
 * @example forwardTransform(Float64Array.of(1, 2), 2) // [3, 0, -1, 0]
 */
export function forwardTransform(values: Float64Array, size: number): Spectrum {
  const padded = values.length === size ? values : new Float64Array(size);
  if (padded !== values) padded.set(values);
  return realSpectrum(padded, size, new Float64Array(size + 2));
}

function realSpectrum(values: Float64Array, size: number, spectrum: Spectrum): Spectrum {
  const whole = spareMemory(2 * size);
  planFor(size).realTransform(whole as unknown as number[], values as unknown as number[]);
  spectrum.set(whole.subarray(0, size + 2));
  return spectrum;
}

/**
 * Transform of real values that are put over zeros, in memory that the next call overwrites: one law after
 * another costs none.
 * @param size a power of two
 * @param spectrum room for the result, `size` + 2 numbers
 *
 * @example transformOf(2, (values) => values.set([1, 2])) // [3, 0, -1, 0]
 */
export function transformOf(
  size: number,
  put: (values: Float64Array) => void,
  spectrum: Spectrum = new Float64Array(size + 2),
): Spectrum {
  const values = spareValues(size).fill(0);
  put(values);
  return realSpectrum(values, size, spectrum);
}

/**
 * As `transformOf` for complex values, real and imaginary parts interleaved.
 * @param size how many of them, a power of two
 * @param spectrum room for the result, twice as many numbers
 *
 * @example complexTransformOf(2, (values) => values.set([1, 0, 0, 1])) // [1, 1, 1, -1]
 */
export function complexTransformOf(
  size: number,
  put: (values: Float64Array) => void,
  spectrum: Spectrum = new Float64Array(2 * size),
): Spectrum {
  const values = spareValues(2 * size).fill(0);
  put(values);
  planFor(size).transform(spectrum as unknown as number[], values as unknown as number[]);
  return spectrum;
}

/**
 * The spectrum of the real parts of complex values, by the whole spectrum of these.
 *
 * @example realPartOf(complexTransformOf(2, (values) => values.set([1, 0, 0, 1]))) // [1, 0, 1, 0]
 */
export function realPartOf(whole: Spectrum): Spectrum {
  const size = whole.length / 2;
  const half = new Float64Array(size + 2);
  for (let k = 0; k <= size; k += 2) {
    const mirror = k === 0 ? 0 : 2 * size - k;
    half[k] = 0.5 * (whole[k]! + whole[mirror]!);
    half[k + 1] = 0.5 * (whole[k + 1]! - whole[mirror + 1]!);
  }
  return half;
}

/**
 * The real values of a spectrum.
 *
 * Even and odd places are the real and imaginary parts of one inverse transform of half the size.
 *
 * @example inverseTransform(forwardTransform(Float64Array.of(1, 2), 2)) // [1, 2]
 */
export function inverseTransform(spectrum: Spectrum): Float64Array {
  const size = spectrum.length - 2;
  const packed = spareMemory(size);
  // The plan's roots of unity: cos, and sin with its sign changed, of 2 pi k / size.
  const { table } = planFor(size);
  for (let k = 0; k <= size / 2; k += 2) {
    const mirror = size - k;
    const re = spectrum[k]!;
    const im = spectrum[k + 1]!;
    const mirrorRe = spectrum[mirror]!;
    const mirrorIm = spectrum[mirror + 1]!;
    const evenRe = 0.5 * (re + mirrorRe);
    const evenIm = 0.5 * (im - mirrorIm);
    const differenceRe = 0.5 * (re - mirrorRe);
    const differenceIm = 0.5 * (im + mirrorIm);
    const cos = table[k]!;
    const sin = -table[k + 1]!;
    const oddRe = differenceRe * cos - differenceIm * sin;
    const oddIm = differenceRe * sin + differenceIm * cos;
    packed[k] = evenRe - oddIm;
    packed[k + 1] = evenIm + oddRe;
    if (k === 0 || mirror === k) continue;
    packed[mirror] = evenRe + oddIm;
    packed[mirror + 1] = oddRe - evenIm;
  }
  if (size === 2) return packed.slice();
  const values = new Float64Array(size);
  planFor(size / 2).inverseTransform(values as unknown as number[], packed as unknown as number[]);
  return values;
}

/**
 * Replaces a spectrum by its pointwise product with another.
 *
 * @example multiplySpectrum(forwardTransform(Float64Array.of(1, 2), 2), forwardTransform(Float64Array.of(3, 4), 2))
 */
export function multiplySpectrum(target: Spectrum, other: Spectrum): void {
  for (let i = 0; i < target.length; i += 2) {
    const re = target[i]!;
    const im = target[i + 1]!;
    target[i] = re * other[i]! - im * other[i + 1]!;
    target[i + 1] = re * other[i + 1]! + im * other[i]!;
  }
}

/**
 * Raises a spectrum to a positive integer power in place, by repeated squaring. For a law of total mass 1 the
 * entries of the inverse transform err in absolute terms only: measured on the law of one coin (0.01) at size
 * 65536, 1.2e-16 at power 10, 1e-14 at 1e5 and 3e-14 at 1e6. Not a proved bound.
 *
 * @example raiseSpectrum(forwardTransform(Float64Array.of(0.5, 0.5), 4), 3)
 */
export function raiseSpectrum(spectrum: Spectrum, power: number): void {
  if (power < NARROWING_POWER) return raiseAll(spectrum, power);
  const places = placesLeft(spectrum, power);
  if (4 * places.length > spectrum.length) return raiseAll(spectrum, power);
  const few = entriesAt(spectrum, places);
  raiseAll(few, power);
  spectrum.fill(0);
  putEntries(spectrum, places, few);
}

/**
 * The spectrum of the convolution of powers of several real laws, each of which starts at place 0. Where few
 * of its entries are not 0, the other laws are transformed there alone.
 *
 * @example inverseTransform(convolvedPowers([{ values: Float64Array.of(0.5, 0.5), power: 3 }], 4)) // [0.125, 0.375, 0.375, 0.125]
 */
export function convolvedPowers(
  laws: readonly { readonly values: Float64Array; readonly power: number }[],
  size: number,
): Spectrum {
  const [narrowest, ...others] = laws.toSorted((a, b) => b.power - a.power);
  if (!narrowest) return forwardTransform(Float64Array.of(1), size);
  const product = forwardTransform(narrowest.values, size);
  raiseSpectrum(product, narrowest.power);
  const places = placesLeft(product, 1);
  const few = places.length * FEW_PLACES < size;
  const entries = few ? entriesAt(product, places) : product;
  for (const { values, power } of others) {
    const spectrum = few ? transformAt(values, size, places) : forwardTransform(values, size);
    raiseSpectrum(spectrum, power);
    multiplySpectrum(entries, spectrum);
  }
  if (few) putEntries(product, places, entries);
  return product;
}

/** Lower powers leave nearly all entries. */
const NARROWING_POWER = 64;
/** A transform costs about as much as this many terms for each of its places. */
const FEW_PLACES = 64;

/** The entries of `forwardTransform(values, size)` at some places, by their definition. */
function transformAt(values: Float64Array, size: number, places: Int32Array): Spectrum {
  const { table } = planFor(size);
  const entries = new Float64Array(2 * places.length);
  for (let i = 0; i < places.length; i++) {
    let re = 0;
    let im = 0;
    for (let j = 0, root = 0; j < values.length; j++) {
      re += values[j]! * table[2 * root]!;
      im += values[j]! * table[2 * root + 1]!;
      root = (root + places[i]!) & (size - 1);
    }
    entries[2 * i] = re;
    entries[2 * i + 1] = im;
  }
  return entries;
}

/** Logarithm of a size that is 0 as a double, by far. */
const LOG_ZERO = -760;

/**
 * Places of the entries whose power is not 0. Of many copies of a law they are few: the sum is wide, and so
 * its transform is narrow.
 */
function placesLeft(spectrum: Spectrum, power: number): Int32Array {
  const leastSquare = Real.exp((2 * LOG_ZERO) / power);
  const places = new Int32Array(spectrum.length / 2);
  let left = 0;
  for (let k = 0; k < places.length; k++) {
    const re = spectrum[2 * k]!;
    const im = spectrum[2 * k + 1]!;
    // What is no number stays.
    if (!(re * re + im * im < leastSquare) && (re !== 0 || im !== 0)) places[left++] = k;
  }
  return places.subarray(0, left);
}

function entriesAt(spectrum: Spectrum, places: Int32Array): Spectrum {
  const entries = new Float64Array(2 * places.length);
  for (let i = 0; i < places.length; i++) {
    entries[2 * i] = spectrum[2 * places[i]!]!;
    entries[2 * i + 1] = spectrum[2 * places[i]! + 1]!;
  }
  return entries;
}

function putEntries(spectrum: Spectrum, places: Int32Array, entries: Spectrum): void {
  for (let i = 0; i < places.length; i++) {
    spectrum[2 * places[i]!] = entries[2 * i]!;
    spectrum[2 * places[i]! + 1] = entries[2 * i + 1]!;
  }
}

function raiseAll(spectrum: Spectrum, power: number): void {
  let rest = power;
  for (; rest % 2 === 0; rest /= 2) squareSpectrum(spectrum);
  if (rest === 1) return;
  const base = spareMemory(spectrum.length);
  base.set(spectrum);
  for (rest = (rest - 1) / 2; rest > 0; rest = Math.floor(rest / 2)) {
    squareSpectrum(base);
    if (rest % 2 === 1) multiplySpectrum(spectrum, base);
  }
}

function squareSpectrum(spectrum: Spectrum): void {
  for (let i = 0; i < spectrum.length; i += 2) {
    const re = spectrum[i]!;
    const im = spectrum[i + 1]!;
    spectrum[i] = re * re - im * im;
    spectrum[i + 1] = re * im + im * re;
  }
}
