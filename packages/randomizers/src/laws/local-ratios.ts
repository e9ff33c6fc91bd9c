import { Real, type VariationRatio } from '@shuffle-dp/core';

/**
 * The variation-ratio parameters of a randomizer of which nothing but the budget and the largest total
 * variation is used: p = q = e^epsilon0. p - 1 is given apart, because of a small budget it has digits that p
 * has lost.
 */
export function localRatios(epsilon0: number, beta: number): VariationRatio {
  const p = Real.exp(epsilon0);
  return { p, pMinusOne: Real.expm1(epsilon0), beta, q: p };
}
