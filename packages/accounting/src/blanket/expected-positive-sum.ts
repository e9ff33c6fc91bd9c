/**
 * A bracket of E (G_1 + … + G_n)_+ for independent copies of a loss G, at any size and at a cost that does
 * not grow with n: in closed form for one copy or where copies are seldom positive, by listing all sums where
 * they are few, and else by the integral of contour-integral.ts. A guaranteed bracket in every case.
 */
import { interval, logFactorial, provedInterval, Real, type Interval, ROUNDOFF } from '@shuffle-dp/core';
import type { Work } from '../allowance.ts';
import { contourIntegral, integralReach, type ScaledBracket } from './contour-integral.ts';
import { saddlePoint, type TiltedLaw } from './exponential-tilt.ts';
import { thinnedAt } from './fewer-gains.ts';
import { silentMass, sumsLeaveDoubles, type LossLaw } from './loss-law.ts';
import { keptEnd, type Thinning } from './thinning.ts';
import { MOST_WORK } from './trapezoidal-rule.ts';
import { ofTwoCopies } from './two-copies.ts';

/** Sums over at most this many compositions are enumerated. */
const MOST_COMPOSITIONS = 50_000;
/** One takes as long. */
const SINES_PER_COMPOSITION = 3;
/** Where few points are negligible each costs all values; laws of more values are thinned first. */
const FEW_COPIES = 3000;
const MOST_VALUES = 200;
const THINNED_GAP = 5e-5;

/** Where losses spread over hundreds of magnitudes and leave the doubles. */
const NOTHING_KNOWN = interval(0, Infinity);

/**
 * E (G_1 + … + G_count)_+.
 * @param count number of independent copies, at least 1
 * @param relativeGap about how wide the result may be, relative to the value
 * @param thinning what may be done to laws of many values where copies are few: 'dilation' keeps the upper
 *   end and gives a lower end of 0, 'contraction' keeps the lower end and gives an upper end of infinity
 * @param work is added to
 */
export function expectedPositiveSum(
  law: LossLaw,
  count: number,
  relativeGap: number,
  thinning: Thinning,
  work?: Work,
): ScaledBracket {
  if (count === 1) return { logScale: 0, bracket: ofOne(law) };
  const coarse = ofSingleGains(law, count);
  if (coarse.bracket.lower >= (1 - relativeGap) * coarse.bracket.upper) return coarse;
  if (sumsLeaveDoubles(law, count)) return coarse;
  if (count === 2) {
    const two = ofTwoCopies(law, ofOne(law));
    if (work) work.sines += law.values.length;
    if (two.lower >= (1 - relativeGap) * two.upper) return { logScale: 0, bracket: two };
  }
  if (isListed(law, count)) {
    if (work) work.sines += SINES_PER_COMPOSITION * compositions(count, law.values.length);
    return { logScale: 0, bracket: byEnumeration(law, count) };
  }
  const saddle = saddlePoint(law, count);
  if (!saddle) return coarse;
  const task = { saddle, relativeGap, coarse, work };
  const integral = affordableIntegral(law, count, task) ?? withMarkov(coarse, saddle, count);
  const isClose = integral.bracket.lower >= (1 - 2 * relativeGap) * integral.bracket.upper;
  if (isClose || count >= FEW_COPIES || law.values.length <= MOST_VALUES) return integral;
  return sharper(integral, ofFewerValues(law, count, thinning, task));
}

/** Of the law thinned: the end that holds of the law itself. */
function ofFewerValues(
  law: LossLaw,
  count: number,
  thinning: Thinning,
  { saddle, relativeGap, coarse, work }: IntegralTask,
): ScaledBracket {
  const fewer = thinnedAt(saddle, law, MOST_VALUES, thinning);
  if (isListed(fewer, count)) {
    return { logScale: 0, bracket: keptEnd(byEnumeration(fewer, count), thinning) };
  }
  const itsSaddle = saddlePoint(fewer, count);
  if (!itsSaddle) return coarse;
  const gap = Math.max(relativeGap, THINNED_GAP);
  const integral = contourIntegral(fewer, count, itsSaddle, gap, work);
  if (!integral || 'reach' in integral) return coarse;
  return { logScale: integral.logScale, bracket: keptEnd(integral.bracket, thinning) };
}

