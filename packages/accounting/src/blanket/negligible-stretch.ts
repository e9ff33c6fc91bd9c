/**
 * How far a characteristic function stays negligible. With phi(v) = E e^(iv(G - mean)) of a tilted law and
 * any h,
 *
 *     |phi(v + h)| <= |phi(v) + h phi'(v)| + h^2 Var(G) / 2 ,
 *
 * by Taylor's theorem, since |phi''| <= Var(G). The right side is convex in h: where it is below a threshold
 * at 0 and at h, it is so between. Where phi still falls its slope makes up for the bend, so that a stretch
 * is about twice as long as all that lies before it; by the deviation alone, which bounds |phi'|, it would be
 * a hundredth of that for many copies.
 */
import { ROUNDOFF } from '@shuffle-dp/core';
import type { TiltedLaw } from './exponential-tilt.ts';

/** Of sums over the weights, beside that of the tilt itself. */
const ROUNDING = 1e-13;
/** Bisections of the last doubling. */
const BISECTIONS = 4;

/** Points at whole multiples of a step. */
export interface Stretch {
  /** The first one, in steps: its modulus is below the threshold. */
  readonly from: number;
  readonly step: number;
  /** No later one is asked for. */
  readonly last: number;
  /** Of |M(theta + iv) / M(theta)|, below 1. */
  readonly threshold: number;
  /** What is not known of M(theta + iv) / M(theta) at the first point. */
  readonly uncertain: number;
}

/** E (e^(ivG) - 1) of a tilted law at the first point v, and its slope in v without that of the mean. */
export interface CharacteristicPoint {
  readonly re: number;
  readonly im: number;
  readonly slopeRe: number;
  readonly slopeIm: number;
}

/**
 * The last point, in steps, up to which every modulus is below the threshold: `from` where nothing more is
 * known.
 */
export function stretchEnd(
  point: CharacteristicPoint,
  { mean, secondMoment, magnitude }: Pick<TiltedLaw, 'mean' | 'secondMoment' | 'magnitude'>,
  { from, step, last, threshold, uncertain }: Stretch,
): number {
  // Of e^(ivG) about the mean: the factor e^(-iv mean) has modulus 1.
  const { re, im } = point;
  const slopeRe = point.slopeRe + mean * im;
  const slopeIm = point.slopeIm - mean * re;
  const bend = Math.max(0, secondMoment - mean * mean) + ROUNDING * secondMoment;
  // Of the slope, whose sines are of angles that round relative to themselves; and of G, whose values do.
  const drift =
    ROUNDING * (Math.sqrt(secondMoment) + Math.abs(mean)) +
    4 * ROUNDOFF * (from * step * secondMoment + magnitude);
  const most = threshold - ROUNDING - uncertain;
  const isBelow = (points: number): boolean => {
    const h = points * step;
    const real = 1 + re + h * slopeRe;
    const imaginary = im + h * slopeIm;
    const straight = Math.sqrt(real * real + imaginary * imaginary);
    return straight + (h * h * bend) / 2 + h * drift <= most;
  };
  if (!isBelow(0)) return from;
  let low = 0;
  let high = 1;
  while (from + low < last && isBelow(high)) [low, high] = [high, 2 * high];
  for (let round = 0; round < BISECTIONS && high - low > 1; round++) {
    const middle = Math.floor((low + high) / 2);
    if (isBelow(middle)) low = middle;
    else high = middle;
  }
  return Math.min(last, from + low);
}
