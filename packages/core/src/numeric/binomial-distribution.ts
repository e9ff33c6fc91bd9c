/**
 * Binomial probabilities and tails, in logarithms where they are small.
 *
 * Point probabilities: C. Loader, "Fast and accurate computation of binomial probabilities" (2000), with the
 * mean n p held to twice the working precision, without which 1e-9 is lost at n = 1e12. Relative error at
 * most 3e-13 up to n = 1e12 (of the logarithm's own rounding, where the logarithm is large). Tails: the
 * series of successive ratios, or for wide distributions Gauss-Legendre quadrature of the incomplete beta
 * integral; never one minus a tail below 1/2.
 */
import * as Real from './elementary/index.ts';
import { requireInteger, requireProbability } from '../arguments.ts';
import { exactProduct, minus } from './double-double.ts';
import { wideIncompleteBetaRatio } from './incomplete-beta.ts';
import { HALF_LOG_TWO_PI, stirlingCorrection } from './log-gamma.ts';
import { log1mExp } from './log-space.ts';
import { lastWhere } from './root.ts';

/** Series of ratios take about 8.6 standard deviations of terms; beyond this many quadrature is faster. */
const LONGEST_SERIES = 3000;

/**
 * log Pr[Bin(n, p) = k] for integers n; -Infinity for k outside 0 to n.
 *
 * @example logBinomialPmf(0, 2000, 0.5) // -1386.29
 */
export function logBinomialPmf(k: number, n: number, p: number): number {
  if (k < 0 || k > n) return -Infinity;
  if (p <= 0) return k === 0 ? 0 : -Infinity;
  if (p >= 1) return k === n ? 0 : -Infinity;
  if (k === 0) return n * Real.log1p(-p);
  if (k === n) return n * Real.log(p);
  const mean = exactProduct(n, p);
  const rest = n - k;
  // (n - k) - n (1 - p) = -(k - n p), so one difference serves both.
  const difference = minus(k, mean);
  const failures = n - mean.high - mean.low;
  const corrections = stirlingCorrection(n) - stirlingCorrection(k) - stirlingCorrection(rest);
  const exponent = corrections - deviance(k, mean.high, difference) - deviance(rest, failures, -difference);
  return exponent - 0.5 * (2 * HALF_LOG_TWO_PI + Real.log(k) + Real.log(rest / n));
}

/** x log(x / m) + m - x, given d = x - m to full precision: the saddle-point deviance, never negative. */
function deviance(x: number, m: number, d: number): number {
  const v = d / (x + m);
  if (Math.abs(v) >= 0.1) return x * Real.log(x / m) - d;
  const square = v * v;
  let sum = d * v;
  let term = 2 * x * v;
  for (let j = 1; j < 1000; j++) {
    term *= square;
    const next = sum + term / (2 * j + 1);
    if (next === sum) return sum;
    sum = next;
  }
  return sum;
}

/**
 * Pr[Bin(n, p) = k], with the conditions of its logarithm.
 *
 * @example binomialPmf(2, 4, 0.5) // 0.375
 */
export function binomialPmf(k: number, n: number, p: number): number {
  return Real.exp(logBinomialPmf(k, n, p));
}

/**
 * log Pr[Bin(n, p) >= k].
 *
 * @throws ParameterError unless n is an integer of at least 0 and p in [0, 1]; k is any number.
 * @example logBinomialTail(2000, 2000, 0.5) // -1386.29
 */
export function logBinomialTail(k: number, n: number, p: number): number {
  requireInteger('n', n, 0);
  requireProbability('p', p);
  const from = Math.ceil(k);
  if (from <= 0) return 0;
  if (from > n) return -Infinity;
  if (p === 0) return -Infinity;
  if (p === 1) return 0;
  return from > n * p ? directUpperTail(from, n, p) : log1mExp(directLowerTail(from - 1, n, p));
}

/**
 * The least number k, from 0 to n, with log Pr[Bin(n, p) > k] at most `logMass`, in (-Infinity, 0).
 *
 * @throws ParameterError likewise
 * @example binomialUpperEnd(4, 0.5, Math.log(0.1)) // 3
 */
