/**
 * The buffer of the sharp bound (docs/sharp-bound.md): messages drawn from the blanket's own law w, among
 * which the victim's lies or the message of the user in whose place it is. A draw y has a gain nu(y)/w(y) and
 * a ratio R(y)/w(y); what is asked for is
 *
 *     E e^(weight * sum of the gains) F(mean of the ratios)
 *
 * for a convex F. Ratios are put on a lattice, each split onto its two neighbours so that its mean stays:
 * larger for every convex function of the ratios, whatever the gains.
 */
import { onDemand, Real, type OtherInput } from '@shuffle-dp/core';
import type { Cumulants } from '../gains/quintic.ts';
import { keptByWeight } from './kept-by-weight.ts';

/**
 * Lattice steps over the deviation of one ratio: what rounding adds to the variance is at most a quarter of
 * its square.
 */
const [FINEST_STEP, COARSEST_STEP] = [1 / 8, 10];
/** Large buffers, of about the square root of the users, have ratios near one, however coarse the lattice. */
const STEPS_PER_ROOT = 100;
/** For a rough look: at least so wide, and so many times as wide as elsewhere. */
const [ROUGH_STEP, ROUGHER] = [0.5, 4];
const MOST_POINTS = 4096;

/** One draw: its probability, its gain and its ratio in lattice steps. */
export interface BufferLaw {
  readonly probabilities: Float64Array;
  readonly gains: Float64Array;
  readonly points: Int32Array;
  readonly step: number;
  readonly deviation: number;
  readonly smallestPoint: number;
  readonly largestPoint: number;
  /** What the rounding of the gains is relative to. */
  readonly magnitude: number;
}

/** Lattice steps over the deviation of one ratio, for this many users. */
export function latticeStep(users: number): number {
  return Math.min(COARSEST_STEP, Math.max(FINEST_STEP, Math.sqrt(Math.sqrt(users)) / STEPS_PER_ROOT));
}

/** Where the lattice need not be fine. */
export function roughLatticeStep(users: number): number {
  return Math.max(ROUGH_STEP, ROUGHER * latticeStep(users));
}

/**
 * @param input covered by the blanket; @param coarseness steps of the lattice over the deviation of one ratio
 */
export function bufferLaw(input: OtherInput, expEpsilon: number, coarseness: number): BufferLaw {
  const { victim0, victim1, blanket } = input;
  const ratios = ratioPoints(input, coarseness);
  const { mass, outputs } = ratios;
  const gains = new Float64Array(outputs.length);
  let magnitude = 0;
  for (let i = 0; i < outputs.length; i++) {
    const y = outputs[i]!;
    gains[i] = ((victim0[y]! - expEpsilon * victim1[y]!) * mass) / blanket[y]!;
    magnitude = Math.max(magnitude, ((victim0[y]! + expEpsilon * victim1[y]!) * mass) / blanket[y]!);
  }
  return withGains(ratios, gains, magnitude);
}

/** One shape for all laws: loops over their numbers are compiled for it. */
function withGains(
  { probabilities, points, step, deviation, smallestPoint, largestPoint }: Ratios,
  gains: Float64Array,
  magnitude: number,
): BufferLaw {
  return { probabilities, gains, points, step, deviation, smallestPoint, largestPoint, magnitude };
}

/** A law of some of its draws together. */
export function ofDraws(
  law: BufferLaw,
  { probabilities, gains, points }: Pick<BufferLaw, 'probabilities' | 'gains' | 'points'>,
): BufferLaw {
  return withGains({ ...law, probabilities, points }, gains, law.magnitude);
}

/** The same where the victim's message is at no place in the buffer: draws have no gains, at any epsilon. */
export function ratioLaw(input: OtherInput, coarseness: number): BufferLaw {
  return ratioPoints(input, coarseness).alone();
}

/** The draws but for their gains: the same at every epsilon. */
type Ratios = Omit<BufferLaw, 'gains' | 'magnitude'>;

interface RatioPoints extends Ratios {
  /** Of the blanket. */
  readonly mass: number;
  /** Which output a draw is: one or two draws are of each. */
  readonly outputs: Int32Array;
  /** The law without gains. */
  readonly alone: () => BufferLaw;
}

interface KnownPoints {
  readonly blanket: Float64Array;
  readonly coarseness: number;
  readonly ratios: RatioPoints;
}

/** Of the laws of others. */
const knownRatios = new WeakMap<Float64Array, KnownPoints[]>();
/** Of one law: coarse and fine, for either order of the victim's inputs and some numbers of users. */
const MOST_KNOWN = 8;

function ratioPoints({ own, blanket }: OtherInput, coarseness: number): RatioPoints {
  const known = knownRatios.get(own) ?? [];
  const same = known.find((one) => one.blanket === blanket && one.coarseness === coarseness);
  if (same !== undefined) return same.ratios;
  const ratios = ratioPointsOf(own, blanket, coarseness);
  knownRatios.set(own, [{ blanket, coarseness, ratios }, ...known].slice(0, MOST_KNOWN));
  return ratios;
}

