/**
 * Which lattice points of the sums a certificate keeps, step by step: those that matter to the positive part
 * in the end, by Chernoff's bounds. Any choice is sound; a bad one proves less.
 */
import { powerSteps } from '@shuffle-dp/certificates';
import { logSumExp, minimizeUnimodal } from '@shuffle-dp/core';

/** The law of one loss: lattice indices and probabilities. */
export interface IndexedLaw {
  readonly first: number;
  readonly probabilities: Float64Array;
}

/** Shares of the result that may be lost, on either side, as logarithms. */
const LOST_ABOVE = Math.log(1e5);
const LOST_BELOW = Math.log(1e7);

export interface WindowsAsked {
  /** What a probability of 1 beyond the windows may add to the result, over the result. */
  readonly worthOfMass: number;
  /** The squarings after which the lattice is made twice as coarse. */
  readonly doublings: readonly number[];
}

/** One window for each product on the way to `copies`, in the units of the lattice at that step. */
export function latticeWindows(
  law: IndexedLaw,
  copies: number,
  { worthOfMass, doublings }: WindowsAsked,
): [number, number][] {
  const steps = powerSteps(BigInt(copies));
  const last = law.first + law.probabilities.length - 1;
  if (last <= 0) return steps.map(() => [0, 1]);
  const logMean = logMeanOf(law);
  const theta = saddle(law);
  const atSaddle = logMean(theta);
  let squared = 1;
  // What the lowest digit that is a one gives, without a product.
  let multiplied = 1;
  while (copies % (2 * multiplied) === 0) multiplied *= 2;
  let squarings = 0;
  /** Points of the law's own lattice to one of the step's. */
  let coarseness = 1;
  return steps.map((step, i) => {
    if (step === 'square') [squared, squarings] = [2 * squared, squarings + 1];
    else multiplied += squared;
    const count = step === 'square' ? squared : multiplied;
    const above = LOST_ABOVE + Math.log(worthOfMass) + Math.log(copies / count);
    const top = reach((tilt) => count * logMean(tilt) + Math.max(above, LOST_ABOVE)) / coarseness;
    const bottom = -reach((tilt) => count * (logMean(theta - tilt) - atSaddle) + LOST_BELOW) / coarseness;
    const low = i === steps.length - 1 ? 0 : Math.floor(bottom);
    if (step === 'square' && doublings.includes(squarings)) coarseness *= 2;
    return [low, Math.max(low + 1, Math.ceil(top))];
  });
}

/**
 * The least (logMoment(tilt)) / tilt: a sum is beyond it with at most the probability that the caller put in.
 */
function reach(logMoment: (tilt: number) => number): number {
  return minimizeUnimodal((log) => logMoment(Math.exp(log)) / Math.exp(log), -25, 5, 1e-3).value;
}

/** log E e^(tilt X). */
function logMeanOf({ first, probabilities }: IndexedLaw): (tilt: number) => number {
  const terms: [index: number, log: number][] = [];
  probabilities.forEach((probability, i) => {
    if (probability > 0) terms.push([first + i, Math.log(probability)]);
  });
  return (tilt) => logSumExp(Float64Array.from(terms, ([index, log]) => log + tilt * index));
}

/** The tilt at which the mean is 0; 0 where it is not negative. */
function saddle({ first, probabilities }: IndexedLaw): number {
  const last = first + probabilities.length - 1;
  const drift = (tilt: number): number =>
    probabilities.reduce((sum, p, i) => sum + p * (first + i) * Math.exp(tilt * (first + i - last)), 0);
  if (drift(0) >= 0) return 0;
  let [low, high] = [0, 1 / last];
  while (drift(high) < 0 && high < 50) [low, high] = [high, 2 * high];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (drift(middle) < 0) low = middle;
    else high = middle;
  }
  return low;
}
