/**
 * Independent Poisson counts, conditioned so that their total is binomial: the counts of some cells among a
 * fixed number of slots.
 *
 * The expectation over Binomial(N, q) slots in the cells is that over a Poisson number of them, weighed by
 * the ratio of both laws at their total. The ratio is a bell over a window, so that few waves exp(i frequency
 * total) make it up, and each of them multiplies the law of one cell by a phase.
 */
import {
  forwardTransform,
  logBinomialPmf,
  log1pMinus,
  Real,
  stirlingCorrection,
  transformSize,
} from '@shuffle-dp/core';
import type { Side } from './product/loss-lattice.ts';

/**
 * The real part of the sum of coefficients times exp(i k frequency count), by which the outcome is weighed.
 */
export interface Waves {
  /** Of the wave k = 1; that of k = 0 is the constant one. */
  readonly frequency: number;
  /** In the order of k. */
  readonly coefficients: readonly { readonly re: number; readonly im: number }[];
  /** By how much what an outcome is weighed by may lie below 0. */
  readonly below: number;
}

export interface ConditionedTotal {
  readonly waves: Waves;
  /**
   * What a function of the total with values in [0, 1] can have outside the window: to be added to an upper
   * end.
   */
  readonly outside: number;
  /** Largest ratio of both laws. */
  readonly mostRatio: number;
}

/** More waves cost more than they are worth beside the division by Pr[Poisson <= N]. */
const MOST_WAVES = 160;
/** Share of the constant wave that is left out, and charged to it. */
const LEFT_OUT = 1e-5;
/** What rounding of the phases and of the ratio can do, relative to the constant wave. */
const PHASE_ERROR = 1e-9;
const HALF_LOG_TWO_PI = 0.5 * Real.log(2 * Math.PI);

/**
 * Waves for a total of Poisson counts of mean `trials` times `probability` that stand for Binomial(trials,
 * probability).
 * @param shift what the counts that are weighed have in all besides those slots
 * @returns null where too many waves would be needed: near probability 1
 */
export function conditionedTotal(
  trials: number,
  probability: number,
  shift: number,
  side: Side,
  logCut: number,
): ConditionedTotal | null {
  const mean = trials * probability;
  const reach = -logCut;
  // Bernstein: beyond, the Poisson and the binomial law have less than exp(logCut) each.
  const start = Math.max(0, Math.floor(mean - Math.sqrt(2 * reach * mean)));
  const end = Math.ceil(mean + reach / 3 + Math.sqrt((reach * reach) / 9 + 2 * reach * mean));
  const period = transformSize(end - start + 1);
  if (period > 1 << 16) return null;
  const ratio = Float64Array.from({ length: period }, (_, i) =>
    Real.exp(logBinomialPmf(start + i, trials, probability) - logPoissonPmf(start + i, mean)),
  );
  const mostRatio = ratio.reduce((most, value) => Math.max(most, value), 0);
  const spectrum = forwardTransform(ratio, period);
  const size = (k: number): number => Real.hypot(spectrum[2 * k]!, spectrum[2 * k + 1]!) / period;
  const half = period / 2;
  let leftOut = 0;
  let last = half;
  // The spectrum of real values is symmetric: every wave but the constant one and the one at half the period
  // counts twice.
  while (last > 0) {
    const next = leftOut + (last === half ? 1 : 2) * size(last);
    if (next > LEFT_OUT * size(0)) break;
    leftOut = next;
    last--;
  }
  if (last > MOST_WAVES) return null;
  const sign = side === 'upper' ? 1 : -1;
  /** What is left out has at most its size times the value of the constant wave. */
  const uncertain = leftOut + PHASE_ERROR * size(0);
  const tails = 2 * Real.exp(logCut);
  const base = (2 * Math.PI) / period;
  const coefficients: { re: number; im: number }[] = [];
  for (let k = 0; k <= last; k++) {
    const twice = k === 0 || k === half ? 1 : 2;
    const re = (twice * spectrum[2 * k]!) / period;
    const im = (twice * spectrum[2 * k + 1]!) / period;
    const phase = -base * k * (start + shift);
    const [cos, sin] = [Real.cos(phase), Real.sin(phase)];
    coefficients.push({
      re: re * cos - im * sin + (k === 0 ? sign * uncertain : 0),
      im: re * sin + im * cos,
    });
  }
  const waves = { frequency: base, coefficients, below: side === 'upper' ? 0 : 2 * uncertain };
  return { waves, outside: Math.max(Number.MIN_VALUE, tails * (1 + mostRatio)), mostRatio };
}

/** log Pr[Poisson(mean) = k]. */
export function logPoissonPmf(k: number, mean: number): number {
  if (k === 0) return -mean;
  const s = (k - mean) / mean;
  // k log(k / mean) + mean - k, whose parts cancel.
  const deviance = s > -0.5 ? k * log1pMinus(s) + mean * s * s : k * Real.log(k / mean) + mean - k;
  return -deviance - 0.5 * Real.log(k) - HALF_LOG_TWO_PI - stirlingCorrection(k);
}
