/** Likelihood ratios of counts as laws that `loss-lattice.ts` convolves. */
import type { CountLaw } from './blanket-count.ts';
import type { RatioLaw } from './loss-lattice.ts';

/**
 * What a count shows of a message that is sent with probability `rate` and else replaced by something that shows with likelihood
 * ratio `otherwise` against the base: the ratio is rate f(k - 1) / f(k) + otherwise.
 * @param otherwise at least 0; 1 - rate where nothing is sent otherwise
 */
export function countRatios(law: CountLaw, rate: number, otherwise = 1 - rate): RatioLaw {
  // rate (1 + excess) + otherwise, less 1: nothing cancels where the two parts add up to 1.
  const base = rate + otherwise - 1;
  const kept: number[] = [];
  let zero = 0;
  for (let i = 0; i < law.logMass.length; i++) {
    if (otherwise === 0 && law.leastExcess[i]! <= -1) zero += Math.exp(law.logMass[i]!);
    else kept.push(i);
  }
  const logAt = (excess: Float64Array): Float64Array =>
    Float64Array.from(kept, (i) => Math.log1p(base + rate * excess[i]!));
  const logRatio = logAt(law.excess);
  const single = law.leastExcess === law.excess;
  const leastLog = single ? logRatio : logAt(law.leastExcess);
  const mostLog = single ? logRatio : logAt(law.mostExcess);
  return {
    logMass: Float64Array.from(kept, (i) => law.logMass[i]!),
    logRatio,
    leastLog,
    mostLog,
    lowest: leastLog.reduce((least, log) => Math.min(least, log), Infinity),
    highest: mostLog.reduce((most, log) => Math.max(most, log), -Infinity),
    count: Float64Array.from(kept, (i) => law.count[i]!),
    zero,
    cut: law.cut,
    error: law.error,
  };
}
