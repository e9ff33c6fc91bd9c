/**
 * Gains each of which is larger than all that the other copies lack: a sum with one of them is positive, but
 * for what hardly ever happens, and so its positive part is known by its mean (docs/soundness.md, "Gains
 * that decide"). What is left is the sum of copies of which none decides, and has no heavy tail.
 */
import { interval, type Interval, Real, ROUNDOFF } from '@shuffle-dp/core';
import { sumsLeaveDoubles, type LossLaw } from '../loss-law.ts';

/** E (S)_+ / n = undecided E (S')_+ / n + decided, S' being the sum of n copies of `law`. */
export interface DecidingGains {
  /** Of a gain that does not decide. */
  readonly law: LossLaw;
  /** Probability that no copy decides. */
  readonly undecided: Interval;
  readonly decided: Interval;
}

/** By how many deviations of the others' sum a gain is beyond what they lack in the mean, in turn. */
const BEYOND = [7, 12, 20];

/**
 * Null where no gain decides, or none is proved to.
 * @param count of copies in all, at least 2
 * @param mostLack what the others may lack beyond a gain that decides, of that gain
 * @example decidingGains({ values: Float64Array.of(-1, 1e4), probabilities: Float64Array.of(0.5, 1e-6), magnitudes: Float64Array.of(1, 1e4) }, 100, 1e-7)?.decided // { lower: 0.0099505, upper: 0.0099505 }
 */
export function decidingGains(law: LossLaw, count: number, mostLack: number): DecidingGains | null {
  // Beside values that are not finite, or whose sums are not, no mean is known.
  if (sumsLeaveDoubles(law, count)) return null;
  for (const beyond of BEYOND) {
    const usual = usualGains(law, count, beyond);
    if (usual === null) return null;
    const most = mostLack * law.values[usual.first]!;
    const lack = lackBeyond(law, usual, count - 1, most);
    if (lack <= most) {
      const deciding = totals(law, usual.first, law.values.length);
      return deciding.mass <= MOST_DECIDING ? splitAt(law, usual.first, count, { lack, deciding }) : null;
    }
  }
  return null;
}

/** Of a copy's mass: of what is left of 1 the law of the others needs the digits. */
const MOST_DECIDING = 0.5;

/** The values below the least one that decides beside them. */
interface UsualGains {
  /** Index of that value. */
  readonly first: number;
  /** E [G; usual] and E [G^2; usual]. */
  readonly mean: number;
  readonly square: number;
}

function usualGains({ values, probabilities }: LossLaw, count: number, beyond: number): UsualGains | null {
  let [mean, square] = [0, 0];
  for (let first = 0; first < values.length; first++) {
    const lack = count * Math.max(0, -mean) + beyond * Math.sqrt(count * square);
    if (square > 0 && values[first]! > lack) return { first, mean, square };
    mean += probabilities[first]! * values[first]!;
    square += probabilities[first]! * values[first]! * values[first]!;
  }
  return null;
}

function splitAt(
  law: LossLaw,
  first: number,
  count: number,
  { lack, deciding }: { readonly lack: number; readonly deciding: Totals },
): DecidingGains {
  const { values, probabilities, magnitudes, silent } = law;
  const usual = totals(law, 0, first);
  const kept = 1 - deciding.mass;
  const log = count * Real.log1p(-deciding.mass);
  const none = Real.exp(log);
  /** Probability that one of the others decides. */
  const some = -Real.expm1((count - 1) * Real.log1p(-deciding.mass));
  const mean = deciding.moment + usual.moment * some;
  const rounding = (values.length + 16) * ROUNDOFF;
  // Of values, and of the masses that the others' are divided by; sums are Lipschitz in the values, so that
  // it holds those of the lack and of S', too. Each term may underflow.
  const error = rounding * (deciding.size + usual.size * some) + (values.length + 2) * Number.MIN_VALUE;
  const relative = rounding * (1 + Math.abs(log));
  return {
    law: {
      values: values.subarray(0, first),
      probabilities: probabilities.subarray(0, first).map((mass) => mass / kept),
      magnitudes: magnitudes.subarray(0, first),
      ...(silent !== undefined && { silent: silent / kept }),
    },
    undecided: interval(Math.max(0, none * (1 - relative)), none * (1 + relative) + Number.MIN_VALUE),
    decided: interval(Math.max(0, mean - error), mean + error + deciding.mass * lack * (1 + 1e-9)),
  };
}

