/**
 * From above what minimum-moments.ts integrates, by a few moments of the tilted gains alone
 * (docs/sharp-bound.md, "Without an integral"). With G' a copy of G, D = G - G' under the law tilted by t,
 * and any set of gains of which both are, cos z <= 1 - z^2 / 2 + z^4 / 24 gives
 *
 *     |M(t + iv) / M(t)|^2 = E cos(vD) <= 1 - 2 q(v) ,   2 q(v) = E (D^2 ; set) v^2 / 2 - E (D^4 ; set) v^4 / 24 ,
 *
 * so that |M(t + iv)|^N <= e^(-N q(v)) is a normal law's, nearly, up to some v, and almost nothing from there
 * on. What lies beyond the last v of which any q tells is left to the noise.
 */
import { logNormalTail, Real, ROUNDOFF } from '@shuffle-dp/core';
import { tilt, type TiltedLaw } from '../../blanket/exponential-tilt.ts';
import type { LossLaw } from '../../blanket/loss-law.ts';

/** Noise for all tilts of a table, and by how much log L is too large at the tilt that it was chosen for. */
export interface MomentBound {
  readonly noise: number;
  readonly loss: number;
}

/** The noise that loses least at a tilt; null where there are too few copies for such gains. */
export function chosenNoise(law: LossLaw, count: number, tilted: TiltedLaw): MomentBound | null {
  const { theta: t } = tilted;
  const curves = modulusCurves(law, count, tilted);
  if (curves === null) return null;
  const { deviation } = curves;
  const last = curves.reaches.at(-1)!;
  // The rest beyond `last` over the main part, were there no noise, and what a unit of the exponent costs.
  const rest = (0.8 * t * (t * deviation)) / last;
  const cost = (t / last) ** 2;
  let exponent = 0;
  for (let round = 0; round < 3; round++)
    exponent = Math.max(0, Real.log(rest / (cost * (1 + 2 * exponent))));
  const noise = Math.sqrt(2 * exponent) / last;
  const loss = logDistance(curves, count, t, noise) - normalPart(t * deviation) + (noise * noise * t * t) / 2;
  return { noise, loss };
}

/** log L(t) from above, with the noise; infinity where the moments do not tell. */
export function logMomentBound(law: LossLaw, count: number, noise: number, t: number): number {
  const tilted = tilt(law, t);
  const curves = modulusCurves(law, count, tilted);
  if (curves === null) return Infinity;
  const main = count * tilted.logMean;
  const log = main + (noise * noise * t * t) / 2 + logDistance(curves, count, t, noise);
  const exponent = (t * curves.deviation) ** 2 + (noise * t) ** 2;
  const error = count * tilted.logMeanError + 8 * ROUNDOFF * (Math.abs(main) + exponent + 64) + SLACK;
  return Number.isNaN(log) ? Infinity : log + error;
}

/** What rounding of a few moments and of a normal tail amounts to in logarithms, its exponent aside. */
const SLACK = 1e-8;
/** Relative, of moments that are sums of positive terms; and of values, in units of their magnitudes. */
const [MOMENT_ROUNDING, VALUE_ROUNDING] = [1e-9, 16 * ROUNDOFF];
/** Gains nearly all alike leave too few digits of their variance. */
const MOST_ALIKE = 1e4;

/** q(v) = v^2 (bend - v^2 fourth): `bend` from below, `fourth` from above. */
export interface ModulusCurve {
  readonly bend: number;
  readonly fourth: number;
}

interface ModulusCurves {
  /** Of all gains, and of those near the mean. */
  readonly curves: readonly ModulusCurve[];
  /** Up to where each of them tells, in order. */
  readonly reaches: readonly number[];
  /** Of the sum of all copies. */
  readonly deviation: number;
}

/**
 * Gains within so many deviations of the mean: without the others' fourth moments a curve reaches further.
 * And so many of the sum's: those still count in the main part.
 */
const [NEAR_MEAN, OF_THE_SUM] = [3, 0.1];
/** Up to where q is at least so small a share of its parabola; of fewer copies more is needed. */
const LEAST_LEFT = 0.05;
/** So many nats are to be left of the modulus between the main part and the rest. */
const NEARLY_NOTHING = 13;
/** Curves that reach less far than so much of their parabola's root say nothing. */
const LEAST_REACH = 0.5;

/** Of one gain; null where none tells of so many copies. */
export function modulusCurves(law: LossLaw, count: number, tilted: TiltedLaw): ModulusCurves | null {
  const { mean, secondMoment } = tilted;
  const variance = secondMoment - mean * mean;
  if (!(variance > 0) || mean * mean > MOST_ALIKE * variance) return null;
  const deviation = Math.sqrt(variance);
  const windows = [NEAR_MEAN * deviation, OF_THE_SUM * Math.sqrt(count) * deviation, Infinity];
  const curves = curvesWithin(
    law,
    tilted,
    windows.toSorted((a, b) => a - b),
  );
  const reaches = curves.map((curve) => reachOf(curve, count)).filter((reach) => reach > 0);
  if (reaches.length === 0) return null;
  return { curves, reaches: reaches.toSorted((a, b) => a - b), deviation: Math.sqrt(count) * deviation };
}

