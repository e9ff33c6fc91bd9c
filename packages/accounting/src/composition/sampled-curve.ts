/**
 * The curve e^epsilon -> delta of a pair, sampled from a one-round accountant. How far it can lie below a
 * chord is bounded by convexity alone: beyond a cell the neighbouring chords, extended, are below the curve.
 */
import { provedInterval, Real } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import type { PrivacyProfile } from '../privacy-profile.ts';
import type { LatticeCurve } from './privacy-loss-distribution.ts';

/** Longest curve, in steps; the rest of the losses counts as infinite. */
const MOST_POINTS = 5000;

/**
 * The curve is not asked beyond this loss. What has not fallen by then counts as infinite loss; from below
 * that holds for every epsilon well below it (docs/composition.md).
 */
export const LARGEST_LOSS = 300;

/** Both directions of one pair; the same object twice where it is symmetric. */
export type CurvePair = readonly [forward: LatticeCurve, backward: LatticeCurve];

/** What a curve has cost so far, its integrals and at how many points it was asked. */
export interface CurveWork extends Work {
  points: number;
}

/** Where a curve may be looked at less closely. */
export interface Attention {
  /**
   * Cells of which much mass is seen after tilting by e^(tilt loss) are cut into finer ones; none without it.
   */
  readonly tilt?: number;
  /**
   * The widest cell near zero, in steps: a power of two. Far out cells are as wide as a part of their
   * distance from zero.
   */
  readonly widest: number;
  /** Whether every point is looked at, from zero on, as long as that is affordable. */
  readonly isClosest?: boolean;
  /** What the profile costs, counted: where it is dear fewer points are looked at. */
  readonly work?: CurveWork;
}

export interface Sampling {
  /** Distance of the lattice's points, in nats. */
  readonly step: number;
  /** What may be left of delta beyond the last point. */
  readonly tail: number;
}

/**
 * The profile's ends that are proved. Of one that proves only the upper end the lower one is made up: it
 * steers the search for a step.
 */
export type ProvedEnds = 'both' | 'upper';

/**
 * Of heavy tails little is seen in any cell: where a cell is so many times its width from zero it may be
 * wider yet.
 */
const CELLS_FROM_ZERO = 6;

/**
 * Cells have this width where the tilted mass is the largest, and more as the third root of it falls: the
 * least error for their number.
 */
const WIDTH_AT_PEAK = 0.8;

/** What the points of one curve may cost, about: a second's work. */
const MOST_SINES = 1.2e7;

/** Beyond so many times that it is looked at no closer, whatever was planned. */
const DEAREST = 2;

/** A curve at some of the lattice's points, the first and the last among them. */
interface Samples {
  /** In steps, increasing from 0. */
  readonly knots: readonly number[];
  readonly upper: readonly number[];
  readonly lower: readonly number[];
  readonly infinite: number;
}

/**
 * Samples both directions until what is left of delta, beside the mass of infinite loss, is at most `tail`.
 * For a symmetric pair `backward` is null. Without `attention` every point of the lattice is looked at.
 */
export function sampledCurves(
  forward: PrivacyProfile,
  backward: PrivacyProfile | null,
  { step, tail }: Sampling,
  attention: Attention | null = null,
  proved: ProvedEnds = 'both',
): CurvePair {
  const ahead = samples(forward, { step, tail }, attention, proved);
  // Its losses are those of the forward direction with the other sign.
  const reversed = attention?.tilt === undefined ? attention : { ...attention, tilt: -1 - attention.tilt };
  const behind = backward === null ? ahead : samples(backward, { step, tail }, reversed, proved);
  const first = onLattice(ahead, behind, step);
  return [first, backward === null ? first : onLattice(behind, ahead, step)];
}

function samples(
  profile: PrivacyProfile,
  { step, tail }: Sampling,
  attention: Attention | null,
  proved: ProvedEnds,
): Samples {
  const work = attention?.work;
  /** Of all points so far: those of this lattice may be known from another. */
  const affordable = (): number =>
    work && work.sines > 0 ? (work.points * MOST_SINES) / work.sines : Infinity;
  const cellAt = (j: number, before: number): number =>
    attention === null || (attention.isClosest && before < affordable())
      ? 1
      : Math.max(attention.widest, 2 ** Math.floor(Math.log2(Math.max(1, j / CELLS_FROM_ZERO))));
  const begun = work?.sines ?? 0;
  /** Where points are dear they lie ever further apart: chords hold between them, however long they are. */
  const leapAt = (j: number): number =>
    work !== undefined && work.sines - begun > MOST_SINES ? Math.ceil(j / 2) : 0;
  const infinite = profile(LARGEST_LOSS);
  const enough = infinite.upper * (1 + 1e-6) + tail;
  const heightAt = (j: number): number => profile(j * step).upper;
  const coarse: number[] = [];
  for (let j = 0; ; j = Math.min(MOST_POINTS - 1, j + Math.max(cellAt(j, coarse.length), leapAt(j)))) {
    coarse.push(j);
    if (heightAt(j) <= enough || j === MOST_POINTS - 1) break;
  }
  let planned = coarse;
  if (attention?.tilt !== undefined) {
    const { tilt } = attention;
    const most = affordable();
    for (let widening = 1; ; widening *= 2) {
      planned = finerKnots(coarse, heightAt, step, { tilt, widening });
      if (!(planned.length > Math.max(most, coarse.length))) break;
    }
  }
  const known = new Set(coarse);
  const knots: number[] = [];
  const upper: number[] = [];
  const lower: number[] = [];
  for (const j of planned) {
    // Points may be dearer than those before have told: the coarse ones are left then, which are known.
    if (work !== undefined && work.sines - begun > DEAREST * MOST_SINES && !known.has(j)) continue;
    const i = knots.push(j) - 1;
    const bracket = profile(j * step);
    upper.push(Math.min(bracket.upper, upper[i - 1] ?? 1));
    const ends = provedInterval(
      'delta',
      { name: `the curve at ${j * step}`, value: proved === 'both' ? bracket.lower : upper[i]! },
      { name: 'the curve up to there', value: upper[i]! },
    );
    lower.push(ends.lower);
  }
  for (let i = lower.length - 2; i >= 0; i--) lower[i] = Math.max(lower[i]!, lower[i + 1]!);
  return { knots, upper, lower, infinite: infinite.lower };
}

