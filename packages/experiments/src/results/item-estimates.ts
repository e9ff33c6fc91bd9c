/** What a cell answers: every quantity with its truth, and an interval of the mean over the trials. */
import { studentQuantile } from '@shuffle-dp/core';
import type { CellResult, RunResult } from './run-result.ts';

export interface ItemEstimate {
  /** From 0. */
  readonly item: number;
  /** The user's own name of it; its number where there is none. */
  readonly name: string;
  /** Mean over the trials: files whose users all take part have the same in each. */
  readonly truth: number;
  readonly mean: number;
  /** Standard deviation of one estimate over the trials; null for a single trial. */
  readonly deviation: number | null;
  /** 95 %, of the mean; null for a single trial. */
  readonly interval: { readonly lower: number; readonly upper: number } | null;
}

/** In the order of the items; none for a cell that keeps no answers. */
export function itemEstimates(
  { answers, trials }: CellResult,
  run: Pick<RunResult, 'itemNames'>,
): ItemEstimate[] {
  if (answers === null) return [];
  const { truths, means, spreads } = answers;
  const quantile = trials > 1 ? studentQuantile(0.975, trials - 1) : null;
  return Array.from(means, (mean, item) => {
    const deviation = quantile === null ? null : Math.sqrt(spreads[item]! / (trials - 1));
    const half = quantile === null ? null : (quantile * deviation!) / Math.sqrt(trials);
    return {
      item,
      name: run.itemNames?.[item] ?? String(item),
      truth: truths[item]!,
      mean,
      deviation,
      interval: half === null ? null : { lower: mean - half, upper: mean + half },
    };
  });
}
