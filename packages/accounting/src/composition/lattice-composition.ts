/**
 * The privacy curve of many rounds, from their loss distributions on one lattice, by the discrete Fourier
 * transform (A. Koskela, J. Jalko, A. Honkela, "Computing Tight Differential Privacy Guarantees Using FFT",
 * AISTATS 2020).
 *
 * Where we differ: the laws are tilted by e^(theta loss) so that the losses about epsilon are their bulk,
 * which gives relative accuracy at any delta. The transform is circular, over a window chosen by Chernoff's
 * bound: what leaves it, what comes back into it and the rounding of the transform are bounded and go
 * outward.
 */
import {
  forwardTransform,
  inverseTransform,
  Real,
  transformSize,
  ROUNDOFF,
  lastWhere,
} from '@shuffle-dp/core';
import { crossing, cumulants, supportOf, type LatticeRound } from './loss-moments.ts';
import { sumSpectrum, unrolled, wound } from '../lattice/circle.ts';
import { norm, TRANSFORM_ERROR } from '../lattice/lattice-power.ts';
import { tilted, type TiltedLaw } from '../lattice/tilted-law.ts';
import type { Side } from './privacy-loss-distribution.ts';
import { LARGEST_LOSS } from './sampled-curve.ts';

/** Mass of the tilted total outside the window, on each side: e^-50. */
const DEPTH = 50;
/** Lower bounds say nothing beyond this epsilon, where losses taken for infinite might still be finite. */
const LARGEST_LOWER = LARGEST_LOSS - 40;
/** Tilts go up to this over the step, where only the largest loss is left. */
const LARGEST_TILT = 40;

/** delta(epsilon) of a composition, on one side, near the epsilon that it was made for. */
export interface ComposedCurve {
  /** The bound at `epsilon` >= 0. */
  deltaAt(epsilon: number): number;
  /**
   * Pessimistic: the smallest epsilon >= 0 at which the bound is at most `delta`; optimistic: the largest one
   * at which it is above.
   */
  epsilonAt(delta: number): number;
  /** -d log delta / d epsilon, about, at the centre. */
  readonly steepness: number;
  readonly centre: number;
  readonly deviation: number;
  /** Losses of its window, which say what it took. */
  readonly size: number;
}

/** The tilt whose mean total loss is `epsilon`. */
export function tiltForEpsilon(rounds: readonly LatticeRound[], epsilon: number): number {
  const limit = LARGEST_TILT / rounds[0]!.distribution.step;
  return crossing((theta) => cumulants(rounds, theta).mean - epsilon, tiltScale(rounds), limit);
}

/** The tilt at whose mean the saddle point estimates delta: a starting point, no bound. */
export function tiltForDelta(rounds: readonly LatticeRound[], delta: number): number {
  const limit = LARGEST_TILT / rounds[0]!.distribution.step;
  const target = Real.log(Math.max(delta - infiniteMass(rounds), 1e-3 * delta, 1e-300));
  return crossing(
    (theta) => {
      const { log, mean, variance } = cumulants(rounds, theta);
      const spread = Math.sqrt(2 * Math.PI * variance);
      const tail = Math.min(1, 1 / (theta * spread)) / (1 + theta);
      return target - (log - theta * mean + Real.log(tail));
    },
    tiltScale(rounds),
    limit,
  );
}

function tiltScale(rounds: readonly LatticeRound[]): number {
  const { variance } = cumulants(rounds, 0);
  return variance > 0 ? 1 / Math.sqrt(variance) : 1;
}

/** The probability that the total is infinite: one infinite loss is enough. */
function infiniteMass(rounds: readonly LatticeRound[]): number {
  let log = 0;
  for (const { distribution, count } of rounds) log += count * Real.log1p(-distribution.infinite);
  return -Real.expm1(log);
}

/** Losses of one window: two seconds of transforms, some hundred megabytes. */
const MOST_LOSSES = 2 ** 21;

/**
 * The composition of rounds of one step and one side, tilted by `theta` >= 0; null where the step is too
 * short for the window.
 */
