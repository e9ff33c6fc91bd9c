/**
 * Sampled vector randomized response by S. Wang, S. Zeng, J. Li, S. Huang and Y. Chen, "Shuffle Model of
 * Differential Privacy: Numerical Composition for Federated Learning" (Applied Sciences 15(3), 2025), Theorem
 * 1: of a vector of bits s are sent, chosen openly, each kept with probability r. The variation-ratio pair
 * with
 *
 *     p = q = (r/(1-r))^s,   beta = sum over k > s/2 of C(s, k) (r^k (1-r)^(s-k) - r^(s-k) (1-r)^k)
 *
 * is said to dominate one round, and its K-fold product K of them. (The printed sum starts at s/2 + 1; for
 * odd s the floor of s/2 is meant.)
 *
 * For one bit beta is (p-1)/(p+1), the pair is the stronger clones', and it does. For more the victim's
 * leftover is positive and differs from the others': the theorem inherits the gap of the variation-ratio
 * theorem, and exact data sets exceed it.
 */
import { ParameterError, binomialPmf, Real, requireInteger, type VariationRatio } from '@shuffle-dp/core';
import { atPair } from './clones.ts';
import type { GeneralVerdict } from './general-verdict.ts';
import { condition, shown, underConditions, type PublishedBound } from './published-bound.ts';

export interface VectorResponseParameters {
  /** Number of bits s that are sent, at least 1. */
  readonly sampled: number;
  /** Probability r that a bit is sent as it is, in (1/2, 1). */
  readonly keep: number;
}

/** Beyond, e^(2 epsilon0) leaves the doubles. */
const LARGEST_BUDGET = 300;

/**
 * The pair of Theorem 1.
 *
 * @throws ParameterError
 * @example vectorResponsePair({ sampled: 2, keep: 0.7 }) // { p: 5.44444, pMinusOne: 4.44444, beta: 0.4, q: 5.44444 }
 */
export function vectorResponsePair({ sampled, keep }: VectorResponseParameters): VariationRatio {
  requireInteger('sampled', sampled, 1);
  if (!(keep > 0.5 && keep < 1)) throw new ParameterError('keep', keep, 'in (1/2, 1)');
  // Both differences are exact, and near a half the ratio itself has lost the digits of its logarithm.
  const perBit = Real.log1p((2 * keep - 1) / (1 - keep));
  let beta = 0;
  for (let k = Math.floor(sampled / 2) + 1; k <= sampled; k++) {
    beta += binomialPmf(sampled - k, sampled, 1 - keep) * -Real.expm1(-(2 * k - sampled) * perBit);
  }
  const p = Real.exp(sampled * perBit);
  const pMinusOne = Real.expm1(sampled * perBit);
  const most = pMinusOne === Infinity ? 1 : pMinusOne / (2 + pMinusOne);
  return { p, pMinusOne, beta: Math.min(beta, most), q: p };
}

const REFUTED: GeneralVerdict = {
  sound: false,
  reason:
    'it rests on the variation-ratio theorem, which counts leftover messages of other users as if they were the ' +
    "victim's: exact data sets exceed it where more than one bit is sent",
  counterexample: {
    command: 'account vector-rr --bits 2 --keep-probability 0.9 --users 20 --delta 1e-4',
    stated: 3.693,
    atLeast: 4.387,
  },
};

/**
 * The published bound of sampled vector randomized response, with its conditions and verdict.
 *
 * @throws ParameterError
 * @example vectorResponseBound({ sampled: 2, keep: 0.7 }).name // 'vector-rr-theorem-1'
 */
export function vectorResponseBound(parameters: VectorResponseParameters): PublishedBound {
  const pair = vectorResponsePair(parameters);
  return {
    name: 'vector-rr-theorem-1',
    direction: 'upper',
    source: 'Wang et al. 2025 (composition), Theorem 1',
    citation: 'wang2025composition',
    verdict: () => (parameters.sampled === 1 ? { sound: true } : REFUTED),
    at: ({ users, epsilon0 }, target) =>
      underConditions(
        [
          condition('r in (1/2, 1)', `r = ${shown(parameters.keep)}`, true),
          condition(
            `s log(r/(1-r)) <= ${LARGEST_BUDGET}`,
            `it is ${shown(epsilon0)}`,
            epsilon0 <= LARGEST_BUDGET,
          ),
        ],
        () => atPair(pair, users, target),
      ),
  };
}
