/** How many items a message of the subset exponential mechanism holds: what is best for one user. */
import { Real, ROUNDOFF } from '@shuffle-dp/core';
import type { SupportProbability } from '../categories/pure-frequency-protocol.ts';
import { subsetShare } from '../categories/subset-selection.ts';
import { sumOfVariances } from './set-frequency-oracle.ts';

/** The chances that a message holds an own item and another one, to some digits. */
export function supportLaw(domain: number, s: number, k: number, epsilon0: number): SupportProbability {
  const missing = subsetShare(domain, k, 0, s);
  return supportOf(domain, k, epsilon0, { missing, holdAndMiss: subsetShare(domain, k, 1, s) });
}

/** Of all k-subsets, those that miss all own items, and those of them that hold a given foreign one. */
interface Shares {
  readonly missing: number;
  readonly holdAndMiss: number;
}

function supportOf(
  domain: number,
  k: number,
  epsilon0: number,
  { missing, holdAndMiss }: Shares,
): SupportProbability {
  const p = Real.exp(epsilon0);
  const normaliser = p * (1 - missing) + missing;
  const hold = k / domain;
  // Of the subsets that hold a given foreign item, those that miss all own items have weight 1 instead of p.
  const other = (p * (hold - holdAndMiss) + holdAndMiss) / normaliser;
  return { own: (p * hold) / normaliser, other };
}

/**
 * The k with the least sum of variances over the domain. Shares by a recurrence tell the few sizes of which
 * roundings decide; these are compared by shares of their own.
 */
export function bestSubsetSize(domain: number, s: number, epsilon0: number): number {
  const leastAt = new Float64Array(domain - s + 1);
  let most = Infinity;
  let missing = 1;
  for (let k = 1; k <= domain - s; k++) {
    // Of C(d, k) subsets C(d - s, k) miss s items, and k / (d - s) of these hold a given other one.
    missing =
      k % ANEW === 1 ? subsetShare(domain, k, 0, s) : missing * ((domain - s - k + 1) / (domain - k + 1));
    const shares = { missing, holdAndMiss: (missing * k) / (domain - s) };
    const { own, other } = supportOf(domain, k, epsilon0, shares);
    const rounding = 8 * ROUNDOFF * (s + ANEW) * (1 + 1 / (1 - missing)) * own;
    const [variances, apart] = [s * own * (1 - own) + (domain - s) * other * (1 - other), own - other];
    leastAt[k] = (variances - domain * rounding) / (Math.abs(apart) + 2 * rounding) ** 2;
    const surelyApart = Math.abs(apart) - 2 * rounding;
    if (surelyApart > 0) most = Math.min(most, (variances + domain * rounding) / surelyApart ** 2);
  }
  let best = 1;
  let least = Infinity;
  for (let k = 1; k <= domain - s; k++) {
    if (leastAt[k]! > most) continue;
    const error = sumOfVariances(domain, s, supportLaw(domain, s, k, epsilon0));
    if (error < least) [best, least] = [k, error];
  }
  return best;
}

/** After so many steps of the recurrence a share is computed anew. */
const ANEW = 512;
