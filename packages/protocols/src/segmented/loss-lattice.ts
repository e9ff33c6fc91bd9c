/**
 * Divergences of products of likelihood ratios, put on a lattice and convolved by transforms.
 *
 * The pair of laws is a product. Each factor is a likelihood ratio against a base law in which it is independent of the others: a
 * _sent_ factor has its ratio under the first hypothesis and the base under the second, so that its loss is the ratio's logarithm; an
 * _unsent_ one the other way round. Factors may come as mixtures over labels that both hypotheses show, and may carry a count
 * that is weighed by waves (`conditioned-count.ts`).
 *
 * Upper end: every atom is split onto lattice points on both sides of it, so that its mass under both hypotheses stays. The original
 * is a post-processing of the split pair, which therefore dominates it, with an error of second order. Lower end: every
 * loss is rounded down. The laws are tilted before they are convolved, so that the tail has relative accuracy.
 */
import {
  forwardComplexTransform,
  forwardTransform,
  inverseTransform,
  multiplySpectrum,
  raiseSpectrum,
  transformSize,
  type Spectrum,
} from '@shuffle-dp/core';

export type Side = 'upper' | 'lower';

/** The law of a likelihood ratio under its base law. */
export interface RatioLaw {
  /** log of the base masses of the atoms. */
  readonly logMass: Float64Array;
  /** log of the mean ratio over an atom, of the least and of the largest one; all finite. */
  readonly logRatio: Float64Array;
  readonly leastLog: Float64Array;
  readonly mostLog: Float64Array;
  /** The least and the largest logarithm of all atoms. */
  readonly lowest: number;
  readonly highest: number;
  /** The count that waves weigh, of each atom. */
  readonly count: Float64Array;
  /** Base mass of ratio zero. */
  readonly zero: number;
  /** Mass under either hypothesis that is in no atom, at most. */
  readonly cut: number;
  /** Bound on the relative error of the masses. */
  readonly error: number;
}

/** A label that both hypotheses show with this probability, and the ratios given it. */
export interface LabelledPair {
  readonly logWeight: number;
  readonly sent: RatioLaw;
  readonly unsent: RatioLaw;
}

/** `copies` independent pairs of a sent and an unsent factor. */
export interface PairFactor {
  readonly copies: number;
  readonly labels: readonly LabelledPair[];
}

/** exp(i frequency count) with a complex coefficient, by which the outcome is weighed. */
export interface Wave {
  readonly frequency: number;
  readonly re: number;
  readonly im: number;
}

/** Smaller tilts that are tried where the first left nothing but rounding. */
const MOST_TILTS = 16;

const NO_WAVE: readonly Wave[] = [{ frequency: 0, re: 1, im: 0 }];

/** Lattice steps per standard deviation of the total loss. */
const STEPS = { upper: 64, lower: 1024 } as const;
/** Longest lattice of one factor; a coarser step is taken beyond. */
const LONGEST = { upper: 4096, lower: 16384 } as const;

/**
 * The part of the divergence at `epsilon` that atoms of finite loss have, weighed by the real part of the sum of the waves: from above where that is never negative, or from below. Mass that is cut or of infinite loss is the caller's.
 */
