/** How good a list of heavy hitters is. */
import { requireInteger } from '@shuffle-dp/core';
import type { IdentifierCounts } from './identifier-data.ts';

export interface TopQuality {
  /** Share of those found that are among the true top k; 0 where none is found. */
  readonly precision: number;
  /** Share of the true top k that is found. */
  readonly recall: number;
  /**
   * Normalised cumulative rank (B. Wang et al.): the true top k weigh k, k - 1, …, 1; the weight that is
   * found, over all of it.
   */
  readonly cumulativeRank: number;
}

/** The smaller identifier comes first among equal counts. @throws ParameterError for a top k below 1 */
export function topQuality(
  found: Float64Array,
  { identifiers, holders }: IdentifierCounts,
  top: number,
): TopQuality {
  requireInteger('top', top, 1);
  const truth = Array.from(identifiers, (identifier, i) => ({ identifier, holders: holders[i]! }))
    .filter((entry) => entry.holders > 0)
    .sort((a, b) => b.holders - a.holders || a.identifier - b.identifier)
    .slice(0, top);
  const wanted = truth.length;
  const weight = new Map(truth.map(({ identifier }, rank) => [identifier, wanted - rank]));
  let [hits, gathered] = [0, 0];
  for (const identifier of new Set(found.subarray(0, top))) {
    const own = weight.get(identifier);
    if (own === undefined) continue;
    hits++;
    gathered += own;
  }
  const listed = Math.min(found.length, top);
  return {
    precision: listed === 0 ? 0 : hits / listed,
    recall: wanted === 0 ? 1 : hits / wanted,
    cumulativeRank: wanted === 0 ? 1 : gathered / ((wanted * (wanted + 1)) / 2),
  };
}