/** Sums of the powers of gains about the mean, and the largest magnitude. */
class PowerSums {
  mass = 0;
  first = 0;
  second = 0;
  third = 0;
  fourth = 0;
  largest = 0;

  add(weight: number, off: number, magnitude: number): void {
    const [one, two] = [weight * off, off * off];
    this.mass += weight;
    this.first += one;
    this.second += weight * two;
    this.third += one * two;
    this.fourth += weight * two * two;
    this.largest = Math.max(this.largest, magnitude);
  }
}

/** @param windows in order; all gains that are in one are in the next */
function curvesWithin(
  { values, magnitudes }: LossLaw,
  { mean, weights }: TiltedLaw,
  windows: readonly number[],
): ModulusCurve[] {
  const [sums, curves] = [new PowerSums(), [] as ModulusCurve[]];
  // Values are in order: from the mean outwards on both sides.
  let right = 0;
  while (right < values.length && values[right]! < mean) right++;
  let left = right - 1;
  let rest = 1;
  for (const weight of weights) rest -= weight;
  let silent = rest > 0;
  for (const window of windows) {
    for (; right < values.length && values[right]! - mean <= window; right++)
      sums.add(weights[right]!, values[right]! - mean, magnitudes[right]!);
    for (; left >= 0 && mean - values[left]! <= window; left--)
      sums.add(weights[left]!, values[left]! - mean, magnitudes[left]!);
    if (silent && Math.abs(mean) <= window) {
      sums.add(rest, -mean, 0);
      silent = false;
    }
    const curve = curveOf(sums);
    if (curve !== null) curves.push(curve);
  }
  return curves;
}

function curveOf({ mass, first, second, third, fourth, largest }: PowerSums): ModulusCurve | null {
  // Half of E D^2 and of E D^4 for pairs of such gains.
  const square = mass * second * (1 - MOMENT_ROUNDING) - first * first * (1 + MOMENT_ROUNDING);
  const power = mass * fourth - 4 * first * third + 3 * second * second;
  const rounding = MOMENT_ROUNDING * (mass * fourth + 4 * Math.abs(first * third) + 3 * second * second);
  const least = Math.sqrt(Math.max(0, square)) - VALUE_ROUNDING * largest;
  const most = Math.sqrt(Math.sqrt(power + rounding)) + VALUE_ROUNDING * largest;
  return least > 0 ? { bend: (least * least) / 2, fourth: (most * most * (most * most)) / 24 } : null;
}

/** 0 where the curve says too little. */
function reachOf({ bend, fourth }: ModulusCurve, count: number): number {
  const left = Math.max(LEAST_LEFT, (NEARLY_NOTHING * fourth) / (LEAST_REACH * bend * bend * count));
  return left < 1 - LEAST_REACH ? Math.sqrt(((1 - left) * bend) / fourth) : 0;
}

/**
 * log of E e^(-t |S - S'|) under the tilted law, with the noise: main part, what is between, and the rest.
 */
function logDistance({ curves, reaches }: ModulusCurves, count: number, t: number, noise: number): number {
  const leastOf = (from: number, to: number): number =>
    Math.max(...curves.map((curve) => Math.min(modulus(curve, from), modulus(curve, to))));
  const steepest = Math.max(...curves.map(({ bend }) => bend));
  const first = Math.min(Math.sqrt(NEARLY_NOTHING / (count * steepest)), reaches[0]! / Math.SQRT2);
  const bend = Math.max(...curves.map((curve) => curve.bend - first * first * curve.fourth));
  let others = 0;
  for (let k = 0, from = first; k < reaches.length; from = reaches[k++]!) {
    const exponent = count * leastOf(from, reaches[k]!) + (noise * noise * from * from) / 2;
    others += Real.exp(-exponent) / from;
  }
  const last = reaches.at(-1)!;
  const damped = noise * noise * last * last;
  others += (Math.min(1, 1 / damped) * Real.exp(-damped / 2)) / last;
  const main = Real.exp(normalPart(t * Math.sqrt(2 * count * bend + noise * noise)));
  return Real.log(main + ((2 * t) / Math.PI) * others);
}

function modulus({ bend, fourth }: ModulusCurve, v: number): number {
  return v * v * (bend - v * v * fourth);
}

/** log E e^(-|Z|) of a normal Z of this deviation. */
function normalPart(deviation: number): number {
  return Math.LN2 + logNormalTail(deviation) + (deviation * deviation) / 2;
}
