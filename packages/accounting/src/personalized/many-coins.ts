/**
 * The law of a sum of very many coins of different probabilities, by its characteristic function: masses err
 * by some 1e-15 of the largest one, where clone-count.ts has all their digits and takes ten times as long.
 *
 * With z = e^(it) - 1 the logarithm is the sum of log(1 + p_i z). For p = middle + half s, s in [-1, 1], that
 * is log(A + B s) with A = 1 + middle z and B = half z, whose expansion in Chebyshev's polynomials is
 *
 *   log(A (1 + R)/2) + sum over j >= 1 of -2/j (-rho)^j T_j(s),   R = sqrt(1 - (B/A)^2),  rho = B/A / (1 + R).
 *
 * So the coins enter by the sums of T_j(s_i) alone. Where the characteristic function is not negligible, rho
 * is about half / deviation of the sum: few sums are needed.
 */
import { inverseTransform, Real, transformSize } from '@shuffle-dp/core';
import type { CloneCountLaw } from './clone-count.ts';

/** Coins of one probability each, in columns of one length. */
export interface Coins {
  readonly counts: Float64Array;
  /** In [0, 1]. */
  readonly probabilities: Float64Array;
}

/** Half of the window, in deviations of the sum; beyond, masses are below the rounding of those inside. */
const DEVIATIONS = 8.5;
/** Of fewer the window is short, and the characteristic function far from 0 reaches far. */
const LEAST_DEVIATION = 40;
const MOST_SUMS = 40;
const NEGLIGIBLE = 1e-18;

/** Null where the coins are too few for it, or too alike in being nearly certain. */
export function manyCoinsLaw(coins: Coins): Pick<CloneCountLaw, 'first' | 'masses'> | null {
  const { counts, probabilities } = coins;
  let [users, mean, variance, least, most] = [0, 0, 0, 1, 0];
  for (let i = 0; i < counts.length; i++) {
    const p = probabilities[i]!;
    users += counts[i]!;
    mean += counts[i]! * p;
    variance += counts[i]! * p * (1 - p);
    least = Math.min(least, p);
    most = Math.max(most, p);
  }
  const deviation = Math.sqrt(variance);
  if (!(deviation >= LEAST_DEVIATION)) return null;
  const [middle, half] = [(most + least) / 2, (most - least) / 2];
  // |z| <= t, and beyond t the characteristic function is below e^(-t^2 variance 2/pi^2).
  const farthest = Math.sqrt(-Real.log(NEGLIGIBLE / users) / variance / 2) * Math.PI;
  const sumsNeeded = Math.ceil(Real.log(NEGLIGIBLE / users) / Real.log(half * farthest));
  if (!(half * farthest < 0.5 && sumsNeeded <= MOST_SUMS)) return null;
  const sums = chebyshevSums(coins, middle, half, sumsNeeded);
  const size = transformSize(2 * DEVIATIONS * deviation + 4);
  const first = Math.round(mean) - size / 2;
  const spectrum = new Float64Array(size + 2);
  for (let k = 0; k <= size / 2; k++) {
    const { log, angle } = logCharacteristic((2 * Math.PI * k) / size, middle, half, sums);
    const modulus = Real.exp(log);
    if (modulus < NEGLIGIBLE) break;
    // Transforms turn the other way.
    const turn = ((2 * Math.PI * k) / size) * first - angle;
    spectrum[2 * k] = modulus * Real.cos(turn);
    spectrum[2 * k + 1] = modulus * Real.sin(turn);
  }
  const reach = Math.ceil(DEVIATIONS * deviation);
  const start = size / 2 - reach;
  return { first: first + start, masses: inverseTransform(spectrum).subarray(start, start + 2 * reach + 1) };
}

/** The sums over all coins of T_j((p - middle) / half), j from 0 to `highest`. */
function chebyshevSums(
  { counts, probabilities }: Coins,
  middle: number,
  half: number,
  highest: number,
): Float64Array {
  const sums = new Float64Array(highest + 1);
  for (let i = 0; i < counts.length; i++) {
    const s = half > 0 ? (probabilities[i]! - middle) / half : 0;
    let [before, value] = [s, 1];
    for (let j = 0; j <= highest; j++) {
      sums[j]! += counts[i]! * value;
      const next = 2 * s * value - before;
      before = value;
      value = next;
    }
  }
  return sums;
}

/** The logarithm of the characteristic function at t, by its real part and its imaginary one. */
function logCharacteristic(
  t: number,
  middle: number,
  half: number,
  sums: Float64Array,
): { readonly log: number; readonly angle: number } {
  const users = sums[0]!;
  const re = -2 * Real.sin(t / 2) ** 2;
  const im = Real.sin(t);
  const [aRe, aIm] = [1 + middle * re, middle * im];
  // |A|^2 - 1, without the difference of numbers near 1.
  const log = Real.log1p(2 * middle * (1 - middle) * re) / 2;
  const size = aRe * aRe + aIm * aIm;
  const qRe = (half * (re * aRe + im * aIm)) / size;
  const qIm = (half * (im * aRe - re * aIm)) / size;
  // R, a root with a positive real part.
  const rootRe = 1 - (qRe * qRe - qIm * qIm);
  const rootIm = -2 * qRe * qIm;
  const r = Math.sqrt((Math.sqrt(rootRe * rootRe + rootIm * rootIm) + rootRe) / 2);
  const rIm = rootIm / (2 * r);
  const below = (1 + r) ** 2 + rIm * rIm;
  const rhoRe = (qRe * (1 + r) + qIm * rIm) / below;
  const rhoIm = (qIm * (1 + r) - qRe * rIm) / below;
  // 1 + R against 2 is 1 against 1 + rho^2.
  const squareRe = rhoRe * rhoRe - rhoIm * rhoIm;
  const squareIm = 2 * rhoRe * rhoIm;
  const more = 2 * squareRe + squareRe * squareRe + squareIm * squareIm;
  let real = users * (log - Real.log1p(more) / 2);
  let angle = users * (Real.atan2(aIm, aRe) - Real.atan2(squareIm, 1 + squareRe));
  let [powerRe, powerIm] = [1, 0];
  for (let j = 1; j < sums.length; j++) {
    [powerRe, powerIm] = [powerIm * rhoIm - powerRe * rhoRe, -powerRe * rhoIm - powerIm * rhoRe];
    real -= ((2 * powerRe) / j) * sums[j]!;
    angle -= ((2 * powerIm) / j) * sums[j]!;
  }
  return { log: real, angle };
}
