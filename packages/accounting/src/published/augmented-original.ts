/**
 * How many dummies the authors of the augmented shuffler ask for (T. Murakami, Y. Sei, R. Eriguchi,
 * "Augmented Shuffle Protocols for Accurate and Robust Frequency Estimation under Differential Privacy", IEEE
 * S&P 2025). Both hold: a count N + B, B ~ Bernoulli(b) the user's message, is (epsilon/2, delta/2)-private
 * against N, in both orders, and two such counts compose to (epsilon, delta).
 *
 * By sampling, D_(epsilon/2)(N + B, N) = b D_l(N + 1, N) with e^l = (e^(epsilon/2) - 1 + b) / b, and
 * D_(epsilon/2)(N, N + B) <= b D_l(N, N + 1).
 */
import { Real, requirePositive, requireProbability } from '@shuffle-dp/core';
import { geometricDummyRatios } from '../counts/geometric-dummies.ts';

function requireTarget(epsilon: number, delta: number, rate: number): void {
  requirePositive('epsilon', epsilon);
  requirePositive('delta', requireProbability('delta', delta));
  requirePositive('rate', requireProbability('rate', rate));
}

/**
 * Trials M of SBin's binomial dummies, Bin(M, 1/2) of each item: the least with (M t/2 - 1/(1+e^l))^2 >= M
 * L / 2, t = tanh(l/2), L = log(4 b / delta).
 *
 * The loss of N + 1 against N at k is log(k / (M + 1 - k)), above l only where k - 1 exceeds M/2 by M
 * t/2 - 1/(1+e^l): by Hoeffding's inequality with probability at most e^(-L) = delta / (4 b). In the other
 * order k falls short of M/2 by as much and more.
 * @throws ParameterError
 */
export function binomialDummyTrials(epsilon: number, delta: number, rate: number): number {
  requireTarget(epsilon, delta, rate);
  const localLess1 = Real.expm1(epsilon / 2) / rate;
  const tanh = localLess1 / (2 + localLess1);
  const shift = tanh / (2 + localLess1);
  const half = Math.max(0, Real.log((4 * rate) / delta)) / 2;
  const root = Math.sqrt(half * half + 2 * half * shift);
  return Math.ceil((2 * (shift + half + root)) / (tanh * tanh));
}

/**
 * Mode nu of SAGeo's dummies, of mass proportional to q_l^(nu - k) below it and q_r^(k - nu) from it on: the
 * least with Pr[N = 0] (1 - e^(epsilon/2) (1 - b)) <= delta / 2, which is D_(epsilon/2)(N, N + B); the other
 * order has none.
 * @throws ParameterError
 */
export function geometricDummyMode(epsilon: number, delta: number, rate: number): number {
  requireTarget(epsilon, delta, rate);
  const { left, right } = geometricDummyRatios(epsilon, rate);
  const kept = 1 - Real.exp(epsilon / 2) * (1 - rate);
  if (left <= 0 || kept <= 0) return 0;
  const share = (delta * (1 - left * right)) / ((1 - right) * (2 * (1 - left) * kept + delta * left));
  return Math.max(0, Math.ceil(Real.log(share) / Real.log(left)));
}
