/**
 * Exact binomial draws for n up to 1e15 and any p. Inversion by skips where few successes are expected,
 * otherwise the transformed rejection BTRS (W. Hormann, "The generation of binomial random variates", J.
 * Stat. Comput. Simul. 46, 1993) whose acceptance uses the exact probability. Libraries tried were wrong (n =
 * 50, p = 0.4 already), slow, or failed at n = 1e9: docs/random-numbers.md.
 */
import * as Real from '../numeric/elementary/index.ts';
import { requireInteger, requireProbability } from '../arguments.ts';
import { HALF_LOG_TWO_PI, stirlingCorrection } from '../numeric/log-gamma.ts';
import type { RandomStream } from './random-stream.ts';

const INVERSION_BELOW = 10;

/**
 * A draw of Bin(n, p): the successes among n coins.
 *
 * @throws ParameterError unless n is an integer of at least 0 and p in [0, 1]
 * @example sampleBinomial(1_000_000, 0.3, RandomStream.fromSeed('example')) // 300672
 */
export function sampleBinomial(n: number, p: number, stream: RandomStream): number {
  requireInteger('n', n, 0);
  requireProbability('p', p);
  if (n === 0 || p === 0) return 0;
  if (p === 1) return n;
  return p <= 0.5 ? sampleMinority(n, p, stream) : n - sampleMinority(n, 1 - p, stream);
}

function sampleMinority(n: number, p: number, stream: RandomStream): number {
  return n * p < INVERSION_BELOW ? byGeometricSkips(n, p, stream) : byTransformedRejection(n, p, stream);
}

/**
 * Counts the successes of n coins by jumping from success to success: n p + 1 draws expected. The first jump
 * goes past the last coin where its draw is below (1 - p)^n, which few terms bound from below: then there is
 * no logarithm to take.
 */
function byGeometricSkips(n: number, p: number, stream: RandomStream): number {
  let draw = stream.nextOpen();
  if (draw < leastChanceOfNone(n, p)) return 0;
  const logFailure = logOfFailure(p);
  let position = 0;
  for (let successes = 0; ; successes++) {
    position += Math.floor(Real.log(draw) / logFailure) + 1;
    if (position > n) return successes;
    draw = stream.nextOpen();
  }
}

/**
 * Less than (1 - p)^n, by its first four terms (C. E. Bonferroni, 1936). What is taken off is more than
 * rounding adds here and to the logarithms, so that they would say the same.
 */
function leastChanceOfNone(n: number, p: number): number {
  return 1 - n * p * (1 - ((n - 1) * p * (1 - ((n - 2) * p) / 3)) / 2) - 1e-12;
}

/** Of the last p: many binomials are drawn with one. */
let lastP = 0;
let lastLog = 0;

function logOfFailure(p: number): number {
  if (p !== lastP) {
    lastLog = Real.log1p(-p);
    lastP = p;
  }
  return lastLog;
}

function byTransformedRejection(n: number, p: number, stream: RandomStream): number {
  const spread = Math.sqrt(n * p * (1 - p));
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const c = n * p + 0.5;
  const vr = 0.92 - 4.2 / b;
  for (;;) {
    const u = stream.next() - 0.5;
    const v = stream.nextOpen();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + c);
    if (k < 0 || k > n) continue;
    if (us >= 0.07 && v <= vr) return k;
    // One draw in seven comes here, so what only the comparison needs is computed only now.
    const alpha = (2.83 + 5.1 / b) * spread;
    const mode = Math.floor((n + 1) * p);
    if (Real.log((v * alpha) / (a / (us * us) + b)) <= logRatioToMode(k, mode, n, p / (1 - p))) return k;
  }
}

/**
 * log of Pr[k] / Pr[mode]. The large parts of the factorials are cancelled by hand; at n = 1e12 the
 * difference of plain log-factorials would be lost in rounding.
 */
function logRatioToMode(k: number, mode: number, n: number, odds: number): number {
  if (k === mode) return 0;
  const steps = k - mode;
  const rest = n - k;
  const restAtMode = n - mode;
  return (
    steps * Real.log((odds * (restAtMode + 0.5)) / (mode + 0.5)) +
    factorialRatio(mode, k, steps) +
    factorialRatio(restAtMode, rest, -steps)
  );
}

/** log(from! / to!) + steps log(from + 1/2), with steps = to - from. */
function factorialRatio(from: number, to: number, steps: number): number {
  // log from! = (from + 1/2) log(from + 1/2) - (from + 1/2) + correction of the half-integer form.
  const x = from + 0.5;
  const y = to + 0.5;
  return -(y * Real.log1p(steps / x) - steps) + halfCorrection(from) - halfCorrection(to);
}

/** log(n!) - [(n + 1/2) log(n + 1/2) - (n + 1/2) + log(2 pi)/2], small for all n >= 0. */
function halfCorrection(n: number): number {
  if (n === 0) return 0.5 - HALF_LOG_TWO_PI + 0.5 * Math.LN2;
  const s = 0.5 / n;
  return stirlingCorrection(n) - ((n + 0.5) * Real.log1p(s) - 0.5);
}
