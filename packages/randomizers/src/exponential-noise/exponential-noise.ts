/**
 * Noise of density e^-|z| around the value, on the line or conditioned on the range, and points that stand
 * for its outputs.
 */
import { Real } from '@shuffle-dp/core';

export interface ExponentialNoise {
  /** Of the range of values, in units of the noise. */
  readonly width: number;
  /** Conditioned on the range. */
  readonly isClipped: boolean;
}

/** The integral of e^-|y - value| over the outputs. */
export function totalOf({ width, isClipped }: ExponentialNoise): (value: number) => number {
  return (value) => (isClipped ? -Real.expm1(-value) - Real.expm1(value - width) : 2);
}

/** What lies on either side of each point, for the unnormalised laws, and beyond the ends. */
export function pointMasses(points: readonly number[], isClipped: boolean): Float64Array {
  return Float64Array.from(points, (point, i) => {
    const tail = isClipped ? 0 : 1;
    const before = i === 0 ? tail : Real.tanh((point - points[i - 1]!) / 2);
    const after = i === points.length - 1 ? tail : Real.tanh((points[i + 1]! - point) / 2);
    return before + after;
  });
}

/** What a value of the victim or of another user gives to outputs. */
export type Density = (output: number) => number;

export function lawsOf(noise: ExponentialNoise): (value: number) => Density {
  const total = totalOf(noise);
  return (value) => {
    const scale = 1 / total(value);
    return (y) => Real.exp(-Math.abs(y - value)) * scale;
  };
}

/** What the variance of the gains sums, but for what hides them: the same whatever others hold. */
export function squaredGains(
  points: readonly number[],
  masses: Float64Array,
  first: Density,
  second: Density,
): Float64Array {
  return masses.map((mass, k) => mass * (first(points[k]!) - second(points[k]!)) ** 2);
}

/** Of the gains where the two likelihoods count alike. */
export function variance(points: readonly number[], squares: Float64Array, hiding: Density): number {
  let sum = 0;
  for (let k = 0; k < squares.length; k++) sum += squares[k]! / hiding(points[k]!);
  return sum;
}

/** Each point once, from the smallest on. */
export function inOrder(points: readonly number[]): number[] {
  return points.toSorted((a, b) => a - b).filter((point, i, all) => i === 0 || point > all[i - 1]!);
}

/** A value as a share of the range, for labels. */
export function share(value: number, width: number): number {
  return Number((value / width).toPrecision(2));
}