/** The positive part over n, of the whole sum: of what is left where no copy decides it is given. */
export function withDecided(split: DecidingGains | null, rest: Interval): Interval {
  if (split === null) return rest;
  const { undecided, decided } = split;
  const { lower, upper } = rest;
  return interval(lower * undecided.lower + decided.lower, upper * undecided.upper + decided.upper);
}

interface Totals {
  readonly mass: number;
  readonly moment: number;
  /** What rounding errors of the moment are relative to. */
  readonly size: number;
}

function totals({ values, probabilities, magnitudes }: LossLaw, from: number, to: number): Totals {
  let [mass, moment, size] = [0, 0, 0];
  for (let i = from; i < to; i++) {
    mass += probabilities[i]!;
    moment += probabilities[i]! * values[i]!;
    size += probabilities[i]! * Math.max(Math.abs(values[i]!), magnitudes[i]!);
  }
  return { mass, moment, size };
}

/**
 * Upper bound of E (-(t + S))_+, t the least value that decides and S the sum of so many copies of which
 * those that decide count as 0: the least over a few tilts, or the first that is `most` at most.
 */
function lackBeyond(law: LossLaw, usual: UsualGains, others: number, most: number): number {
  const threshold = law.values[usual.first]!;
  let least = Infinity;
  for (const tilt of tilts(threshold, usual, others)) {
    for (const apart of [FAR_BELOW, Infinity]) {
      const { bound, alone } = chernoffLack(law, usual.first, others, { tilt, threshold, apart });
      if (bound < least) least = bound;
      if (least <= most) return least;
      // Where none is apart it is the same bound again.
      if (alone === 0) break;
    }
  }
  return least;
}

/** Those at which a normal sum would lack least, and such as see its deviations alone. */
function tilts(threshold: number, { mean, square }: UsualGains, others: number): number[] {
  const best = (threshold + others * mean) / (others * square);
  const deviation = Math.sqrt(others * square);
  return [
    ...[1, 0.5, 0.25, 0.1, 0.03, 0.01].map((share) => share * best),
    ...[40, 20, 10, 5].map((deviations) => deviations / deviation),
  ].filter((tilt) => tilt > 0 && tilt < Infinity);
}

/**
 * By x_+ <= e^(k x - 1)/k, k being the tilt. Losses that are tilted by more than `apart`, in nats, and would
 * outweigh all else there are added as they are.
 */
function chernoffLack(
  { values, probabilities }: LossLaw,
  first: number,
  others: number,
  { tilt, threshold, apart }: { readonly tilt: number; readonly threshold: number; readonly apart: number },
): { readonly bound: number; readonly alone: number } {
  let [moment, size, alone] = [0, 0, 0];
  for (let i = 0; i < first; i++) {
    const grown = probabilities[i]! * Real.expm1(-tilt * values[i]!);
    if (-tilt * values[i]! > apart && others * grown > RARELY) {
      alone -= probabilities[i]! * values[i]!;
      continue;
    }
    moment += grown;
    size += Math.abs(grown);
  }
  const log = others * Real.log1p(moment) - tilt * threshold - 1;
  // The logarithm is a difference, of sums of both signs.
  const error = (first + 16) * ROUNDOFF * (1 + tilt * threshold + 2 * others * size);
  return { bound: (Real.exp(log + error) + Number.MIN_VALUE) / tilt + others * alone, alone };
}

/** Losses that are tilted by more, in nats, and in all copies together to more than this, are such. */
const [FAR_BELOW, RARELY] = [3, 0.01];
