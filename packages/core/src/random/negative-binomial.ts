/**
 * Negative binomial draws, and the logarithmic ones that they are sums of: a Poisson number of independent
 * logarithmic terms is negative binomial (M. H. Quenouille, "A relation between the logarithmic, Poisson, and
 * negative binomial series", 1949).
 */
import * as Real from '../numeric/elementary/index.ts';
import { requireOpenUnit, requirePositive, requirePositiveProbability } from '../arguments.ts';
import { sampleGamma } from './gamma.ts';
import { samplePoisson } from './poisson.ts';
import type { RandomStream } from './random-stream.ts';

/**
 * Failures before the `shape`-th success, for any positive shape: a Poisson draw with a gamma mean. Its mean
 * is shape (1 - q) / q and its variance 1/q times that, q the success probability, in (0, 1]: of 1, to which
 * a probability may round, there are no failures.
 * @throws ParameterError
 * @example sampleNegativeBinomial(2, 0.1, RandomStream.fromSeed('example')) // 8
 */
export function sampleNegativeBinomial(
  shape: number,
  successProbability: number,
  stream: RandomStream,
): number {
  requirePositive('shape', shape);
  requirePositiveProbability('successProbability', successProbability);
  if (successProbability === 1) return 0;
  return samplePoisson(sampleGamma(shape, stream) * ((1 - successProbability) / successProbability), stream);
}

/**
 * k = 1, 2, … with probability (1 - q)^k / (k log(1/q)), q the success probability, in (0, 1): a geometric
 * number whose own probability is q to a uniform power (A. W. Kemp, "Efficient generation of logarithmically
 * distributed pseudo-random variables", 1981).
 * @throws ParameterError
 * @example sampleLogarithmic(0.5, RandomStream.fromSeed('example')) // 1
 */
export function sampleLogarithmic(successProbability: number, stream: RandomStream): number {
  requireOpenUnit('successProbability', successProbability);
  // The geometric number's own probability, whose complement is rounded to 1 where it is small.
  const own = Real.exp(stream.nextOpen() * Real.log(successProbability));
  return 1 + Math.floor(Real.log(stream.nextOpen()) / Real.log1p(-own));
}
