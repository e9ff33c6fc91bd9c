/**
 * How much a split lowers the Gini impurity (Breiman, Friedman, Olshen and Stone, "Classification and
 * Regression Trees", 1984), from counts that may carry noise.
 */
import type { EstimatedCounts } from './cell-histogram.ts';

export interface SplitGain {
  /**
   * Users times the decrease of impurity: sum over values v and classes c of N_vc^2 / N_v, less the same of
   * the whole node. What noise adds to it on average is taken off, to second order.
   */
  readonly gain: number;
  /**
   * Standard deviation of `gain` where the attribute says nothing about the class and classes are alike
   * frequent. The law is that of a sum of squares, so that large gains are more frequent than a normal law's.
   */
  readonly noise: number;
}

/** @param counts value-major: count of value v and class c at v * classes + c */
export function giniGain({ counts, variance }: EstimatedCounts, classes: number): SplitGain {
  const values = counts.length / classes;
  const whole = new Float64Array(classes);
  const sizes: number[] = [];
  let gain = 0;
  for (let v = 0; v < values; v++) {
    const branch = counts.subarray(v * classes, (v + 1) * classes);
    for (let c = 0; c < classes; c++) whole[c]! += branch[c]!;
    sizes.push(sizeOf(branch, variance));
    gain += purity(branch, variance);
  }
  gain -= purity(whole, values * variance);
  // A quadratic form in the noise of the branches, with 1/N_v - 1/N on its diagonal and -1/N beside it.
  const inWhole = 1 / sizeOf(whole, values * variance);
  const squares = sizes.reduce((sum, size) => sum + (1 / size - inWhole) ** 2, 0);
  const trace = squares + values * (values - 1) * inWhole * inWhole;
  return { gain, noise: variance * Math.sqrt(2 * (classes - 1) * trace) };
}

/** Estimate of N sum_c p_c^2 for a branch of N users with class shares p_c. */
function purity(branch: Float64Array, variance: number): number {
  const classes = branch.length;
  const size = sizeOf(branch, variance);
  let squares = 0;
  for (const count of branch) squares += count * count;
  const shares = Math.min(1, Math.max(1 / classes, squares / (size * size)));
  // Of x^2 / N under noise in both: the part of its expectation that noise makes, by the second-order
  // expansion.
  const fromNoise = variance * (classes - 2 + classes * shares);
  return (squares - fromNoise) / size;
}

/**
 * Users of a branch; at least one, and at least what could be noise alone, so that nothing is divided by
 * almost zero.
 */
function sizeOf(branch: Float64Array, variance: number): number {
  let size = 0;
  for (const count of branch) size += count;
  return Math.max(1, Math.sqrt(branch.length * variance), size);
}
