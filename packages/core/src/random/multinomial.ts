/**
 * Exact multinomial draws by conditional binomials: one binomial a category, whatever the number of trials.
 */
import { requireInteger } from '../arguments.ts';
import { ParameterError } from '../errors.ts';
import { sampleBinomial } from './binomial.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Adds the counts of n trials with these probabilities (which must sum to 1) to `target`.
 *
 * @example sampleMultinomial(100, [0.2, 0.3, 0.5], new Float64Array(3), RandomStream.fromSeed('example'))
 */
export function sampleMultinomial(
  n: number,
  probabilities: ArrayLike<number>,
  target: Float64Array,
  stream: RandomStream,
): void {
  requireInteger('n', n, 0);
  // Suffix sums keep the conditional probabilities accurate where a running 1 - p1 - p2 … would cancel.
  const suffix = new Float64Array(probabilities.length + 1);
  for (let i = probabilities.length - 1; i >= 0; i--) suffix[i] = suffix[i + 1]! + probabilities[i]!;
  if (!(Math.abs(suffix[0]! - 1) < 1e-9))
    throw new ParameterError('the sum of probabilities', suffix[0], '1');
  let left = n;
  for (let i = 0; i < probabilities.length && left > 0; i++) {
    const last = suffix[i + 1]! === 0;
    const count = last ? left : sampleBinomial(left, Math.min(1, probabilities[i]! / suffix[i]!), stream);
    target[i] = target[i]! + count;
    left -= count;
  }
}

/**
 * Adds the counts of n trials, uniform over the whole of `target`.
 *
 * @example sampleUniformMultinomial(100, new Float64Array(4), RandomStream.fromSeed('example'))
 */
export function sampleUniformMultinomial(n: number, target: Float64Array, stream: RandomStream): void {
  requireInteger('n', n, 0);
  const categories = target.length;
  let left = n;
  for (let i = 0; i < categories && left > 0; i++) {
    const count = i === categories - 1 ? left : sampleBinomial(left, 1 / (categories - i), stream);
    target[i] = target[i]! + count;
    left -= count;
  }
}
