/** What a cell answers: every quantity with its truth, and an interval of the mean over the trials. */
import { studentQuantile } from '@shuffle-dp/core';
import type { CellResult, RunResult } from './run-result.ts';

/**
 * The estimate of what is found although nobody seems to hold it, which tells it from what is not found. It
 * changes no error, and the mean over any number of trials does not vanish.
 */
export const FOUND_AT_ZERO = 1e-290;

export interface ItemEstimate {
  /** From 0. */
  readonly item: number;
  /** The user's own name of it; its number where there is none. */
  readonly name: string;
  /** Mean over the trials: files whose users all take part have the same in each. */
  readonly truth: number;
  /**
   * Share of all users who hold the item before padding; null where sets are not padded, or it is not known.
   */
  readonly before: number | null;
  /** What padding adds to it, which no number of users makes smaller; null likewise. */
  readonly paddingBias: number | null;
  readonly mean: number;
  /** Standard deviation of one estimate over the trials; null for a single trial. */
  readonly deviation: number | null;
  /** 95 %, of the mean; null for a single trial. */
  readonly interval: { readonly lower: number; readonly upper: number } | null;
}

/** An identifier that a trial found and nobody holds. */
const UNHELD = '(held by nobody)';

/** In the order of the items; none for a cell that keeps no answers. */
export function itemEstimates(
  { answers, trials, quality }: CellResult,
  run: Pick<RunResult, 'itemNames' | 'padded'>,
): ItemEstimate[] {
  if (answers === null) return [];
  const { truths, means, spreads } = answers;
  const quantile = trials > 1 ? studentQuantile(0.975, trials - 1) : null;
  // Among names, items that no user holds have none.
  const numbered = (item: number): string => (run.itemNames ? `${item} (unnamed)` : String(item));
  const estimates = Array.from(means, (marked, item): ItemEstimate => {
    const mean = Math.abs(marked) > FOUND_AT_ZERO ? marked : 0;
    const deviation = quantile === null ? null : Math.sqrt(spreads[item]! / (trials - 1));
    const half = quantile === null ? null : (quantile * deviation!) / Math.sqrt(trials);
    return {
      item,
      name: run.itemNames?.[item] ?? (quality ? UNHELD : numbered(item)),
      truth: truths[item]!,
      before: run.padded?.before[item] ?? null,
      paddingBias: run.padded ? run.padded.after[item]! - run.padded.before[item]! : null,
      mean,
      deviation,
      interval: half === null ? null : { lower: mean - half, upper: mean + half },
    };
  });
  if (quality === undefined) return estimates;
  // Of many identifiers those that some trial found, most frequent first.
  return estimates
    .filter(({ item }) => means[item] !== 0 || spreads[item] !== 0)
    .sort((a, b) => b.mean - a.mean || a.item - b.item);
}
