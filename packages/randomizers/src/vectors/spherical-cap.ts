/**
 * Caps of the unit sphere under its uniform law. One coordinate of a uniform point has the density
 * (1 - t^2)^((D-3)/2) / B(1/2, (D-1)/2) on [-1, 1].
 */
import {
  bracketRoot,
  integrateSmooth,
  logGamma,
  Real,
  regularizedIncompleteBeta,
  sampleGamma,
  sampleGaussian,
  type RandomStream,
} from '@shuffle-dp/core';

/** Share of the sphere whose first coordinate is at least `threshold`, from 0 to 1. */
function areaOfCap(dimensions: number, threshold: number): number {
  const square = threshold * threshold;
  // Next to half the sphere 1 - t^2 has lost the digits of t^2.
  if (square * dimensions < 1)
    return 0.5 - regularizedIncompleteBeta(square, 1 / 2, (dimensions - 1) / 2) / 2;
  return regularizedIncompleteBeta((1 - threshold) * (1 + threshold), (dimensions - 1) / 2, 1 / 2) / 2;
}

const LARGEST_COSINE = 1 - 2 ** -50;

/** Share of the sphere below which the edge of a cap has no cosine that is told from 1. */
export function smallestCap(dimensions: number): number {
  return areaOfCap(dimensions, LARGEST_COSINE);
}

/** The cosine at the edge of a cap with this share of the sphere, from `smallestCap` to one half. */
export function capThreshold(dimensions: number, cap: number): number {
  if (cap === 0.5) return 0;
  const { lower } = bracketRoot((g) => Real.log(cap / areaOfCap(dimensions, g)), 0, LARGEST_COSINE);
  // A step of Newton's, as overlaps of narrow lenses see digits beyond the bracket's.
  const half = (dimensions - 1) / 2;
  const density = Real.exp((half - 1) * Real.log1p(-lower * lower) - logBetaOfHalf(half));
  return Math.min(LARGEST_COSINE, Math.max(0, lower + (areaOfCap(dimensions, lower) - cap) / density));
}

/** log B(1/2, half). */
function logBetaOfHalf(half: number): number {
  return logGamma(half) + logGamma(1 / 2) - logGamma(half + 1 / 2);
}

/** Equal parts of the range of angles, for an integrand that is smooth in them. */
const PARTS = 24;

/**
 * Share of the sphere in two caps around vectors at this angle (from 0 to pi) of each other. In the plane of
 * the two, at the radius r, caps are arcs of half-angle arccos(threshold / r), and r is beyond t with
 * probability (1 - t^2)^(D/2 - 1). So the share is, over angles v from angle / 2 to arccos(threshold), the
 * integral of (1 - threshold^2 / cos(v)^2)^(D/2 - 1) / pi: falling and convex in the angle.
 */
export function capOverlap(dimensions: number, threshold: number, angle: number): number {
  const last = Real.acos(threshold);
  const width = last - angle / 2;
  if (!(width > 0)) return 0;
  const power = dimensions / 2 - 1;
  // Squares of a parameter, in which the root at the far end is smooth.
  const root = Math.sqrt(width);
  const integrand = (t: number): number => {
    const ratio = threshold / Real.cos(last - t * t);
    const inside = Math.max(0, (1 - ratio) * (1 + ratio));
    return 2 * t * (power === 0 ? 1 : Real.power(inside, power));
  };
  let sum = 0;
  for (let i = 0; i < PARTS; i++)
    sum += integrateSmooth(integrand, (root * i) / PARTS, (root * (i + 1)) / PARTS, 16);
  return sum / Math.PI;
}

/** A cap's share of the sphere as the integral over it of the first coordinate, and what is left of it. */
export interface CapMoment {
  /** Integral over the cap of the first coordinate t, under the uniform law on the sphere. */
  readonly moment: number;
  /** Integral over the cap of 1 - t. */
  readonly lost: number;
}

/** @param threshold the cosine at the edge of the cap; in few dimensions the share alone has all digits */
export function capMoment(dimensions: number, cap: number, threshold: number): CapMoment {
  if (dimensions === 2) {
    const halfAngle = Math.PI * cap;
    return { moment: Real.sin(halfAngle) / Math.PI, lost: lessSine(halfAngle) / Math.PI };
  }
  if (dimensions === 3) return { moment: cap * (1 - cap), lost: cap * cap };
  const half = (dimensions - 1) / 2;
  const logSquare = Real.log1p(-threshold) + Real.log1p(threshold);
  const beyond = Real.exp(half * logSquare - logBetaOfHalf(half)) / (dimensions - 1);
  // The edge is rounded, which narrow caps see: what the cap has more than space within it is at the edge.
  const moment = beyond + threshold * (cap - areaOfCap(dimensions, threshold));
  return { moment, lost: cap - moment };
}

/** x - sin(x), from 0 to pi / 2. */
function lessSine(x: number): number {
  if (x > 0.5) return x - Real.sin(x);
  const square = x * x;
  let term = (x * square) / 6;
  let sum = term;
  for (let k = 4; term !== 0 && Math.abs(term) > 1e-17 * sum; k += 2) {
    term *= -square / (k * (k + 1));
    sum += term;
  }
  return sum;
}

/**
 * From here on caps are so small that one seldom hits them by chance, and the density falls nearly
 * exponentially.
 */
const SMALL_CAP = 1.6;

/** Draws the first coordinate of a uniform point, given that it is inside or outside of the cap. */
export class CosineSampler {
  readonly #dimensions: number;
  readonly #threshold: number;
  readonly #stream: RandomStream;

  constructor(dimensions: number, threshold: number, stream: RandomStream) {
    this.#dimensions = dimensions;
    this.#threshold = threshold;
    this.#stream = stream;
  }

  insideCap(): number {
    const threshold = this.#threshold;
    if (this.#dimensions === 2) return Math.cos(Math.acos(threshold) * this.#stream.next());
    if (this.#dimensions === 3) return threshold + (1 - threshold) * this.#stream.next();
    if (threshold * Math.sqrt(this.#dimensions) > SMALL_CAP) return this.#insideSmallCap();
    for (;;) {
      const cosine = Math.abs(this.#anywhere());
      if (cosine >= threshold) return cosine;
    }
  }

  outsideCap(): number {
    for (;;) {
      const cosine = this.#anywhere();
      if (cosine < this.#threshold) return cosine;
    }
  }

  #anywhere(): number {
    const z = sampleGaussian(this.#stream);
    const rest = 2 * sampleGamma((this.#dimensions - 1) / 2, this.#stream);
    return z / Math.sqrt(z * z + rest);
  }

  /** Rejection from the exponential that touches the log-concave density at the edge. */
  #insideSmallCap(): number {
    const threshold = this.#threshold;
    const power = (this.#dimensions - 3) / 2;
    const span = (1 - threshold) * (1 + threshold);
    const rate = (2 * power * threshold) / span;
    for (;;) {
      const step = -Real.log(this.#stream.nextOpen()) / rate;
      const cosine = threshold + step;
      if (cosine >= 1) continue;
      const logRatio = power * Real.log(((1 - cosine) * (1 + cosine)) / span) + rate * step;
      if (Real.log(this.#stream.nextOpen()) < logRatio) return cosine;
    }
  }
}
