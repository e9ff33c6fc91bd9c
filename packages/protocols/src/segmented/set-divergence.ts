/**
 * The exact privacy of a set of items whose blankets are independent from item to item, all of a user's items at once.
 *
 * With Poisson or negative-binomial blankets (`blanket-count.ts`) the d counts that the analyzer sees are independent, each the
 * blankets N of its item plus what is sent of it, and nothing else is observable. A user who exchanges t items for t
 * others, each sent with probability lambda, turns t counts from N + B into N and t others from N into N + B, B ~
 * Bernoulli(lambda). Dropping the other users' data messages is post-processing (Wang et al. 2025, Lemma 2), and
 * is attained when they hold none of these items: for d >= s + 2 t the divergence of this product pair is the exact
 * worst case, and an upper bound in any case (docs/sets.md). It replaces the group rule of Theorem 3 there, which loses
 * about a factor t in the blankets.
 *
 * The privacy loss of one count at k is log(1 - lambda + lambda f(k - 1) / f(k)), f the law of N, and its negative for the
 * reverse counts. Both laws are put on a lattice. Upper end: every atom is split onto its two neighbouring lattice points so
 * that its mass under both hypotheses stays; the original is a post-processing of the split pair, which therefore dominates
 * it, with an error of second order. Lower end: every loss is rounded down. Truncated mass counts as an infinite loss in the
 * upper end and is left out of the lower. The laws are tilted before they are convolved, so that the tail has relative accuracy.
 */
import {
  forwardTransform,
  interval,
  inverseTransform,
  multiplySpectrum,
  ParameterError,
  raiseSpectrum,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireProbability,
  transformSize,
  type Interval,
} from '@shuffle-dp/core';
import { blanketCountLaw, ratioLessOne } from './blanket-count.ts';

export interface SetPair {
  /** Probability with which each of the user's items is sent (lambda). */
  readonly rate: number;
  /** Expected number of blanket messages per item of the domain over all users (mu = n m / d), positive. */
  readonly blanketsPerItem: number;
  /** Of negative-binomial blankets, in (0, 1]: their variance is their mean over this. 1, the default: Poisson. */
  readonly successProbability?: number;
  /** Number of items that differ between the two sets (t), at least 0. */
  readonly itemsChanged: number;
}

/** Lattice steps per standard deviation of the total loss. */
const STEPS_UPPER = 64;
const STEPS_LOWER = 1024;
/** Longest lattice of one count; a coarser step is taken beyond. */
const LONGEST_UPPER = 4096;
const LONGEST_LOWER = 16384;

interface LossAtom {
  /** Privacy loss, finite. */
  readonly loss: number;
  /** Its mass under the first hypothesis. */
  readonly mass: number;
}

interface LossLaw {
  readonly atoms: readonly LossAtom[];
  /** Mass of truly infinite loss. */
  readonly infinite: number;
  /** Mass that was cut off; its loss is not looked at. */
  readonly cut: number;
}

/**
 * Bracket of the hockey-stick divergence at `epsilon` (nats, at least 0) of the shuffled messages under two sets that differ in
 * `itemsChanged` items. The pair is symmetric, so one direction is both.
 * @throws ParameterError
 */
export function setDivergence(pair: SetPair, epsilon: number): Interval {
  const laws = lossLaws(pair);
  requireNonNegative('epsilon', epsilon);
  if (laws === null) return interval(0, 0);
  const upper = Math.min(1, divergenceOnLattice(laws, pair.itemsChanged, epsilon, 'upper'));
  return interval(Math.min(upper, divergenceOnLattice(laws, pair.itemsChanged, epsilon, 'lower')), upper);
}

/** The upper end alone, some twenty times faster: for searches. */
export function setDivergenceUpper(pair: SetPair, epsilon: number): number {
  const laws = lossLaws(pair);
  requireNonNegative('epsilon', epsilon);
  return laws === null ? 0 : Math.min(1, divergenceOnLattice(laws, pair.itemsChanged, epsilon, 'upper'));
}

