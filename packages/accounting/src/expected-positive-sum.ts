/**
 * A bracket of E (G_1 + … + G_n)_+ for independent copies of a loss G, at any size and at a cost that does not grow
 * with n. With M(z) = E e^(zG), any theta > 0 and z = theta + it,
 *
 *     E (S + Z)_+ = 1/(2 pi) integral of M(z)^n e^(tau^2 z^2 / 2) / z^2 dt ,    Z normal with deviation tau,
 *
 * summed by the trapezoidal rule. Why both ends hold (docs/soundness.md, "Numbers"):
 * - Z has mean zero, so E (S)_+ <= E (S + Z)_+ (Jensen); and E (S + Z)_+ - E (S)_+ = E k(S) with
 *   k(s) = tau phi(s/tau) - |s| Phi(-|s|/tau) <= tau phi(s/tau), which is tau^2 times a density under the same integral.
 * - The trapezoidal rule of step 2 pi / L adds sum over j != 0 of e^(theta j L) E (S + Z - j L)_+ (Poisson's summation):
 *   never negative, and below a Chernoff bound that is subtracted from the lower end.
 * - Points where |M(z)/M(theta)|^n is negligible are jumped over: |M(z)/M(theta)| changes by at most the tilted deviation
 *   of G per unit of t. What is jumped over, cut off or rounded is bounded and put outside.
 */
import { interval, logFactorial, type Interval } from '@shuffle-dp/core';
import { saddlePoint, tilt, type TiltedLaw } from './exponential-tilt.ts';
import { thinned, type LossLaw, type Thinning } from './loss-law.ts';

const UNIT = 2 ** -53;
/** log of the size of terms that are left out, relative to the largest. */
const DEPTH = 30;
/** Sums over at most this many compositions are enumerated. */
const MOST_COMPOSITIONS = 50_000;
/** Where few points are negligible each costs all values; laws of more values are thinned first. */
const FEW_COPIES = 3000;
const MOST_VALUES = 200;
const THINNED_GAP = 5e-5;
/** Where more points than this over the root of the gap matter, a few copies decide the sum. */
const MOST_POINTS = 300;

/** Where losses spread over hundreds of magnitudes and leave the doubles. */
const NOTHING_KNOWN = interval(0, Infinity);

/**
 * E (S)_+ for n copies, as e^logScale times a bracket.
 */
export interface ScaledBracket {
  readonly logScale: number;
  readonly bracket: Interval;
}

/**
 * @param count number of independent copies, at least 1
 * @param relativeGap about how wide the result may be, relative to the value
 * @param thinning what may be done to laws of many values where copies are few: 'dilation' keeps the upper end and gives
 *   a lower end of 0, 'contraction' keeps the lower end and gives an upper end of infinity
 */
export function expectedPositiveSum(
  law: LossLaw,
  count: number,
  relativeGap: number,
  thinning: Thinning,
): ScaledBracket {
  if (count === 1) return { logScale: 0, bracket: ofOne(law) };
  const coarse = ofSingleGains(law, count);
  if (coarse.bracket.lower >= (1 - relativeGap) * coarse.bracket.upper) return coarse;
  if (compositions(count, law.values.length) <= MOST_COMPOSITIONS) {
    return { logScale: 0, bracket: byEnumeration(law, count) };
  }
  const saddle = saddlePoint(law, count);
  if (!saddle) return coarse;
  if (count >= FEW_COPIES || law.values.length <= MOST_VALUES) {
    return contourIntegral(law, count, saddle, relativeGap) ?? coarse;
  }
  const weights = saddle.weights.map((weight, i) => weight + law.probabilities[i]! * 1e-3);
  const fewer = thinned(law, weights, MOST_VALUES, thinning);
  const itsSaddle = saddlePoint(fewer, count);
  if (!itsSaddle) return coarse;
  const integral = contourIntegral(fewer, count, itsSaddle, Math.max(relativeGap, THINNED_GAP));
  if (!integral) return coarse;
  const { logScale } = integral;
  const { lower, upper } = integral.bracket;
  return { logScale, bracket: thinning === 'dilation' ? interval(0, upper) : interval(lower, Infinity) };
}

/** Null where losses spread over so many magnitudes that the integral leaves the doubles or costs too much. */
function contourIntegral(
  law: LossLaw,
  count: number,
  saddle: TiltedLaw,
  relativeGap: number,
): ScaledBracket | null {
  const { theta } = saddle;
  const spread = Math.sqrt(Math.max(0, saddle.secondMoment - saddle.mean * saddle.mean));
  const tau = Math.sqrt(relativeGap) / theta;
  const smoothing = (at: number): number => (tau * tau * at * at) / 2;
  const deviation = Math.sqrt(count) * spread + tau;
  const logMain = count * saddle.logMean + smoothing(theta) - Math.log(theta * theta * deviation * 2.51);
  const { period, logAlias } = chosenPeriod(law, count, theta, deviation, logMain, smoothing);
  const sums = trapezoid(law, count, saddle, spread, tau, period, MOST_POINTS / Math.sqrt(relativeGap));
  if (!sums) return null;
  const logScale = count * saddle.logMean;
  const logError = count * saddle.logMeanError + 4 * UNIT * Math.abs(logScale) + 1e-14;
  const alias = Math.exp(logAlias - logScale);
  const gap = tau * tau * (sums.density + sums.densityError);
  const upper = (sums.value + sums.error) * Math.exp(logError);
  const lower = (sums.value - sums.error - gap) * Math.exp(-logError) - alias;
  if (!(upper >= 0 && upper < Infinity)) return null;
  return { logScale, bracket: interval(lower > 0 ? Math.min(lower, upper) : 0, upper) };
}