export function finiteDivergence(
  factors: readonly PairFactor[],
  epsilon: number,
  side: Side,
  waves: readonly Wave[] = NO_WAVE,
): number {
  const typical = factors.map(typicalPair);
  if (epsilon >= factors.reduce((sum, factor) => sum + factor.copies * largestLoss(factor), 0)) return 0;

  let variance = 0;
  let longest = 0;
  typical.forEach(({ sent, unsent }, i) => {
    variance +=
      factors[i]!.copies * (tiltedMoments(sent, 1, 0).variance + tiltedMoments(unsent, -1, 0).variance);
    longest = Math.max(longest, span(factors[i]!));
  });
  const step = Math.max(Math.sqrt(variance) / STEPS[side], longest / LONGEST[side]);

  const atTilt = (tilt: number): number => tiltedDivergence(factors, epsilon, side, waves, step, tilt);
  const tilt = tiltFor(
    factors.map(({ copies }) => copies),
    typical,
    epsilon,
  );
  const first = atTilt(tilt);
  const most = waves.reduce((sum, { re, im }) => sum + Math.hypot(re, im), 0);
  // Laws of few atoms far apart can be tilted so far that rounding is all that is left: no divergence is above 1. Any smaller
  // tilt is as valid, and the sharpest of some is taken.
  const value = first <= most ? first : sharpest(side, most, tilt, atTilt);
  const error = 1e-12 + factors.reduce((sum, factor) => sum + 2 * factor.copies * errorOf(factor), 0);
  return side === 'upper' ? Math.max(value * (1 + error), Number.MIN_VALUE) : value * (1 - error);
}

function sharpest(side: Side, most: number, tilt: number, atTilt: (tilt: number) => number): number {
  let best = side === 'upper' ? most : 0;
  for (let tries = 1, smaller = tilt / 2; tries <= MOST_TILTS && smaller > 0.5; tries++, smaller /= 2) {
    const value = atTilt(smaller);
    if (side === 'upper' ? value < best : value > best && value <= most) best = value;
  }
  return best;
}

/** The same by laws that are tilted by exp(tilt loss). */
function tiltedDivergence(
  factors: readonly PairFactor[],
  epsilon: number,
  side: Side,
  waves: readonly Wave[],
  step: number,
  tilt: number,
): number {
  const spans = factors.map((factor) => latticeSpan(factor, step));
  const cells = spans.reduce((sum, { length }, i) => sum + 2 * factors[i]!.copies * (length - 1), 1);
  const size = transformSize(cells);
  let origin = 0;
  spans.forEach(({ low, high }, i) => (origin += factors[i]!.copies * (low - high)));

  const total = new Float64Array(2 * size);
  let logScale = 0;
  let weights = 0;
  const scales = factors.map((factor) => referenceOf(factor, tilt));
  for (const wave of waves) {
    let product: Spectrum | undefined;
    factors.forEach((factor, i) => {
      const spectrum = pairSpectrum(
        factor,
        spans[i]!,
        scales[i]!,
        { step, tilt, side, size },
        wave.frequency,
      );
      raiseSpectrum(spectrum, factor.copies);
      if (product === undefined) product = spectrum;
      else multiplySpectrum(product, spectrum);
    });
    weights += Math.hypot(wave.re, wave.im);
    for (let k = 0; k < total.length; k += 2) {
      const re = product![k]!;
      const im = product![k + 1]!;
      total[k]! += wave.re * re - wave.im * im;
      total[k + 1]! += wave.re * im + wave.im * re;
    }
  }
  factors.forEach(({ copies }, i) => (logScale += copies * scales[i]!.log));
  const law = inverseTransform(total);

  // Terms of the sum in units of exp(logScale - tilt * epsilon), which may be far below the smallest double.
  let sum = 0;
  let seen = 0;
  for (let i = Math.max(0, Math.floor(epsilon / step) - origin); i < cells; i++) {
    const excess = (origin + i) * step - epsilon;
    if (excess <= 0) continue;
    const factor = -Math.expm1(-excess) * Math.exp(-tilt * excess);
    // Waves that are left out may leave a little less than nothing, which a lower end has to count.
    sum += factor * (side === 'upper' ? Math.max(0, law[i]!) : law[i]!);
    seen += factor;
  }
  // Entries of a convolution err by less than 1e-15, and by as much again for every further factor.
  const copies = factors.reduce((all, factor) => all + factor.copies, 0);
  const roundoff = 3e-15 * (copies + 2) * weights * seen + 1e-12 * Math.max(0, sum);
  const scale = Math.exp(logScale - tilt * epsilon);
  return side === 'lower' ? Math.max(0, sum - roundoff) * scale : (sum + roundoff) * scale;
}