export function composeOnLattice(rounds: readonly LatticeRound[], theta: number): ComposedCurve | null {
  const { side, step } = rounds[0]!.distribution;
  const moments = cumulants(rounds, theta);
  const window = windowOf(rounds, theta, moments.mean);
  if (!(window.size <= MOST_LOSSES)) return null;
  const { masses, error: transformError, rounding: exponentError } = tiltedTotal(rounds, theta, window);
  const { size, first } = window;
  const excess = excessOver(masses, theta, step);

  const exponents = Math.abs(moments.log) + theta * step * (Math.abs(first) + size);
  const rounding = 1e-11 + exponentError + 8 * ROUNDOFF * exponents;
  const outside = window.whole ? 0 : 2 * Real.exp(-DEPTH);
  const error = outside + transformError * weightNorm(theta, step, size);
  const infinite = infiniteMass(rounds);
  const deltaOf = (i: number): number => {
    const scale = Real.exp(moments.log - theta * (first + i) * step);
    const value =
      side === 'pessimistic'
        ? (excess[i]! + error) * (1 + rounding)
        : Math.max(0, excess[i]! - error) * (1 - rounding);
    const finite = scale === 0 || value === 0 ? 0 : scale * value;
    if (side === 'pessimistic') return Math.min(1, finite + infinite * (1 + 1e-12));
    return finite + ((first + i) * step < LARGEST_LOWER ? infinite * (1 - 1e-12) : 0);
  };
  const knots: Knots = { side, step, first, size, centre: moments.mean, deltaOf };
  return {
    deltaAt: (epsilon) => deltaBetween(knots, epsilon),
    epsilonAt: (delta) => epsilonBetween(knots, delta),
    steepness: Math.max(theta, 1 / Math.max(Math.sqrt(moments.variance), step)),
    centre: moments.mean,
    deviation: Math.sqrt(moments.variance),
    size,
  };
}

/**
 * For every loss s of the window the sum over the larger ones t of (1 - e^(s-t)) times their mass, where the
 * masses are tilted: in units of e^(K - theta s).
 */
function excessOver(masses: Float64Array, theta: number, step: number): Float64Array {
  const excess = new Float64Array(masses.length);
  const decay = Real.exp(-theta * step);
  const discount = Real.exp(-(1 + theta) * step);
  const share = -Real.expm1(-step);
  /** The sum over the larger losses of e^(s-t) times their mass. */
  let weighted = 0;
  for (let i = masses.length - 2; i >= 0; i--) {
    const next = weighted + Math.max(0, masses[i + 1]!);
    excess[i] = decay * (excess[i + 1]! + next * share);
    weighted = discount * next;
  }
  return excess;
}

/** The curve at the losses of the window, between which delta is linear in e^epsilon. */
interface Knots {
  readonly side: Side;
  readonly step: number;
  /** The first loss, in steps. */
  readonly first: number;
  readonly size: number;
  /** The mean of the tilted total. */
  readonly centre: number;
  /** The bound at the i-th loss. */
  deltaOf(i: number): number;
}

function deltaBetween({ side, step, first, size, deltaOf }: Knots, epsilon: number): number {
  const position = epsilon / step - first;
  if (position < 0) return side === 'pessimistic' ? 1 : deltaOf(0);
  if (side === 'optimistic' && epsilon > LARGEST_LOWER) return 0;
  if (position >= size - 1) return deltaOf(size - 1);
  const i = Math.floor(position);
  const along = Math.min(1, Math.max(0, Real.expm1((position - i) * step) / Real.expm1(step)));
  const [left, right] = [deltaOf(i), deltaOf(i + 1)];
  return Math.max(right, left + (right - left) * along);
}

function epsilonBetween(knots: Knots, delta: number): number {
  const { side, step, first, size, centre, deltaOf } = knots;
  const start = Math.min(size - 1, Math.max(0, -first));
  if (deltaOf(size - 1) > delta) return side === 'pessimistic' ? Infinity : LARGEST_LOWER;
  let low = start;
  const high = size - 1;
  if (side === 'pessimistic') {
    if (deltaBetween(knots, 0) <= delta) return 0;
    if (deltaOf(start) <= delta) return (first + start) * step;
  } else {
    // Far below the centre the tilted law has no digits, and the bound says nothing.
    low = Math.min(high, Math.max(start, Math.ceil(centre / step) - first));
    while (low > start && deltaOf(low) <= delta) low--;
    if (deltaOf(low) <= delta) return 0;
  }
  low = lastWhere(low, high, (middle) => deltaOf(middle) > delta);
  const [left, right] = [deltaOf(low), deltaOf(low + 1)];
  const along = (left - delta) / (left - right);
  const inside = Real.log1p(along * Real.expm1(step));
  const outward = side === 'pessimistic' ? 1e-13 : -1e-13;
  return Math.max(0, (first + low) * step + inside) * (1 + outward);
}