/**
 * Cells cut into powers of two by how much tilted mass is in them, as the bends of the curve at their ends
 * tell.
 */
function finerKnots(
  knots: readonly number[],
  heightAt: (j: number) => number,
  step: number,
  { tilt, widening }: { readonly tilt: number; readonly widening: number },
): number[] {
  const xs = knots.map((j) => Real.exp(j * step));
  const heights = knots.map(heightAt);
  const slope = (i: number): number => (heights[i + 1]! - heights[i]!) / (xs[i + 1]! - xs[i]!);
  const weights = knots.map((j, i) => {
    if (i === 0 || i === knots.length - 1) return 0;
    // The bend is the mass under Q, and e^loss times it that under P.
    return Math.max(0, slope(i) - slope(i - 1)) * Real.exp((1 + tilt) * j * step);
  });
  weights[0] = weights[1] ?? 0;
  const peak = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const finer: number[] = [];
  for (let i = 0; i + 1 < knots.length; i++) {
    const [start, end] = [knots[i]!, knots[i + 1]!];
    const share = Math.max(weights[i]!, weights[i + 1]!) / peak;
    const wanted = share > 0 ? (widening * WIDTH_AT_PEAK) / Real.power(share, 1 / 3) : Infinity;
    const width = Math.min(end - start, 2 ** Math.max(0, Math.floor(Math.log2(wanted))));
    for (let j = start; j < end; j += width) finer.push(j);
  }
  finer.push(knots.at(-1)!);
  return finer;
}

/** Chords between the knots, and how far the curve can lie below them. */
function onLattice(curve: Samples, reverse: Samples, step: number): LatticeCurve {
  const { knots, infinite } = curve;
  const last = knots.at(-1)!;
  const upper = new Float64Array(last + 1);
  const lower = new Float64Array(last + 1);
  const gap = new Float64Array(last);
  const gaps = gapsOf(curve, reverse, step);
  for (let i = 0; i + 1 < knots.length; i++) {
    const [start, end] = [knots[i]!, knots[i + 1]!];
    const whole = Real.expm1((end - start) * step);
    for (let j = start; j < end; j++) {
      const along = Real.expm1((j - start) * step) / whole;
      upper[j] = curve.upper[i]! + along * (curve.upper[i + 1]! - curve.upper[i]!);
      lower[j] = curve.lower[i]! + along * (curve.lower[i + 1]! - curve.lower[i]!);
      gap[j] = gaps[i]!;
    }
  }
  upper[last] = curve.upper.at(-1)!;
  lower[last] = curve.lower.at(-1)!;
  return { upper, lower, gap, infinite };
}

/** By how much the curve can lie below its chord, cell by cell. */
function gapsOf({ knots, upper, lower }: Samples, reverse: Samples, step: number): Float64Array {
  const cells = knots.length - 1;
  const widthOf = (from: number, to: number): number =>
    Real.exp(from * step) * Real.expm1((to - from) * step);
  const widths = Float64Array.from({ length: cells }, (_, i) => widthOf(knots[i]!, knots[i + 1]!));
  /** Upper bound of the bend at a knot: by how much the chord after it is less steep than the one before. */
  const bend = (i: number): number => {
    const after = (upper[i + 1]! - lower[i]!) / widths[i]!;
    if (i > 0) return after + (upper[i - 1]! - lower[i]!) / widths[i - 1]!;
    const behind = (reverse.upper[1] ?? reverse.upper[0]!) - lower[0]!;
    return 1 - lower[0]! + after + behind / widthOf(0, reverse.knots[1] ?? knots[1]!);
  };
  const gaps = new Float64Array(cells);
  for (let i = 0; i < cells; i++) {
    const left = Math.max(0, bend(i));
    // Beyond the last point the curve is only known not to rise.
    const drop = Math.max(0, upper[i]! - lower[i + 1]!);
    const right = i + 1 < cells ? Math.max(0, bend(i + 1)) : drop / widths[i]!;
    const apart = left + right > 0 ? (widths[i]! * left * right) / (left + right) : 0;
    gaps[i] = Math.min(drop, apart);
  }
  return gaps;
}
