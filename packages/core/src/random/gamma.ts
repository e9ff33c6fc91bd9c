/**
 * Gamma draws with unit scale: G. Marsaglia and W. W. Tsang, "A simple method for generating gamma
 * variables", 2000.
 */
import * as Real from '../numeric/elementary/index.ts';
import { requirePositive } from '../arguments.ts';
import { sampleGaussian } from './gaussian.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Mean and variance are the shape, any positive number.
 *
 * @throws ParameterError
 * @example sampleGamma(2, RandomStream.fromSeed('example')) // 1.23595
 */
export function sampleGamma(shape: number, stream: RandomStream): number {
  requirePositive('shape', shape);
  if (shape < 1) return sampleGamma(shape + 1, stream) * Real.exp(Real.log(stream.nextOpen()) / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = sampleGaussian(stream);
    const t = 1 + c * x;
    if (t <= 0) continue;
    const v = t * t * t;
    if (Real.log(stream.nextOpen()) < 0.5 * x * x + d - d * v + d * Real.log(v)) return d * v;
  }
}