/** The laws of one count's loss in both roles, or null where the two hypotheses are one. */
function lossLaws(pair: SetPair): { sent: LossLaw; unsent: LossLaw } | null {
  const rate = requireProbability('rate', pair.rate);
  const mean = requirePositive('blanketsPerItem', pair.blanketsPerItem);
  const success = pair.successProbability ?? 1;
  if (!(success > 0 && success <= 1)) throw new ParameterError('successProbability', success, 'in (0, 1]');
  requireInteger('itemsChanged', pair.itemsChanged, 0);
  if (rate === 0 || pair.itemsChanged === 0) return null;

  const { first, masses, cut } = blanketCountLaw(mean, success);
  const sent: LossAtom[] = [];
  const unsent: LossAtom[] = [];
  let infinite = 0;
  for (let i = 0; i < masses.length; i++) {
    const mass = masses[i]!;
    const shift = rate * ratioLessOne(first + i, mean, success);
    const ratio = 1 + shift;
    if (ratio > 0) {
      const loss = Math.log1p(shift);
      sent.push({ loss, mass: mass * ratio });
      unsent.push({ loss: -loss, mass });
    } else {
      infinite += mass;
    }
  }
  return { sent: { atoms: sent, infinite: 0, cut }, unsent: { atoms: unsent, infinite, cut } };
}

function divergenceOnLattice(
  laws: { sent: LossLaw; unsent: LossLaw },
  items: number,
  epsilon: number,
  side: 'upper' | 'lower',
): number {
  const { sent, unsent } = laws;
  // Any one count with an infinite loss makes the total infinite.
  const infinite = -Math.expm1(items * Math.log1p(-unsent.infinite));
  const cut = side === 'upper' ? items * (sent.cut + unsent.cut) : 0;
  // No finite loss reaches a larger epsilon.
  if (epsilon >= items * (largest(sent) + largest(unsent))) return infinite + cut;

  const deviation = Math.sqrt(items * (tiltedMoments(sent, 0).variance + tiltedMoments(unsent, 0).variance));
  const steps = side === 'upper' ? STEPS_UPPER : STEPS_LOWER;
  const longest = side === 'upper' ? LONGEST_UPPER : LONGEST_LOWER;
  const step = Math.max(deviation / steps, span(sent) / longest, span(unsent) / longest);

  const atTilt = (tilt: number): number => finiteLossDivergence(laws, items, epsilon, side, step, tilt);
  const tilt = tiltFor(sent, unsent, items, epsilon);
  const first = atTilt(tilt);
  // Laws of few atoms far apart can be tilted so far that rounding is all that is left: no divergence is above 1. Any smaller
  // tilt is as valid, and the sharpest of some is taken.
  const finite = first <= 1 ? first : sharpest(side, tilt, atTilt);
  return side === 'lower' ? finite + infinite * (1 - 1e-12) : finite + infinite * (1 + 1e-12) + cut;
}

function sharpest(side: 'upper' | 'lower', tilt: number, atTilt: (tilt: number) => number): number {
  let best = side === 'upper' ? 1 : 0;
  for (let smaller = tilt; smaller > 1; smaller /= 1.5) {
    const value = atTilt(smaller / 1.5);
    if (side === 'upper' ? value < best : value > best && value <= 1) best = value;
  }
  return best;
}

/** The share of the divergence that atoms of finite loss have, from above or below, by laws that are tilted by exp(tilt loss). */
function finiteLossDivergence(
  { sent, unsent }: { sent: LossLaw; unsent: LossLaw },
  items: number,
  epsilon: number,
  side: 'upper' | 'lower',
  step: number,
  tilt: number,
): number {
  const forward = latticeLaw(sent, step, tilt, side);
  const reverse = latticeLaw(unsent, step, tilt, side);
  const total = lawOfTotal(forward.masses, reverse.masses, items);
  const origin = items * (forward.origin + reverse.origin);
  const logScale = items * (forward.logScale + reverse.logScale);

  // Terms of the sum in units of exp(logScale - tilt * epsilon), which may be far below the smallest double.
  let sum = 0;
  let weight = 0;
  for (let i = Math.max(0, Math.floor(epsilon / step) - origin); i < total.length; i++) {
    const excess = (origin + i) * step - epsilon;
    if (excess <= 0) continue;
    const factor = -Math.expm1(-excess) * Math.exp(-tilt * excess);
    sum += factor * Math.max(0, total[i]!);
    weight += factor;
  }
  // Entries of a convolution err by less than 1e-15, and by as much again for every further factor.
  const roundoff = 3e-15 * (items + 2) * weight + 1e-12 * sum;
  const scale = Math.exp(logScale - tilt * epsilon);
  return side === 'lower' ? Math.max(0, sum - roundoff) * scale : (sum + roundoff) * scale;
}