interface LatticeSpan {
  /** Lattice points between which all ratios lie, in steps. */
  readonly low: number;
  readonly high: number;
  readonly length: number;
}

function latticeSpan({ labels }: PairFactor, step: number): LatticeSpan {
  let low = Infinity;
  let high = -Infinity;
  for (const { sent, unsent } of labels) {
    for (const law of [sent, unsent]) {
      low = Math.min(low, Math.floor(law.lowest / step));
      // One point more, where rounding puts a largest ratio on its lower neighbour.
      high = Math.max(high, Math.ceil(law.highest / step) + 1);
    }
  }
  return { low, high, length: high - low + 1 };
}

/** What the tilted masses are divided by, in logarithms: of each role, and of a pair, so that a pair's masses sum to 1. */
interface Reference {
  readonly sent: number;
  readonly unsent: number;
  readonly log: number;
}

function referenceOf(factor: PairFactor, tilt: number): Reference {
  let sent = -Infinity;
  let unsent = -Infinity;
  for (const label of factor.labels) {
    sent = Math.max(sent, label.logWeight + logTiltedTotal(label.sent, 1 + tilt));
    unsent = Math.max(unsent, logTiltedTotal(label.unsent, -tilt));
  }
  let total = 0;
  for (const label of factor.labels) {
    total += Math.exp(
      label.logWeight +
        logTiltedTotal(label.sent, 1 + tilt) +
        logTiltedTotal(label.unsent, -tilt) -
        sent -
        unsent,
    );
  }
  return { sent, unsent, log: sent + unsent + Math.log(total) };
}

/** log of the sum of base mass times ratio^power. */
function logTiltedTotal({ logMass, logRatio }: RatioLaw, power: number): number {
  let most = -Infinity;
  for (let i = 0; i < logMass.length; i++) most = Math.max(most, logMass[i]! + power * logRatio[i]!);
  let sum = 0;
  for (let i = 0; i < logMass.length; i++) sum += Math.exp(logMass[i]! + power * logRatio[i]! - most);
  return most + Math.log(sum);
}

interface Lattice {
  readonly step: number;
  readonly tilt: number;
  readonly side: Side;
  readonly size: number;
}

/** The spectrum of one pair's tilted losses, sums over its labels included, in units of the reference. */
function pairSpectrum(
  { labels }: PairFactor,
  span: LatticeSpan,
  reference: Reference,
  lattice: Lattice,
  frequency: number,
): Spectrum {
  const { sent: sentLog, unsent: unsentLog, log } = reference;
  let sum: Spectrum | undefined;
  for (const { logWeight, sent, unsent } of labels) {
    const spectrum = spectrumOf(
      sent,
      'sent',
      span,
      logWeight - sentLog + (sentLog + unsentLog - log),
      lattice,
      frequency,
    );
    multiplySpectrum(spectrum, spectrumOf(unsent, 'unsent', span, -unsentLog, lattice, frequency));
    if (sum === undefined) sum = spectrum;
    else for (let k = 0; k < sum.length; k++) sum[k]! += spectrum[k]!;
  }
  return sum!;
}

