/**
 * The original analysis of histograms from flipped bits (A. Cheu, M. Zhilyaev, "Differentially Private
 * Histograms in the Shuffle Model from Fake Users", S&P 2022), with the constants that Wang et al. (PVLDB
 * 17(8), 2024) compare with in their Figure 3. Among N rows of zeros, every bit of every row flipped with
 * probability f <= 1/2, a row is (epsilon, delta)-DP where
 *
 *     V = N f (1-f) >= (33/5) coth(epsilon/2)^2 log(4/delta) .
 *
 * It holds. Write T = tanh(epsilon/4), a = e^(epsilon/2), L = log(4/delta) >= log 4, so that V >= 1.65 L
 * (1+T^2)^2 / T^2. The inputs differ in two bits. Of k ones in one of them the likelihood ratio lies between
 * 1 and k (1-f) / ((N+1-k) f), so the loss exceeds epsilon only where this is above a in the bit that was 1,
 * or below 1/a in the other. X ~ Bin(N, f) is then
 *
 *     above its mean by 2 V T - 1 >= 1.858 V T: by Bernstein's inequality of probability at most e^(-2.7 L), or
 *     below its mean by 2 V T / (1+T) - 1/2 >= 1.882 V T / (1+T): by Okamoto's inequality at most e^(-2 L),
 *
 * together at most delta/2.
 */
import {
  OutOfRegimeError,
  Real,
  requireInteger,
  requirePositive,
  requireProbability,
} from '@shuffle-dp/core';
import { comparison, provedBound, type ClosedForm, type PublishedBound } from './published-bound.ts';

const CONSTANT = 33 / 5;

/**
 * V = N f (1-f) that the analysis asks for; epsilon > 0 in nats, delta in (0, 1].
 *
 * @throws ParameterError
 * @example cheuZhilyaevVariance(1, 1e-6) // 469.824
 */
export function cheuZhilyaevVariance(epsilon: number, delta: number): number {
  requirePositive('epsilon', epsilon);
  requirePositive('delta', requireProbability('delta', delta));
  return (CONSTANT * Real.log(4 / delta)) / Real.tanh(epsilon / 2) ** 2;
}

/**
 * The least flip probability, at most 1/2, that the analysis allows for (epsilon, delta) among `fakeRows`
 * rows of zeros.
 * @throws ParameterError
 * @throws OutOfRegimeError where even fair coins do not vary enough
 */
export function cheuZhilyaevFlip(fakeRows: number, epsilon: number, delta: number): number {
  requireInteger('fakeRows', fakeRows, 1);
  const variance = cheuZhilyaevVariance(epsilon, delta) / fakeRows;
  if (variance > 0.25) {
    const least = Math.ceil(4 * variance * fakeRows);
    throw new OutOfRegimeError(
      'The original analysis of flipped bits',
      `at least ${least} rows of zeros`,
      `there are ${fakeRows}`,
      'use the blanket accountant',
    );
  }
  return (2 * variance) / (1 + Math.sqrt(1 - 4 * variance));
}

/**
 * As a bound of a row whose bits are flipped with probability `flip`, in (0, 1/2); the setting's users are
 * the N + 1 rows.
 *
 * @example cheuZhilyaevBound(0.25).name // 'cheu-zhilyaev-original'
 */
export function cheuZhilyaevBound(flip: number): PublishedBound {
  const form: ClosedForm = {
    conditions: ({ users }, delta) => {
      const needed = CONSTANT * Real.log(4 / delta);
      const variance = (users - 1) * flip * (1 - flip);
      return [comparison('(n-1) f (1-f) > 6.6 log(4/delta)', variance, needed, variance > needed)];
    },
    epsilon: ({ users }, delta) =>
      2 * Real.atanh(Math.sqrt((CONSTANT * Real.log(4 / delta)) / ((users - 1) * flip * (1 - flip)))),
  };
  return provedBound(
    { name: 'cheu-zhilyaev-original', source: 'Cheu and Zhilyaev 2022, closed form', citation: 'cheu2022' },
    form,
  );
}