/**
 * Exponential tilt under which the total loss has mean about epsilon: there the terms that matter are the largest. At least
 * 0, where the mean is beyond epsilon without a tilt. Any value gives a valid result; a good one gives digits.
 */
function tiltFor(sent: LossLaw, unsent: LossLaw, items: number, epsilon: number): number {
  let tilt = 0;
  for (let step = 0; step < 4; step++) {
    const a = tiltedMoments(sent, tilt);
    const b = tiltedMoments(unsent, tilt);
    tilt += (epsilon / items - a.mean - b.mean) / (a.variance + b.variance);
    if (!(tilt > 0 && tilt < Infinity)) return 0;
  }
  return tilt;
}

function tiltedMoments(
  { atoms }: LossLaw,
  tilt: number,
): { readonly mean: number; readonly variance: number } {
  let reference = -Infinity;
  for (const { loss } of atoms) reference = Math.max(reference, tilt * loss);
  let mass = 0;
  let first = 0;
  let second = 0;
  for (const atom of atoms) {
    const weight = atom.mass * Math.exp(tilt * atom.loss - reference);
    mass += weight;
    first += weight * atom.loss;
    second += weight * atom.loss * atom.loss;
  }
  const mean = first / mass;
  return { mean, variance: Math.max(second / mass - mean * mean, 1e-12 * mean * mean) };
}

/** Masses at (origin + i) step, tilted by exp(tilt loss) and divided by exp(logScale), so that they sum to 1. */
function latticeLaw(
  law: LossLaw,
  step: number,
  tilt: number,
  side: 'upper' | 'lower',
): { masses: Float64Array; origin: number; logScale: number } {
  const { atoms } = law;
  let least = Infinity;
  let most = -Infinity;
  for (const { loss } of atoms) {
    least = Math.min(least, loss);
    most = Math.max(most, loss);
  }
  const origin = Math.floor(least / step);
  const masses = new Float64Array(Math.floor(most / step) - origin + 2);
  const reference = tilt * most;
  for (const { loss, mass } of atoms) {
    const cell = Math.floor(loss / step);
    const at = cell * step;
    // The share that keeps the mass under both hypotheses: p1 + p2 = p and p1 e^-l1 + p2 e^-l2 = p e^-l.
    const share = side === 'upper' ? Math.min(1, Math.max(0, Math.expm1(at - loss) / Math.expm1(-step))) : 0;
    masses[cell - origin]! += mass * (1 - share) * Math.exp(tilt * at - reference);
    masses[cell - origin + 1]! += mass * share * Math.exp(tilt * (at + step) - reference);
  }
  let total = 0;
  for (const mass of masses) total += mass;
  for (let i = 0; i < masses.length; i++) masses[i]! /= total;
  return { masses, origin, logScale: Math.log(total) + reference };
}

/** The law of the sum of `items` terms of each kind: the linear convolution of all of them. */
function lawOfTotal(forward: Float64Array, reverse: Float64Array, items: number): Float64Array {
  const length = items * (forward.length + reverse.length - 2) + 1;
  const size = transformSize(length);
  const spectrum = forwardTransform(forward, size);
  raiseSpectrum(spectrum, items);
  const other = forwardTransform(reverse, size);
  raiseSpectrum(other, items);
  multiplySpectrum(spectrum, other);
  return inverseTransform(spectrum).subarray(0, length);
}

function largest({ atoms }: LossLaw): number {
  return atoms.reduce((most, { loss }) => Math.max(most, loss), -Infinity);
}

function span(law: LossLaw): number {
  return largest(law) - law.atoms.reduce((least, { loss }) => Math.min(least, loss), Infinity);
}
