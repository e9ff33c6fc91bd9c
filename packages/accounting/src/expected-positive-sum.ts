/** An upper bound of E[(G_1 + … + G_n)_+], tight to second order in the lattice step. */
import { forwardTransform, inverseTransform, raiseSpectrum, transformSize } from '@shuffle-dp/core';
import { DROPPED_EXPONENT, bernsteinWindow, zeroMeanTilt } from './exponential-tilt.ts';
import type { LossAtom } from './privacy-blanket.ts';

/** Transforms longer than this take too much time and memory: the lattice is made coarser, which only loosens. */
const LONGEST_TRANSFORM = 1 << 22;
/** Relative rounding of one transform and power, measured at most 1e-15 times the number of squarings. */
const ROUNDING = 1e-14;

/** @param count number of independent copies, at least 1 */
export function expectedPositiveSum(atoms: readonly LossAtom[], count: number, resolution: number): number {
  const values = atoms.map((atom) => atom.value);
  const probabilities = atoms.map((atom) => atom.probability);
  const largest = Math.max(...values);
  if (largest <= 0) return 0;
  const tilt = zeroMeanTilt(values, probabilities);
  const spread = Math.sqrt(tilt.variance);
  if (spread === 0) return Math.max(0, count * values[0]!);
  if (count === 1)
    return atoms.reduce((sum, { value, probability }) => sum + probability * Math.max(0, value), 0);
  const reach = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const window = bernsteinWindow(count, tilt.variance, reach);
  const step = Math.max(spread / resolution, (2 * window + 4 * spread) / LONGEST_TRANSFORM);
  return latticeSum(values, probabilities, count, step, tilt.theta, window);
}

function latticeSum(
  values: readonly number[],
  probabilities: readonly number[],
  count: number,
  step: number,
  theta: number,
  window: number,
): number {
  const size = transformSize(2 * Math.ceil(window / step) + 4);
  const law = new Float64Array(size);
  const weights: number[] = [];
  const places: number[] = [];
  values.forEach((value, i) => {
    // Mean-preserving split: a dilation, so the result is an upper bound.
    const floor = Math.floor(value / step);
    const share = value / step - floor;
    places.push(floor, floor + 1);
    weights.push(probabilities[i]! * (1 - share), probabilities[i]! * share);
  });
  let peak = -Infinity;
  places.forEach((place, i) => (peak = weights[i]! > 0 ? Math.max(peak, theta * place * step) : peak));
  let mass = 0;
  places.forEach((place, i) => {
    const weight = weights[i]! * Math.exp(theta * place * step - peak);
    const cell = ((place % size) + size) % size;
    law[cell] = law[cell]! + weight;
    mass += weight;
  });
  for (let i = 0; i < size; i++) law[i] = law[i]! / mass;
  const logScale = count * (peak + Math.log(mass));
  const spectrum = forwardTransform(law, size);
  raiseSpectrum(spectrum, count);
  const sumLaw = inverseTransform(spectrum);
  const half = size / 2;
  let sum = 0;
  let noise = 0;
  let largest = 0;
  for (let i = 1; i < half; i++) {
    const weight = i * step * Math.exp(-theta * i * step);
    largest = Math.max(largest, weight);
    sum += weight * Math.max(0, sumLaw[i]!);
    noise += weight;
  }
  // The power's rounding grows with the count on the frequencies that matter, which hold the bulk of the mass.
  const rounding = sum * (1e-12 + 4e-16 * count) + noise * (ROUNDING / size) * 8;
  // Beyond the window: at most e^-48 of the tilted mass at the largest weight, or, untilted, at the largest sum.
  const dropped =
    Math.exp(-DROPPED_EXPONENT) *
    2 *
    (theta > 0 ? Math.max(largest, 1 / (Math.E * theta)) : count * step * half);
  return (sum + rounding + dropped) * Math.exp(logScale);
}
