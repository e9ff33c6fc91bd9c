/**
 * Exact Poisson draws: products of uniforms for small means, PTRS (W. Hormann, "The transformed rejection
 * method for generating Poisson random variables", Insurance: Math. Econ. 12, 1993) otherwise.
 */
import * as Real from '../numeric/elementary/index.ts';
import { requireNonNegative } from '../arguments.ts';
import { HALF_LOG_TWO_PI, stirlingCorrection } from '../numeric/log-gamma.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * A draw of the Poisson law of this mean.
 *
 * @throws ParameterError unless mean is finite and at least 0
 * @example samplePoisson(10, RandomStream.fromSeed('example')) // 7
 */
export function samplePoisson(mean: number, stream: RandomStream): number {
  requireNonNegative('mean', mean);
  if (mean === 0) return 0;
  return mean < 10 ? byProducts(mean, stream) : byTransformedRejection(mean, stream);
}

function byProducts(mean: number, stream: RandomStream): number {
  const limit = Real.exp(-mean);
  let product = stream.nextOpen();
  let count = 0;
  while (product > limit) {
    product *= stream.nextOpen();
    count++;
  }
  return count;
}

function byTransformedRejection(mean: number, stream: RandomStream): number {
  const b = 0.931 + 2.53 * Math.sqrt(mean);
  const a = -0.059 + 0.02483 * b;
  const inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  const vr = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const u = stream.next() - 0.5;
    const v = stream.nextOpen();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + mean + 0.43);
    if (k < 0) continue;
    if (us >= 0.07 && v <= vr) return k;
    if (us < 0.013 && v > us) continue;
    if (Real.log((v * inverseAlpha) / (a / (us * us) + b)) <= logPoissonPmf(k, mean)) return k;
  }
}

/** k log mean - mean - log k!, with the large parts cancelled. */
function logPoissonPmf(k: number, mean: number): number {
  if (k === 0) return -mean;
  const d = k - mean;
  return -(k * Real.log(k / mean) - d) - stirlingCorrection(k) - 0.5 * Real.log(k) - HALF_LOG_TWO_PI;
}