/** The losses kept: `size` of them, a power of two, from `first` on, in steps. */
interface Window {
  readonly first: number;
  readonly size: number;
  /** Nothing is outside. */
  readonly whole: boolean;
}

/**
 * Chernoff under the tilted law: the total exceeds K'(theta + t) with probability at most e^-I(t),
 * I(t) = K(theta) - K(theta + t) + t K'(theta + t), and likewise below for negative t.
 */
function windowOf(rounds: readonly LatticeRound[], theta: number, centre: number): Window {
  const step = rounds[0]!.distribution.step;
  const [least, most] = supportOf(rounds);
  const { log, variance } = cumulants(rounds, theta);
  const edge = (sign: 1 | -1): number => {
    const information = (t: number): number => {
      const there = cumulants(rounds, theta + sign * t);
      return log - there.log + sign * t * there.mean;
    };
    const t = crossing(
      (x) => information(x) - DEPTH,
      variance > 0 ? 1 / Math.sqrt(variance) : 1,
      LARGEST_TILT / step,
    );
    if (information(t) < DEPTH) return sign > 0 ? most : least;
    return cumulants(rounds, theta + sign * t).mean / step;
  };
  const first = Math.max(least, Math.floor(Math.min(edge(-1), centre / step)) - 1);
  const last = Math.min(most, Math.ceil(Math.max(edge(1), centre / step)) + 1);
  // One more than the losses, so that the largest is followed by an empty place.
  return { first, size: transformSize(last - first + 2), whole: first === least && last === most };
}

/** The tilted and normalised law of the total over the window. */
interface TiltedTotal {
  readonly masses: Float64Array;
  /** Bound of its error in the Euclidean norm. */
  readonly error: number;
  /** About the relative error of the masses that are transformed, over all rounds. */
  readonly rounding: number;
}

function tiltedTotal(rounds: readonly LatticeRound[], theta: number, { first, size }: Window): TiltedTotal {
  const transformUnits = TRANSFORM_ERROR * Math.log2(size) * ROUNDOFF;
  let origin = 0;
  let error = 0;
  let rounding = 0;
  const spectrum = sumSpectrum(rounds, ({ distribution: { step, offset }, law, count }) => {
    const one = tilted(law, theta * step);
    const circle = wound(law.points, one.masses, offset, size);
    // Entries of the spectrum are at most 1, so each factor passes the others' errors on unenlarged.
    error += count * (transformUnits + 4 * ROUNDOFF) * norm(circle);
    rounding += count * Math.max(LEAST_ROUNDING, 4 * ROUNDOFF * largestExponent(one, theta * step));
    origin += count * offset;
    return { spectrum: forwardTransform(circle, size), count };
  });
  const turned = inverseTransform(spectrum!);
  error += transformUnits * norm(turned);
  return { masses: unrolled(turned, first - origin, size), error, rounding };
}

/** Relative error that every tilted mass is charged for at least. */
const LEAST_ROUNDING = 1e-13;
/** Tilted masses below this say nothing of the total. */
const NO_SHARE = 1e-30;

/** The size of the exponents that masses come from: log mass and tilt times point are rounded each. */
function largestExponent({ law: { points, logMass }, masses }: TiltedLaw, tilt: number): number {
  let largest = 0;
  for (let i = 0; i < points.length; i++) {
    if (masses[i]! > NO_SHARE)
      largest = Math.max(largest, Math.abs(logMass[i]!) + Math.abs(tilt * points[i]!));
  }
  return largest;
}

/** Euclidean norm of the weights (1 - e^-u) e^(-theta u) of the losses u above epsilon. */
function weightNorm(theta: number, step: number, size: number): number {
  let sum = 0;
  for (let i = 1; i < size; i++) {
    const weight = -Real.expm1(-i * step) * Real.exp(-theta * i * step);
    sum += weight * weight;
    if (theta * i * step > 60) break;
  }
  return Math.sqrt(sum);
}
