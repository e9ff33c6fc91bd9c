/** Likelihood ratios of counts, as laws whose logarithms `loss-lattice.ts` puts on a lattice. */
import { Real } from '@shuffle-dp/core';
import type { CountLaw } from './blanket-count.ts';

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

/**
 * What a count shows of a message that is sent with probability `rate` and else replaced by something that
 * shows with likelihood ratio `otherwise` against the base: the ratio is rate f(k - 1) / f(k) + otherwise.
 * @param otherwise at least 0; 1 - rate where nothing is sent otherwise
 */
export function countRatios(law: CountLaw, rate: number, otherwise = 1 - rate): RatioLaw {
  // rate (1 + excess) + otherwise, less 1: nothing cancels where the two parts add up to 1.
  const base = rate + otherwise - 1;
  // Where nothing else is sent, the count 0 alone has ratio zero.
  const impossible = otherwise === 0 && law.leastExcess[0]! <= -1;
  const first = impossible ? 1 : 0;
  const zero = impossible ? Real.exp(law.logMass[0]!) : 0;
  const logAt = (excess: Float64Array): Float64Array => {
    const logs = new Float64Array(excess.length - first);
    for (let i = 0; i < logs.length; i++) logs[i] = Real.log1p(base + rate * excess[first + i]!);
    return logs;
  };
  const logRatio = logAt(law.excess);
  const single = law.leastExcess === law.excess;
  const leastLog = single ? logRatio : logAt(law.leastExcess);
  const mostLog = single ? logRatio : logAt(law.mostExcess);
  return {
    logMass: law.logMass.subarray(first),
    logRatio,
    leastLog,
    mostLog,
    lowest: leastLog.reduce((least, log) => Math.min(least, log), Infinity),
    highest: mostLog.reduce((most, log) => Math.max(most, log), -Infinity),
    count: law.count.subarray(first),
    zero,
    cut: law.cut,
    error: law.error,
  };
}
