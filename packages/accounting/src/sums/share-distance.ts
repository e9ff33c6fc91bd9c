/**
 * How much shuffled additive shares tell beside their sum. Users 1 … n each cut a residue modulo q into m
 * uniform shares, and all n m are shuffled: for every data set the statistical distance of what is seen from
 * uniform shares of the same total is at most
 *
 *     A = sqrt(u_n) / 2,   u_n = E q^(C-1) - 1,
 *
 * C the number of components of a random m-regular bipartite multigraph on n + n vertices
 * (docs/split-and-mix.md, where it is proved, for any modulus). By the exponential formula
 *
 *     u_k = sum over j from 1 to k-1 of (q (k-j) - j) / k r(k, j) (1 + u_j),   r(k, j) = C(k, j)^2 / C(k m, j m).
 *
 * Beyond the first users the recursion is not followed but bounded: r(k, j) falls in k, and in j up to k/2.
 */
import { logAdd, logBinomialCoefficient, Real, requireInteger } from '@shuffle-dp/core';

/** Users up to twice which the recursion is followed. */
const FOLLOWED = 64;
/** Covers all rounding of the logarithms below. */
const OUTWARD = 1e-9;

/**
 * A: an upper bound, at most 1: that is, nothing, for many users with few shares each. It does not fall with
 * the number of users throughout: fewer honest users are another n.
 * @param users at least 1
 * @param shares m, at least 1; below 3 nothing is told
 * @param modulus q, at least `users`
 * @throws ParameterError
 * @example shareDistance(100, 6, 1000) // 0.000198797
 */
export function shareDistance(users: number, shares: number, modulus: number): number {
  requireInteger('users', users, 1);
  requireInteger('shares', shares, 1);
  requireInteger('modulus', modulus, Math.max(2, users));
  if (users === 1) return 0;
  if (shares < 3) return 1;
  const followed = followRecursion(Math.min(users, 2 * FOLLOWED), shares, modulus);
  if (users < followed.length) return distanceOf(followed[users]!);
  // By induction: u_j <= 1 from FOLLOWED to k - 1 gives u_k <= bound(k), which falls in k.
  const small = followed.slice(FOLLOWED).every((log) => log <= 0);
  if (!small || logBound(2 * FOLLOWED, shares, modulus, followed) > 0) return 1;
  return distanceOf(logBound(users, shares, modulus, followed));
}

/**
 * The least number of shares with a distance of at most `distance`; null above 1,000.
 *
 * @throws ParameterError
 * @example leastShares(100, 1000, 1e-6) // 8
 */
export function leastShares(users: number, modulus: number, distance: number): number | null {
  if (users === 1) return 1;
  for (let shares = 3; shares <= 1000; shares++)
    if (shareDistance(users, shares, modulus) <= distance) return shares;
  return null;
}

function distanceOf(logExcess: number): number {
  return Math.min(1, 0.5 * Real.exp(logExcess / 2 + OUTWARD));
}

/** log u_k, by k: minus infinity at 1. Place 0 is not used. */
function followRecursion(users: number, shares: number, modulus: number): number[] {
  const logU = [NaN, -Infinity];
  for (let k = 2; k <= users; k++) {
    let sum = -Infinity;
    for (let j = 1; j < k; j++) {
      const weight = (modulus * (k - j) - j) / k;
      if (weight <= 0) continue;
      sum = logAdd(sum, Real.log(weight) + logOverlap(k, j, shares) + logAdd(0, logU[j]!));
    }
    logU[k] = sum;
  }
  return logU;
}

/** log of r(k, j) for k up to twice FOLLOWED. */
function logOverlap(k: number, j: number, shares: number): number {
  return 2 * logBinomialCoefficient(k, j) - logBinomialCoefficient(k * shares, j * shares);
}

/**
 * log of q sum_{j < J} r(k,j) (1 + u_j) + 2 q (sum_{i <= J} (i/k) r(k,i) + k r(k,J)), J = FOLLOWED: at least
 * u_k where u_j <= 1 for all j from J to k - 1. The second part is of those j, by i = k - j, and k r(k, J) of
 * those between J and k - J.
 */
function logBound(k: number, shares: number, modulus: number, logU: readonly number[]): number {
  let overlap = 0;
  let sum = -Infinity;
  for (let j = 1; j <= FOLLOWED; j++) {
    // r(k, j) / r(k, j - 1), factor by factor: the binomials themselves are too large to keep their digits.
    overlap += 2 * Real.log((k - j + 1) / j);
    for (let t = (j - 1) * shares; t < j * shares; t++) overlap -= Real.log((k * shares - t) / (t + 1));
    if (j < FOLLOWED) sum = logAdd(sum, overlap + logAdd(0, logU[j]!));
    sum = logAdd(sum, overlap + Real.log((2 * j) / k));
  }
  return Real.log(modulus) + logAdd(sum, Real.log(2 * k) + overlap);
}
