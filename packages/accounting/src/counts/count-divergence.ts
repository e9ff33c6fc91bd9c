/**
 * Divergences of counts with noise of a known law, summed exactly: one count that moves by a step, and two
 * counts of which one or the other holds a user's message (docs/noisy-counts.md).
 */
import {
  CompensatedSum,
  interval,
  Real,
  requireInteger,
  requireNonNegative,
  requireProbability,
  type Interval,
} from '@shuffle-dp/core';
import { bracketOf, Excess, type SummedExcess } from './excess-sum.ts';
import type { NoiseLaw } from './noise-law.ts';

/**
 * Bracket of the larger of D(N + shift, N) and D(N, N + shift), N of the given law: one count that a user
 * moves by `shift`.
 * @throws ParameterError for epsilon < 0
 * @example shiftedCountDivergence(binomialNoise(1000), 1, 0.2) // { lower: 0.0000153295, upper: 0.0000153295 }
 */
export function shiftedCountDivergence(law: NoiseLaw, shift: number, epsilon: number): Interval {
  requireInteger('shift', shift, 1);
  requireNonNegative('epsilon', epsilon);
  const shares = law.logMass.map(Real.exp);
  const { length } = shares;
  const at = (i: number): number => (i >= 0 && i < length ? shares[i]! : 0);
  const excess = (growth: number, up: boolean): SummedExcess => {
    const sum = new Excess();
    for (let i = 0; i < length + shift; i++)
      sum.add(up ? at(i - shift) : at(i), growth * (up ? at(i) : at(i - shift)));
    return sum.total();
  };
  return bracketOf(law, epsilon, (growth) => [excess(growth, true), excess(growth, false)]);
}

/**
 * Bracket of D((N + B, N'), (N, N' + B')), N and N' of the given law and B, B' Bernoulli(rate), all
 * independent: a user's message, sent with probability `rate`, is in one count or in another. Exchanging the
 * two counts exchanges the laws, so both orders are one.
 * @throws ParameterError for epsilon < 0 or a rate outside [0, 1]
 * @example exchangedCountDivergence(binomialNoise(1000), 1, 0.2) // { lower: 0.000436526, upper: 0.000436526 }
 */
export function exchangedCountDivergence(law: NoiseLaw, rate: number, epsilon: number): Interval {
  requireProbability('rate', rate);
  requireNonNegative('epsilon', epsilon);
  if (rate === 0) return interval(0, 0);
  const { without, sent, order, ratio } = sortedByRatio(law, rate);
  const { length } = order;
  // Masses of the counts whose ratio is among the least.
  const belowWithout = runningSums(without, order);
  const belowSent = runningSums(sent, order);
  return bracketOf(law, epsilon, (growth) => {
    const sum = new Excess();
    let reached = 0;
    for (let i = 0; i < length; i++) {
      const u = order[i]!;
      // P - e^eps Q = sent(u) without(v) - e^eps without(u) sent(v): positive where ratio(v) <
      // ratio(u) / e^eps.
      while (reached < length && growth * ratio[order[reached]!]! < ratio[u]!) reached++;
      sum.add(sent[u]! * belowWithout[reached]!, growth * without[u]! * belowSent[reached]!);
    }
    return [sum.total()];
  });
}

interface SortedCounts {
  /** Masses of N, and of N + B. */
  readonly without: Float64Array;
  readonly sent: Float64Array;
  /** Places of the counts, by rising ratio. */
  readonly order: Uint32Array;
  /** sent / without. */
  readonly ratio: Float64Array;
}

function sortedByRatio({ logMass }: NoiseLaw, rate: number): SortedCounts {
  const length = logMass.length + 1;
  const without = new Float64Array(length);
  const sent = new Float64Array(length);
  const ratio = new Float64Array(length);
  let rising = true;
  for (let i = 0; i < length; i++) {
    const here = i < logMass.length ? logMass[i]! : -Infinity;
    const below = i > 0 ? logMass[i - 1]! : -Infinity;
    without[i] = Real.exp(here);
    ratio[i] = here === -Infinity ? Infinity : 1 - rate + rate * Real.exp(below - here);
    sent[i] = here === -Infinity ? rate * Real.exp(below) : without[i]! * ratio[i]!;
    if (i > 0 && ratio[i]! < ratio[i - 1]!) rising = false;
  }
  const order = Uint32Array.from({ length }, (_, i) => i);
  if (!rising) order.sort((a, b) => ratio[a]! - ratio[b]!);
  return { without, sent, order, ratio };
}

/** Sums of the first 0, 1, … masses in this order, with the digits that plain sums would lose. */
function runningSums(masses: Float64Array, order: Uint32Array): Float64Array {
  const sums = new Float64Array(order.length + 1);
  const sum = new CompensatedSum();
  order.forEach((place, i) => {
    sum.add(masses[place]!);
    sums[i + 1] = sum.value;
  });
  return sums;
}