interface IntegralTask {
  readonly saddle: TiltedLaw;
  readonly relativeGap: number;
  /** What is known without an integral. */
  readonly coarse: ScaledBracket;
  readonly work: Work | undefined;
}

/**
 * At the gap asked for, or where that costs too much at wider ones, down to what is known without an
 * integral.
 */
function affordableIntegral(
  law: LossLaw,
  count: number,
  { saddle, relativeGap, coarse, work = { sines: 0 } }: IntegralTask,
): ScaledBracket | null {
  const mostWork = Math.min(work.most ?? Infinity, work.sines + MOST_WORK);
  let reach = Infinity;
  for (let gap = relativeGap; gap <= WIDEST_GAP; gap *= 10) {
    // What was too far at a narrower gap, where more points are affordable, is so at this one.
    if (integralReach(saddle, gap) > reach) continue;
    // Beside a fair bracket a wide integral is not worth its time.
    const isFair = gap > relativeGap && coarse.bracket.lower >= FAIR * coarse.bracket.upper;
    if (isFair || work.sines >= mostWork) return null;
    const integral = contourIntegral(law, count, saddle, gap, work);
    if (integral && 'reach' in integral) reach = integral.reach;
    else if (integral) return sharper(integral, coarse);
  }
  return null;
}

/** From above by x_+ <= e^(theta x - 1) / theta too, where that says more. */
function withMarkov(
  coarse: ScaledBracket,
  { theta, logMean, logMeanError }: TiltedLaw,
  count: number,
): ScaledBracket {
  const log = count * logMean;
  const logScale = log + count * logMeanError + 8 * ROUNDOFF * Math.abs(log) - 1 - Real.log(theta) + 1e-12;
  const isSharper = logScale < coarse.logScale + Real.log(coarse.bracket.upper);
  return isSharper ? sharper({ logScale, bracket: interval(0, 1) }, coarse) : coarse;
}

const WIDEST_GAP = 0.1;
const FAIR = 0.5;

/** The better of either end, in the units of the first. */
function sharper({ logScale, bracket }: ScaledBracket, other: ScaledBracket): ScaledBracket {
  const factor = Real.exp(other.logScale - logScale);
  if (!(factor > 0 && factor < Infinity)) return { logScale, bracket };
  const lower = Math.max(bracket.lower, other.bracket.lower * factor * (1 - 1e-12));
  const upper = Math.min(bracket.upper, other.bracket.upper * factor * (1 + 1e-12));
  return {
    logScale,
    bracket: provedInterval(
      'E (S)_+',
      { name: 'the integral or single gains, from below', value: lower },
      { name: 'the integral or single gains, from above', value: upper },
    ),
  };
}

function ofOne({ values, probabilities, magnitudes }: LossLaw): Interval {
  let sum = 0;
  let uncertainty = 0;
  for (let i = 0; i < values.length; i++) {
    const error = 4 * ROUNDOFF * magnitudes[i]!;
    if (values[i]! + error <= 0) continue;
    sum += probabilities[i]! * Math.max(0, values[i]!);
    uncertainty +=
      probabilities[i]! * (error + values.length * ROUNDOFF * Math.abs(values[i]!)) + Number.MIN_VALUE;
  }
  return uncertainty < Infinity ? interval(Math.max(0, sum - uncertainty), sum + uncertainty) : NOTHING_KNOWN;
}

/**
 * For copies whose large values are rare. E (S)_+ is at most n E (G)_+, and at least its part with exactly
 * one copy above some value: the others' sum is taken as it is where none of them shows a loss, or by its
 * mean (Jensen), whichever is more.
 */
function ofSingleGains(law: LossLaw, count: number): ScaledBracket {
  const { values, probabilities } = law;
  const single = ofOne(law);
  let covered = 0;
  for (const probability of probabilities) covered += probability;
  const others = count - 1;
  const sumError = 2 * (values.length + 4) * ROUNDOFF;
  /** Probability that no other copy is in a part of this mass. */
  const without = (mass: number): number => {
    const log = others * Real.log1p(-Math.min(1, mass * (1 + sumError)));
    return Real.exp(log - 4 * ROUNDOFF * (1 + Math.abs(log)));
  };
  const lower = Math.max(
    single.lower * without(covered),
    largestSingleGain(law, others, sumError, without) * (1 - 1e-12) - (single.upper - single.lower),
  );
  return {
    logScale: Real.log(count),
    bracket: interval(Math.max(0, lower), single.upper),
  };
}