/** One factor's tilted masses times exp(`logFactor`), transformed. Sent: from span.low up; unsent: from -span.high up. */
function spectrumOf(
  law: RatioLaw,
  role: 'sent' | 'unsent',
  span: LatticeSpan,
  logFactor: number,
  { step, tilt, side, size }: Lattice,
  frequency: number,
): Spectrum {
  const re = new Float64Array(size);
  const im = frequency === 0 ? undefined : new Float64Array(size);
  const add = (point: number, mass: number, count: number): void => {
    const at = role === 'sent' ? point - span.low : span.high - point;
    if (im === undefined) re[at]! += mass;
    else {
      re[at]! += mass * Math.cos(frequency * count);
      im[at]! += mass * Math.sin(frequency * count);
    }
  };
  const { logMass, logRatio, leastLog, mostLog, count } = law;
  const power = role === 'sent' ? 1 + tilt : -tilt;
  for (let i = 0; i < logMass.length; i++) {
    const log = logMass[i]! + logFactor;
    if (side === 'lower') {
      // Counts of one run are merged first, which is a post-processing.
      const point = role === 'sent' ? Math.floor(logRatio[i]! / step) : Math.ceil(logRatio[i]! / step);
      const own = role === 'sent' ? logRatio[i]! + tilt * point * step : -tilt * point * step;
      add(point, Math.exp(log + own), count[i]!);
      continue;
    }
    const low = Math.floor(leastLog[i]! / step);
    const high = Math.max(low + 1, Math.ceil(mostLog[i]! / step));
    // The share that keeps the mass under both hypotheses: the mean ratio stays.
    const share = Math.min(
      1,
      Math.max(0, Math.expm1(logRatio[i]! - low * step) / Math.expm1((high - low) * step)),
    );
    add(low, (1 - share) * Math.exp(log + power * low * step), count[i]!);
    if (share > 0) add(high, share * Math.exp(log + power * high * step), count[i]!);
  }
  return im === undefined ? forwardTransform(re, size) : forwardComplexTransform(re, im);
}

/**
 * Exponential tilt under which the total loss has mean about epsilon: there the terms that matter are the largest. At least
 * 0, where the mean is beyond epsilon without a tilt. Any value gives a valid result; a good one gives digits.
 */
function tiltFor(copies: readonly number[], pairs: readonly LabelledPair[], epsilon: number): number {
  let tilt = 0;
  for (let step = 0; step < 4; step++) {
    let mean = 0;
    let variance = 0;
    pairs.forEach(({ sent, unsent }, i) => {
      const a = tiltedMoments(sent, 1, tilt);
      const b = tiltedMoments(unsent, -1, tilt);
      mean += copies[i]! * (a.mean + b.mean);
      variance += copies[i]! * (a.variance + b.variance);
    });
    tilt += (epsilon - mean) / variance;
    if (!(tilt > 0 && tilt < Infinity)) return 0;
  }
  return tilt;
}

/** Of the loss, sign * log ratio, under the first hypothesis tilted by exp(tilt loss). */
function tiltedMoments(
  { logMass, logRatio }: RatioLaw,
  sign: 1 | -1,
  tilt: number,
): { readonly mean: number; readonly variance: number } {
  const power = sign === 1 ? 1 + tilt : -tilt;
  const logTotal = logTiltedTotal({ logMass, logRatio } as RatioLaw, power);
  let mean = 0;
  let second = 0;
  for (let i = 0; i < logMass.length; i++) {
    const weight = Math.exp(logMass[i]! + power * logRatio[i]! - logTotal);
    const loss = sign * logRatio[i]!;
    mean += weight * loss;
    second += weight * loss * loss;
  }
  return { mean, variance: Math.max(second - mean * mean, 1e-12 * mean * mean, Number.MIN_VALUE) };
}

/** The likeliest label stands for all where only a guess is needed. */
function typicalPair({ labels }: PairFactor): LabelledPair {
  return labels.reduce((best, label) => (label.logWeight > best.logWeight ? label : best));
}

function largestLoss({ labels }: PairFactor): number {
  return labels.reduce((most, { sent, unsent }) => Math.max(most, sent.highest - unsent.lowest), -Infinity);
}

function errorOf({ labels }: PairFactor): number {
  return labels.reduce((most, { sent, unsent }) => Math.max(most, sent.error, unsent.error), 0);
}

/** Between the least and the largest ratio of all labels, in logarithms. */
function span({ labels }: PairFactor): number {
  let low = Infinity;
  let high = -Infinity;
  for (const { sent, unsent } of labels) {
    low = Math.min(low, sent.lowest, unsent.lowest);
    high = Math.max(high, sent.highest, unsent.highest);
  }
  return high - low;
}
