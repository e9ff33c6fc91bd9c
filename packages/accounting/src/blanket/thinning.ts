/** Laws of fewer values in place of one of many, on one side of it (docs/soundness.md, F4). */
import { interval, type Interval } from '@shuffle-dp/core';
import { Losses, type LossLaw } from './loss-law.ts';

/** Dilation raises the expectation of every convex function of the sum, contraction lowers it. */
export type Thinning = 'dilation' | 'contraction';

/** Of what is known of a law that was thinned: the end that holds of the law itself. */
export function keptEnd({ lower, upper }: Interval, thinning: Thinning): Interval {
  return thinning === 'dilation' ? interval(0, upper) : interval(lower, Infinity);
}

/**
 * A law of at most `most` values near the given one: groups of neighbours keep mass and mean, on their two
 * outer values (dilation) or on their mean (contraction). `weights` tells where the values matter.
 */
export function thinned(law: LossLaw, weights: ArrayLike<number>, most: number, how: Thinning): LossLaw {
  const edges = groupNeighbours(law.values, weights, how === 'dilation' ? most >> 1 : most);
  const losses = new Losses(2 * edges.length);
  for (let group = 1; group < edges.length; group++) {
    const [first, last] = [edges[group - 1]!, edges[group]! - 1];
    let mass = 0;
    let moment = 0;
    let magnitude = 0;
    for (let i = first; i <= last; i++) {
      mass += law.probabilities[i]!;
      moment += law.probabilities[i]! * law.values[i]!;
      magnitude = Math.max(magnitude, law.magnitudes[i]!);
    }
    const least = law.values[first]!;
    const highest = law.values[last]!;
    const mean = Math.min(highest, Math.max(least, moment / mass));
    // Equal values of magnitudes far apart stand beside each other.
    if (how === 'contraction' || !(highest > least)) {
      losses.add(mean, mass, magnitude);
    } else {
      const share = (mean - least) / (highest - least);
      losses.add(least, mass * (1 - share), magnitude);
      losses.add(highest, mass * share, magnitude);
    }
  }
  return losses.law(law.silent);
}

/** Edges of groups: each holds the values from one edge to before the next. */
function groupNeighbours(values: Float64Array, weights: ArrayLike<number>, most: number): Uint32Array {
  let total = 0;
  let mean = 0;
  for (let i = 0; i < weights.length; i++) {
    total += weights[i]!;
    mean += weights[i]! * values[i]!;
  }
  mean /= total;
  let square = 0;
  for (let i = 0; i < weights.length; i++) square += weights[i]! * (values[i]! - mean) ** 2;
  const range = values.at(-1)! - values[0]!;
  // Largest variance that one group may add. Values far out and without weight must not set its scale.
  const widest = (1e-12 * total * range * range) / most;
  const tooWide = square > 0 ? (widest * most) / (1e-6 * square) : 1;
  // Never 0, which doubling would leave.
  const start = Math.max(Number.MIN_VALUE, widest * 2 ** -Math.max(0, Math.ceil(Math.log2(tooWide))));
  // Where groups begin, and where the last one ends.
  const edges = new Uint32Array(most + 1);
  for (let budget = start; ; budget *= 2) {
    let count = 0;
    let mass = 0;
    for (let i = 0; i < values.length && count < most; i++) {
      mass += weights[i]!;
      const width = values[i]! - values[edges[count]!]!;
      if (mass * width * width > budget) {
        edges[++count] = i;
        mass = weights[i]!;
      }
    }
    // Too many, with those that were not reached.
    if (count === most) continue;
    edges[count + 1] = values.length;
    return edges.subarray(0, count + 2);
  }
}