function ratioPointsOf(own: Float64Array, blanket: Float64Array, coarseness: number): RatioPoints {
  const mass = blanket.reduce((sum, part) => sum + part, 0);
  const average = own.reduce((sum, part) => sum + part, 0);
  let square = 0;
  let least = Infinity;
  let most = 0;
  for (let y = 0; y < blanket.length; y++) {
    if (blanket[y]! === 0) continue;
    const ratio = (own[y]! * mass) / blanket[y]!;
    square += (blanket[y]! / mass) * (ratio - average) ** 2;
    least = Math.min(least, ratio);
    most = Math.max(most, ratio);
  }
  const deviation = Math.sqrt(square);
  // Ratios that differ by their rounding only are all their mean.
  const narrow = most - least <= 1e-12 * most;
  const step = narrow ? average : Math.max(deviation * coarseness, most / MOST_POINTS);
  const probabilities = new Float64Array(2 * own.length);
  const [outputs, points] = [new Int32Array(2 * own.length), new Int32Array(2 * own.length)];
  let count = 0;
  let smallestPoint = Infinity;
  let largestPoint = 0;
  for (let y = 0; y < blanket.length; y++) {
    if (blanket[y]! === 0) continue;
    const probability = blanket[y]! / mass;
    const ratio = narrow ? 1 : (own[y]! * mass) / blanket[y]! / step;
    const below = Math.floor(ratio);
    const share = ratio - below;
    for (let k = share < 1 ? 0 : 1; k < (share > 0 ? 2 : 1); k++) {
      probabilities[count] = probability * (k === 0 ? 1 - share : share);
      outputs[count] = y;
      points[count++] = below + k;
      smallestPoint = Math.min(smallestPoint, below + k);
      largestPoint = Math.max(largestPoint, below + k);
    }
  }
  const ratios = {
    probabilities: probabilities.slice(0, count),
    points: points.slice(0, count),
    step,
    deviation: narrow ? 0 : deviation,
    smallestPoint,
    largestPoint,
  };
  const alone = onDemand(() => withGains(ratios, new Float64Array(count), 0));
  return { ...ratios, mass, outputs: outputs.slice(0, count), alone };
}

/**
 * log E e^(weight gain + slope ratio) of one draw, with mean and variance of the ratio under the law so
 * tilted.
 */
export type DrawMoments = Cumulants;

export function drawMoments(law: BufferLaw, weight: number, slope: number): DrawMoments {
  const { top, ratios, masses, logs } = weightedPoints(law, weight);
  let shift = -Infinity;
  for (let i = 0; i < ratios.length; i++) shift = Math.max(shift, logs[i]! + slope * ratios[i]!);
  let total = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < ratios.length; i++) {
    const ratio = ratios[i]!;
    const part = masses[i]! * Real.exp(slope * ratio - shift);
    total += part;
    first += part * ratio;
    second += part * ratio * ratio;
  }
  return momentsOfSums(top + shift, total, first, second);
}

/**
 * From the sums over one draw of the tilted masses, and of these times the ratio and its square.
 * @param scale the exponent that was taken out of all of them
 */
export function momentsOfSums(scale: number, total: number, first: number, second: number): DrawMoments {
  const mean = first / total;
  return { log: scale + Real.log(total), mean, variance: Math.max(0, second / total - mean * mean) };
}

/** Law of the ratio of one draw, tilted. @param log of the tilt's mean, from `drawMoments` */
export function tiltedRatio(
  law: BufferLaw,
  weight: number,
  slope: number,
  log: number,
): { readonly points: Int32Array; readonly masses: Float64Array } {
  const { top, points, ratios, masses } = weightedPoints(law, weight);
  return { points, masses: masses.map((mass, i) => mass * Real.exp(slope * ratios[i]! + top - log)) };
}

/**
 * Draws of one ratio together, with their gains at some weight: of e^(weight gain) on average, as a mass at
 * its lattice point.
 */
export interface WeightedPoints {
  /** The largest exponent, which is taken out of the masses. */
  readonly top: number;
  readonly points: Int32Array;
  readonly ratios: Float64Array;
  readonly masses: Float64Array;
  readonly logs: Float64Array;
}

const pointsOf = keptByWeight<WeightedPoints>();

export function weightedPoints(law: BufferLaw, weight: number): WeightedPoints {
  return pointsOf(law, weight, () => pointsAt(law, weight));
}

/** Less would leave the doubles when it is tilted; more is an upper bound. */
const LEAST_MASS = 1e-300;

function pointsAt(law: BufferLaw, weight: number): WeightedPoints {
  const { probabilities, gains } = law;
  const { points, ratios, places } = distinctPoints(law);
  let top = -Infinity;
  for (const gain of gains) top = Math.max(top, weight * gain);
  const masses = new Float64Array(points.length);
  // An output's two draws lie beside each other.
  let gain = NaN;
  let power = NaN;
  for (let i = 0; i < gains.length; i++) {
    if (gains[i] !== gain) {
      gain = gains[i]!;
      power = Real.exp(weight * gain - top);
    }
    masses[places[i]!]! += probabilities[i]! * power;
  }
  const logs = new Float64Array(points.length);
  for (let i = 0; i < masses.length; i++) {
    masses[i] = Math.max(LEAST_MASS, masses[i]!);
    logs[i] = Real.log(masses[i]!);
  }
  return { top, points, ratios, masses, logs };
}

/** The lattice points of laws in order, their ratios, and the place of each draw's among them. */
interface DistinctPoints {
  readonly points: Int32Array;
  readonly ratios: Float64Array;
  readonly places: Int32Array;
}

/** By the points of the draws. */
const distinct = new WeakMap<Int32Array, DistinctPoints>();

function distinctPoints(law: BufferLaw): DistinctPoints {
  let kept = distinct.get(law.points);
  if (kept === undefined) {
    const points = new Int32Array(new Set(law.points)).sort();
    const placeOf = new Map([...points].map((point, place) => [point, place]));
    const places = law.points.map((point) => placeOf.get(point)!);
    kept = { points, ratios: Float64Array.from(points, (point) => point * law.step), places };
    distinct.set(law.points, kept);
  }
  return kept;
}