/**
 * Over all thresholds the largest E (G + m)_+ of one copy above the threshold, times the probability that no
 * other is: m is the sum of the others' means given that, from below.
 */
function largestSingleGain(
  { values, probabilities, magnitudes }: LossLaw,
  others: number,
  sumError: number,
  without: (mass: number) => number,
): number {
  const kinds = values.length;
  /**
   * Sums over the values before an index, from below: values are rounded relative to their magnitudes, sums
   * to their terms.
   */
  const before = new Float64Array(kinds + 1);
  /** Over the values from an index on. */
  const mass = new Float64Array(kinds + 1);
  const moment = new Float64Array(kinds + 1);
  const rounding = (kinds + 8) * ROUNDOFF;
  for (let i = 0; i < kinds; i++) {
    const value = values[i]! - 4 * ROUNDOFF * magnitudes[i]! - rounding * Math.abs(values[i]!);
    before[i + 1] = before[i]! + probabilities[i]! * value;
    const j = kinds - 1 - i;
    mass[j] = mass[j + 1]! + probabilities[j]!;
    moment[j] = moment[j + 1]! + probabilities[j]! * values[j]!;
  }
  let largest = 0;
  for (let i = kinds - 1, first = kinds; i >= 0 && values[i]! > 0; i--) {
    const mean = Math.min(0, before[i]!) / Math.max(1e-300, 1 - mass[i]! - sumError);
    const shift = others * mean * (1 + sumError);
    // The values from here on are above the threshold, and positive with the others' sum.
    while (first > i && values[first - 1]! + shift > 0) first--;
    while (first < kinds && values[first]! + shift <= 0) first++;
    const gain = moment[first]! + shift * mass[first]! - rounding * (moment[first]! - shift * mass[first]!);
    // Values that leave the doubles tell nothing.
    if (gain * without(mass[i]!) > largest) largest = gain * without(mass[i]!);
  }
  return largest;
}

/** Whether all sums are listed: then nothing is left to gain. */
export function isListed({ values }: LossLaw, count: number): boolean {
  return compositions(count, values.length) <= MOST_COMPOSITIONS;
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

function byEnumeration(law: LossLaw, count: number): Interval {
  const { values, probabilities, magnitudes } = law;
  const kinds = values.length;
  const silent = silentMass(law);
  const logSilent = { lower: Real.log(silent.lower), upper: Real.log(silent.upper) };
  /** log of the probability that so many copies are 0: none are for sure, also where that has no mass. */
  const allSilent = (log: number, copies: number): number => (copies === 0 ? 0 : copies * log);
  const logs = probabilities.map((probability) => Real.log(probability));
  const logFactorials = Float64Array.from({ length: count + 1 }, (_, copies) => logFactorial(copies));
  let sumBelow = 0;
  let sumAbove = 0;
  let uncertainty = 0;
  const place = (kind: number, left: number, value: number, magnitude: number, logWays: number): void => {
    // Kinds of which nothing is left to place add nothing.
    if (kind === kinds || left === 0) {
      const error = 4 * ROUNDOFF * magnitude;
      if (value + error <= 0) return;
      const log = logWays - logFactorials[left]!;
      const mostLog = log + allSilent(logSilent.upper, left);
      if (mostLog === -Infinity) return;
      // What underflows is not nothing.
      const most = Real.exp(mostLog) + Number.MIN_VALUE;
      const least = Real.exp(log + allSilent(logSilent.lower, left)) - Number.MIN_VALUE;
      sumBelow += Math.max(0, least) * Math.max(0, value);
      sumAbove += most * Math.max(0, value);
      uncertainty += most * error;
      return;
    }
    for (let times = 0; times <= left; times++) {
      place(
        kind + 1,
        left - times,
        value + times * values[kind]!,
        magnitude + times * magnitudes[kind]!,
        // None of a value without mass: not 0 times infinity.
        logWays + (times > 0 ? times * logs[kind]! : 0) - logFactorials[times]!,
      );
    }
  };
  place(0, count, 0, 0, logFactorials[count]!);
  // Logarithms of up to a few hundred, and masses that sum to 1 within rounding.
  const relative = 1e-13 * (count + 4);
  return interval(
    Math.max(0, sumBelow * (1 - relative) - uncertainty),
    sumAbove * (1 + relative) + uncertainty,
  );
}
