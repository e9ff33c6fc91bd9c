/**
 * The closed forms of the privacy blanket when of the randomizer only its budget and its total variation
 * similarity gamma are known: the mass that all inputs share. Balle, Bell, Gascón and Nissim (CRYPTO 2019,
 * arXiv 1903.02837), Lemma 5.3:
 *
 *   gamma e^-epsilon0 (1 - e^(epsilon + 2 epsilon0)) <= L <= gamma e^epsilon0 (1 - e^(epsilon - 2 epsilon0)),
 *   E L^2 <= gamma e^epsilon0 (e^(2 epsilon) + 1) - 2 gamma^2 e^(epsilon - 2 epsilon0).
 *
 * It is the "privacy blanket, specific" of Wang et al. (PVLDB 17(8), 2024). The bounds by the atoms of the
 * mechanism itself (privacy-blanket-bounds.ts) know more and are lower.
 */
import { interval, Real, requirePositive, requireProbability } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import {
  bennettDelta,
  boundBy,
  hoeffdingDelta,
  type BlanketMoments,
  type Inequality,
} from './privacy-blanket-bounds.ts';

/**
 * The smaller epsilon of Hoeffding's and Bennett's inequality: an upper bound, at most `epsilon0`.
 * @param similarity gamma, in [e^-epsilon0, 1]
 * @param users at least 1
 * @param delta in (0, 1)
 * @throws ParameterError for a value out of range
 * @example similarityBlanketEpsilon(1, 16 / (Math.E + 15), 10_000, 1e-6) // 0.0928979
 */
export function similarityBlanketEpsilon(
  epsilon0: number,
  similarity: number,
  users: number,
  delta: number,
): number {
  requirePositive('epsilon0', epsilon0);
  requireProbability('similarity', similarity);
  const by = (inequality: Inequality): number => {
    const profile = (epsilon: number) =>
      interval(
        0,
        epsilon >= epsilon0
          ? 0
          : boundBy(inequality, similarityMoments(epsilon0, similarity, epsilon), users, epsilon),
      );
    return epsilonAtDelta(profile, delta, { epsilonMax: epsilon0, relativeTolerance: 1e-12 }).upper;
  };
  return Math.min(by(hoeffdingDelta), by(bennettDelta));
}

function similarityMoments(epsilon0: number, gamma: number, epsilon: number): BlanketMoments {
  const p = Real.exp(epsilon0);
  const growth = Real.exp(epsilon);
  return {
    gamma,
    largest: gamma * p * -Real.expm1(epsilon - 2 * epsilon0),
    range: gamma * (growth + 1) * 2 * Real.sinh(epsilon0),
    secondMoment: gamma * p * (growth * growth + 1) - 2 * gamma * gamma * Real.exp(epsilon - 2 * epsilon0),
  };
}
