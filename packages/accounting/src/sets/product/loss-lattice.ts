/**
 * Privacy losses on a lattice: every atom is split onto lattice points on both sides of it, so that its mass
 * under both hypotheses stays. The original is a post-processing of the split pair, which therefore dominates
 * it, with an error of second order (split-excess.ts). Counts of one run are split onto both ends of what the
 * run may have for an upper end, and merged first for a lower one, which is a post-processing.
 */
import { complexTransformOf, Real, transformOf, type Spectrum } from '@shuffle-dp/core';
import { wound } from '../../lattice/circle.ts';
import type { LatticeLaw, TiltedLaw } from '../../lattice/tilted-law.ts';
import type { RatioLaw } from '../ratio-law.ts';

export type Side = 'upper' | 'lower';

/** Whether the loss is the ratio's logarithm, or minus it. */
export type Role = 'sent' | 'unsent';

/** Atoms split onto the lattice: the ratio's logarithms, in steps, and log of the base masses. */
export interface SplitRatios extends LatticeLaw {
  /** The count that waves weigh, of each atom. */
  readonly count: Float64Array;
  /** How far apart the points are that an atom is split onto, at most. */
  readonly widest: number;
}

/** The law of a loss under the first hypothesis, in steps of the lattice. */
export interface LossLaw extends SplitRatios {
  readonly least: number;
  readonly most: number;
}

/** The ratio's logarithms on a lattice: for the laws of the losses in both roles. */
export function splitRatios(
  { logMass, logRatio, leastLog, mostLog, count }: RatioLaw,
  step: number,
  side: Side,
): SplitRatios {
  const [least, most] = side === 'upper' ? [leastLog, mostLog] : [logRatio, logRatio];
  const room = 2 * logMass.length;
  const [points, logs, counts] = [new Float64Array(room), new Float64Array(room), new Float64Array(room)];
  let length = 0;
  let widest = 0;
  const oneStep = Real.expm1(step);
  const add = (point: number, share: number, i: number): void => {
    if (!(share > 0)) return;
    points[length] = point;
    logs[length] = logMass[i]! + Real.log(share);
    counts[length++] = count[i]!;
  };
  for (let i = 0; i < logMass.length; i++) {
    const low = Math.floor(least[i]! / step);
    const high = Math.max(low + 1, Math.ceil(most[i]! / step));
    // The share that keeps the mass under both hypotheses: the mean ratio stays.
    const across = high === low + 1 ? oneStep : Real.expm1((high - low) * step);
    const share = Real.expm1(logRatio[i]! - low * step) / across;
    add(low, 1 - share, i);
    add(high, Math.min(1, share), i);
    if (share > 0 && share < 1) widest = Math.max(widest, high - low);
  }
  return {
    points: points.subarray(0, length),
    logMass: logs.subarray(0, length),
    count: counts.subarray(0, length),
    widest,
  };
}

export function lossLaw(split: SplitRatios, role: Role, step: number): LossLaw {
  const { count, widest } = split;
  const [points, logMass] = [split.points.slice(), split.logMass.slice()];
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < points.length; i++) {
    if (role === 'sent') logMass[i]! += points[i]! * step;
    else points[i] = -points[i]!;
    least = Math.min(least, points[i]!);
    most = Math.max(most, points[i]!);
  }
  return { points, logMass, count, least, most, widest };
}

/** Of a transform: which point is put at 0, and room for the result. */
export interface OnCircle {
  readonly least: number;
  readonly room: Spectrum;
}

/**
 * The transform of the masses on a circle.
 * @param size points of the circle, a power of two
 */
export function spectrumOf(
  { law: { points }, masses }: TiltedLaw,
  size: number,
  { least, room }: OnCircle,
): Spectrum {
  return transformOf(size, (circle) => void wound(points, masses, least, size, circle), room);
}

/** The whole transform of the masses, each times its phase. */
export function wavySpectrumOf(
  { law: { points }, masses }: TiltedLaw,
  { re, im }: Phases,
  size: number,
  { least, room }: OnCircle,
): Spectrum {
  const put = (circle: Float64Array): void => {
    for (let i = 0; i < points.length; i++) {
      const at = 2 * ((points[i]! - least) & (size - 1));
      circle[at]! += masses[i]! * re[i]!;
      circle[at + 1]! += masses[i]! * im[i]!;
    }
  };
  return complexTransformOf(size, put, room);
}

/** exp(i k frequency count) of each atom: `next` goes from one k to the next, from 0 on. */
export class Phases {
  readonly re: Float64Array;
  readonly im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  constructor({ count }: LossLaw, frequency: number) {
    this.re = new Float64Array(count.length).fill(1);
    this.im = new Float64Array(count.length);
    this.#cos = count.map((value) => Real.cos(frequency * value));
    this.#sin = count.map((value) => Real.sin(frequency * value));
  }

  /** Errs by a unit in the last place or two. */
  next(): void {
    const { re, im } = this;
    const [cos, sin] = [this.#cos, this.#sin];
    for (let i = 0; i < re.length; i++) {
      const before = re[i]!;
      re[i] = before * cos[i]! - im[i]! * sin[i]!;
      im[i] = before * sin[i]! + im[i]! * cos[i]!;
    }
  }
}
