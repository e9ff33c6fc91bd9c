/**
 * Exact variances of hierarchical range estimates, given the data. At each level answer N of the n users, a
 * binomial number, chosen from all without replacement. With g = own - other of the level's randomized
 * response, and `own_A`, `other_A` the probabilities that a message lies in a set A of its nodes, for users
 * inside and outside of A,
 *
 *   Var[level part] = (f own_A (1 - own_A) + (1 - f) other_A (1 - other_A)) / g^2  E[1/N]
 *                     + f (1 - f) (n E[1/N] - 1) / (n - 1),
 *
 * f being the fraction of users in A. Users of different levels are disjoint samples from one population, so
 * that the parts of disjoint sets have covariance f f' / (n - 1).
 */
import type { FrequencyOracle } from '@shuffle-dp/core';

/** With this many users expected at a level, an empty one has probability below e^-40. */
export const FEWEST_USERS_PER_LEVEL = 40;

/**
 * E[1/N] for N ~ Bin(users, probability), to double precision for a mean of at least 40: the inverse
 * factorial series 1/N = sum over k >= 1 of (k-1)! / ((N+1) … (N+k)), whose terms have the means
 * (k-1)! / ((n+1) … (n+k) p^k) but for the chance of very few users. These means fall to about e^(-n p) and
 * rise again: the sum ends at the least of them.
 */
export function meanInverseCount(users: number, probability: number): number {
  if (probability === 1) return 1 / users;
  let term = 1 / ((users + 1) * probability);
  let sum = term;
  for (let k = 1; term > 1e-17 * sum; k++) {
    const fall = k / ((users + k + 1) * probability);
    if (fall >= 1) break;
    term *= fall;
    sum += term;
  }
  return sum;
}

/**
 * Variance of the summed estimates of `nodes` nodes of one level that hold the fraction `frequency` of the
 * users.
 * @param inverse E[1/N] of the level
 */
export function levelPartVariance(
  oracle: FrequencyOracle,
  users: number,
  inverse: number,
  nodes: number,
  frequency: number,
): number {
  const { own, other } = oracle.supportProbability;
  const gap = own - other;
  const inside = own + (nodes - 1) * other;
  const outside = nodes * other;
  // The probability to leave a set of nodes is that of the nodes left, which keeps its digits where `inside`
  // is near 1.
  const leaving = (oracle.domain - nodes) * other;
  const noise = frequency * inside * leaving + (1 - frequency) * outside * (leaving + gap);
  const sampling = users > 1 ? (frequency * (1 - frequency) * (users * inverse - 1)) / (users - 1) : 0;
  return (noise / (gap * gap)) * inverse + sampling;
}