/**
 * The period L of the trapezoidal rule at which the images j L add about 1e-8 of the value at most, and the log of a
 * bound of what they add: e^(theta j L) E (S + Z - j L)_+ <= E e^(theta' (S + Z)) e^((theta - theta') j L) / (e theta').
 */
function chosenPeriod(
  law: LossLaw,
  count: number,
  theta: number,
  deviation: number,
  logMain: number,
  smoothing: (theta: number) => number,
): { period: number; logAlias: number } {
  const goal = logMain - 18;
  const excess = (other: number): number =>
    Math.max(1, count * tilt(law, other).logMean + smoothing(other) - 1 - Math.log(other) - goal);
  let above = Infinity;
  let below = Infinity;
  for (const factor of [2, 3, 4.2, 6, 8.5, 12, 20]) {
    const shift = factor / deviation;
    above = Math.min(above, excess(theta + shift) / shift);
    if (shift < 0.95 * theta) below = Math.min(below, excess(theta - shift) / shift);
  }
  for (const part of [0.5, 0.8, 0.95]) below = Math.min(below, excess(theta * (1 - part)) / (part * theta));
  // At this period each first image is at most e^goal; those further out sum to less than it.
  const period = Math.max(above, below, 1 / theta, deviation);
  return { period, logAlias: goal + Math.log(8) };
}

interface TrapezoidSums {
  /** E (S + Z)_+ and the density of S + Z at 0 with their images, over e^(n log M(theta)). */
  readonly value: number;
  readonly error: number;
  readonly density: number;
  readonly densityError: number;
}

function trapezoid(
  law: LossLaw,
  count: number,
  saddle: TiltedLaw,
  spread: number,
  tau: number,
  period: number,
  mostPoints: number,
): TrapezoidSums | null {
  const { theta } = saddle;
  const step = (2 * Math.PI) / period;
  const last = Math.ceil(Math.sqrt(2 * DEPTH - 8) / tau / step);
  const negligible = -DEPTH / count;
  const characteristic = new Float64Array(2);
  const blocks = 74 + law.values.length / 64;
  let value = 0.5 / (theta * theta);
  let density = 0.5;
  let error = 0;
  let densityError = 0;
  for (let k = 1, points = 0; k <= last; k++) {
    if (++points > mostPoints) return null;
    const t = k * step;
    characteristicAt(law.values, saddle.weights, t, characteristic);
    const re = characteristic[0]!;
    const im = characteristic[1]!;
    const modulus2 = 2 * re + re * re + im * im;
    const logModulus = 0.5 * Math.log1p(Math.max(-1, modulus2));
    if (logModulus < negligible) {
      // The modulus stays below the threshold for at least this distance.
      const slack = Math.exp(negligible) - Math.exp(logModulus) - 1e-13;
      const jump = Math.max(0, Math.floor(slack / (spread * step)));
      const end = Math.min(last, k + jump);
      // Sum of 1/t^2 over the points k to end.
      error += Math.exp(-DEPTH) * (1 / (step * step)) * (1 / (k - 0.5) - 1 / (end + 0.5));
      densityError += Math.exp(-DEPTH) * (end - k + 1);
      k = end;
      continue;
    }
    const norm2 = theta * theta + t * t;
    const damping = count * logModulus - (tau * tau * t * t) / 2;
    const size = Math.exp(damping);
    const phase = count * Math.atan2(im, 1 + re) + tau * tau * theta * t;
    const cos = Math.cos(phase);
    const sin = Math.sin(phase);
    // Re of (cos + i sin) / (theta + i t)^2.
    const real = ((theta * theta - t * t) * cos + 2 * theta * t * sin) / (norm2 * norm2);
    value += size * real;
    density += size * cos;
    const drift =
      (blocks *
        UNIT *
        (t * saddle.magnitude * (1 + Math.abs(im)) + Math.abs(re) + t * t * saddle.secondMoment)) /
      (1 + modulus2);
    const relative = Math.expm1(
      Math.min(700, count * drift + 8 * UNIT * (Math.abs(damping) + Math.abs(phase) + 8)),
    );
    error += (size * relative) / norm2;
    densityError += size * relative;
  }
  const scale = (2 / period) * Math.exp((tau * tau * theta * theta) / 2);
  const end = last * step;
  const cut = Math.exp(-(tau * tau * end * end) / 2);
  const roundings = 4 * UNIT * (last + 16);
  return {
    value: scale * value,
    error: scale * (error + cut / (end * step) + roundings * Math.abs(value)),
    density: scale * density,
    densityError: scale * (densityError + cut / (tau * tau * end * step) + roundings * Math.abs(density)),
  };
}

