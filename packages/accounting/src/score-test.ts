/** A lower bound of the divergence after shuffling: what a test on the sum of integer scores can tell apart. */
import {
  forwardTransform,
  inverseTransform,
  multiplySpectrum,
  raiseSpectrum,
  transformSize,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { DROPPED_EXPONENT, bernsteinWindow, zeroMeanTilt } from './exponential-tilt.ts';

const LONGEST_TRANSFORM = 1 << 22;
/** Signed masses of the sum below this part of the largest may be rounding and are not counted. */
const NOISE_FLOOR = 1e-13;

/**
 * Lower bound of HS(P + others || Q + others) for users - 1 others with law W (nothing shown with probability 1 - |W|):
 * every message gets the integer score round((P - e^eps Q)/(W h)), and the divergence of the two laws of the total is
 * computed. Any choice of scores is legal, since the total is a post-processing of the shuffled messages.
 */
export function scoreTestDivergence(
  { victim0, victim1, others }: LikelihoodAtoms,
  users: number,
  expEpsilon: number,
  resolution: number,
): number {
  const values: number[] = [];
  const weights: number[] = [];
  const excess: number[] = [];
  let covered = 0;
  let uncovered = 0;
  for (let y = 0; y < others.length; y++) {
    const difference = victim0[y]! - expEpsilon * victim1[y]!;
    if (others[y] === 0) {
      uncovered += Math.max(0, difference);
      continue;
    }
    values.push(difference / others[y]!);
    weights.push(others[y]!);
    excess.push(difference);
    covered += others[y]!;
  }
  if (covered < 1 - 1e-15) {
    values.push(0);
    weights.push(1 - covered);
    excess.push(0);
  }
  // Atoms that nobody else shows are told apart from all others, whatever the rest does.
  const floor = uncovered * (1 - 1e-12);
  if (values.length === 0 || Math.max(...values) <= 0) return floor;
  if (users === 1) return floor + excess.reduce((sum, value) => sum + Math.max(0, value), 0) * (1 - 1e-12);
  const tilt = zeroMeanTilt(values, weights);
  const spread = Math.sqrt(tilt.variance);
  if (spread === 0) return floor;
  const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const window = bernsteinWindow(users, tilt.variance, reach);
  const step = Math.max(spread / resolution, (2 * window + 4 * reach) / LONGEST_TRANSFORM);
  // Scores that all round to zero tell nothing.
  if (step > 4 * spread) return floor;
  const size = transformSize(2 * Math.ceil((window + reach) / step) + 4);
  const law = new Float64Array(size);
  const victim = new Float64Array(size);
  let peak = -Infinity;
  for (const value of values) peak = Math.max(peak, tilt.theta * Math.round(value / step) * step);
  let mass = 0;
  values.forEach((value, y) => {
    const score = Math.round(value / step);
    const tilted = Math.exp(tilt.theta * score * step - peak);
    const cell = ((score % size) + size) % size;
    law[cell] = law[cell]! + weights[y]! * tilted;
    victim[cell] = victim[cell]! + excess[y]! * tilted;
    mass += weights[y]! * tilted;
  });
  for (let i = 0; i < size; i++) law[i] = law[i]! / mass;
  const spectrum = forwardTransform(law, size);
  raiseSpectrum(spectrum, users - 1);
  multiplySpectrum(spectrum, forwardTransform(victim, size));
  const total = inverseTransform(spectrum);
  let largest = 0;
  for (const value of total) largest = Math.max(largest, Math.abs(value));
  const noise = Math.max(NOISE_FLOOR, 4e-16 * users) * largest;
  let sum = 0;
  // The victim is more likely under P where the total is about positive. Far below, undoing the tilt would only magnify
  // rounding; a test may leave those totals out.
  const lowest = -Math.ceil((2 * reach) / step);
  for (let score = Math.max(lowest, -size / 2); score < size / 2; score++) {
    const value = total[score < 0 ? score + size : score]! - noise;
    if (value > 0) sum += value * Math.exp(-tilt.theta * score * step);
  }
  const logScale = (users - 1) * (peak + Math.log(mass)) + peak;
  // Masses from beyond the window may have come round: at most e^-48 of the tilted law.
  const wrapped =
    Math.exp(-DROPPED_EXPONENT) *
    4 *
    excess.reduce((all, value) => all + Math.abs(value), 0) *
    Math.exp(2 * tilt.theta * reach);
  return floor + Math.max(0, sum * (1 - 1e-11 - 4e-16 * users) - wrapped) * Math.exp(logScale);
}