export function binomialUpperEnd(n: number, p: number, logMass: number): number {
  return 1 + lastWhere(-1, n, (k) => logBinomialTail(k + 1, n, p) > logMass);
}

/**
 * log Pr[Bin(n, p) <= k], with the conditions of the upper tail.
 *
 * @example logBinomialLowerTail(0, 2000, 0.5) // -1386.29
 */
export function logBinomialLowerTail(k: number, n: number, p: number): number {
  requireInteger('n', n, 0);
  requireProbability('p', p);
  const to = Math.floor(k);
  if (to < 0) return -Infinity;
  if (to >= n) return 0;
  if (p === 0) return 0;
  if (p === 1) return -Infinity;
  return to < n * p ? directLowerTail(to, n, p) : log1mExp(directUpperTail(to + 1, n, p));
}

/**
 * Pr[Bin(n, p) >= k], with the conditions of its logarithm.
 *
 * @example binomialTail(2, 4, 0.5) // 0.6875
 */
export function binomialTail(k: number, n: number, p: number): number {
  return Real.exp(logBinomialTail(k, n, p));
}

/** The tail above the mean: the first probability times the sum of the successive ratios. */
function directUpperTail(k: number, n: number, p: number): number {
  if (seriesLength(k - n * p, n * p * (1 - p)) > LONGEST_SERIES) {
    // (k - 1)(1 - p) - (n - k) p = (k - 1) - (n - 1) p
    const margin = minus(k - 1, exactProduct(n - 1, p));
    return logBinomialPmf(k, n, p) + Real.log(wideIncompleteBetaRatio(k, n - k + 1, p, 1 - p, margin));
  }
  const odds = p / (1 - p);
  return logBinomialPmf(k, n, p) + Real.log(ratioSum(k, n - k, odds));
}

/** The tail below the mean, by the same series seen from the failures. */
function directLowerTail(k: number, n: number, p: number): number {
  if (seriesLength(n * p - k, n * p * (1 - p)) > LONGEST_SERIES) {
    // (n - k - 1) p - k (1 - p) = (n - 1) p - k
    const margin = -minus(k, exactProduct(n - 1, p));
    return logBinomialPmf(k, n, p) + Real.log(wideIncompleteBetaRatio(n - k, k + 1, 1 - p, p, margin));
  }
  return logBinomialPmf(k, n, p) + Real.log(ratioSum(n - k, k, (1 - p) / p));
}

/** 1 + o r/(k+1) + o^2 r(r-1)/((k+1)(k+2)) + …, all terms positive. */
function ratioSum(k: number, remaining: number, odds: number): number {
  let sum = 1;
  let term = 1;
  for (let j = 0; j < remaining; j++) {
    term *= (odds * (remaining - j)) / (k + 1 + j);
    sum += term;
    if (term < sum * 1e-17) break;
  }
  return sum;
}

/** Terms until the ratio series falls below double precision, from its Gaussian shape. */
function seriesLength(distance: number, variance: number): number {
  return Math.sqrt(distance * distance + 80 * variance) - distance;
}

/**
 * The binomial coefficient C(n, k), exact while n C(n, k) is below 2^53; 0 for k < 0 and k > n.
 *
 * @example binomialCoefficient(5, 2) // 10
 */
export function binomialCoefficient(n: number, k: number): number {
  let ways = k < 0 ? 0 : 1;
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i;
  return ways;
}

/**
 * Pr[Bin(n, 1/2) >= k] / Pr[Bin(n, 1/2) = k] for n/2 <= k <= n, to about 1e-15: what differences of a tail
 * and its first probability need, which two logarithms of their own would lose.
 *
 * @example halfBinomialTailRatio(2, 4) // 1.83333
 */
export function halfBinomialTailRatio(k: number, n: number): number {
  if (seriesLength(k - n / 2, n / 4) <= LONGEST_SERIES) return ratioSum(k, n - k, 1);
  return wideIncompleteBetaRatio(k, n - k + 1, 0.5, 0.5, k - 1 - (n - 1) / 2);
}