/** Writes E (e^(itG) - 1) under the weights; sums in blocks, so that rounding does not grow with the number of values. */
function characteristicAt(
  values: Float64Array,
  weights: Float64Array,
  t: number,
  target: Float64Array,
): void {
  const half = t / 2;
  let re = 0;
  let im = 0;
  for (let start = 0; start < values.length; start += 64) {
    const end = Math.min(values.length, start + 64);
    let blockRe = 0;
    let blockIm = 0;
    for (let i = start; i < end; i++) {
      const sin = Math.sin(half * values[i]!);
      const cos = Math.cos(half * values[i]!);
      const scaled = 2 * weights[i]! * sin;
      blockRe -= scaled * sin;
      blockIm += scaled * cos;
    }
    re += blockRe;
    im += blockIm;
  }
  target[0] = re;
  target[1] = im;
}

function ofOne({ values, probabilities, magnitudes }: LossLaw): Interval {
  let sum = 0;
  let uncertainty = 0;
  for (let i = 0; i < values.length; i++) {
    const error = 4 * UNIT * magnitudes[i]!;
    if (values[i]! + error <= 0) continue;
    sum += probabilities[i]! * Math.max(0, values[i]!);
    uncertainty += probabilities[i]! * (error + values.length * UNIT * Math.abs(values[i]!));
  }
  return uncertainty < Infinity ? interval(Math.max(0, sum - uncertainty), sum + uncertainty) : NOTHING_KNOWN;
}

/**
 * For copies that are seldom positive. E (S)_+ is at most n E (G)_+, and at least its part with exactly one positive copy:
 * the others' sum is taken as it is where none of them shows a loss, or by its mean (Jensen), whichever is more.
 */
function ofSingleGains(law: LossLaw, count: number): ScaledBracket {
  const { values, probabilities } = law;
  const single = ofOne(law);
  let gains = 0;
  let losses = 0;
  let mean = 0;
  for (let i = 0; i < values.length; i++) {
    if (values[i]! > 0) gains += probabilities[i]!;
    else {
      losses += probabilities[i]!;
      mean += probabilities[i]! * values[i]!;
    }
  }
  const others = count - 1;
  const noGain = Math.exp(others * Math.log1p(-Math.min(1, gains)));
  let byMean = 0;
  for (let i = values.length - 1; i >= 0 && values[i]! > 0; i--) {
    byMean += probabilities[i]! * Math.max(0, values[i]! + (others * mean) / Math.max(1e-300, 1 - gains));
  }
  const silent = Math.exp(others * Math.log1p(-Math.min(1, gains + losses)));
  const lower = Math.max(
    single.lower * silent,
    byMean * noGain * (1 - 1e-12) - (single.upper - single.lower),
  );
  return {
    logScale: Math.log(count),
    bracket: interval(lower > 0 ? Math.min(lower, single.upper) : 0, single.upper),
  };
}

/** C(count + kinds, kinds): ways to give `count` copies one of `kinds` values or zero. */
function compositions(count: number, kinds: number): number {
  let ways = 1;
  for (let j = 1; j <= kinds; j++) {
    ways *= (count + j) / j;
    if (ways > 1e9) return Infinity;
  }
  return ways;
}

function byEnumeration({ values, probabilities, magnitudes }: LossLaw, count: number): Interval {
  const kinds = values.length;
  let sum = 0;
  let uncertainty = 0;
  const remaining = Math.max(
    0,
    probabilities.reduce((left, probability) => left - probability, 1),
  );
  // A remainder as small as the rounding of the probabilities is taken for none.
  const zeroMass = remaining < 1e-14 ? 0 : remaining;
  const place = (kind: number, left: number, value: number, magnitude: number, logWays: number): void => {
    if (kind === kinds) {
      const own = left === 0 ? 0 : zeroMass > 0 ? left * Math.log(zeroMass) : -Infinity;
      const error = 4 * UNIT * magnitude;
      if (value + error <= 0 || own === -Infinity) return;
      const probability = Math.exp(logWays + own - logFactorial(left));
      sum += probability * Math.max(0, value);
      uncertainty += probability * error;
      return;
    }
    const log = Math.log(probabilities[kind]!);
    for (let times = 0; times <= left; times++) {
      place(
        kind + 1,
        left - times,
        value + times * values[kind]!,
        magnitude + times * magnitudes[kind]!,
        logWays + times * log - logFactorial(times),
      );
    }
  };
  place(0, count, 0, 0, logFactorial(count));
  // Logarithms of up to a few hundred, and masses that sum to 1 within rounding.
  const relative = 1e-13 * (count + 4);
  return interval(Math.max(0, sum * (1 - relative) - uncertainty), sum * (1 + relative) + uncertainty);
}
