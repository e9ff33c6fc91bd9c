/**
 * How many messages of the blanket a buffer shows, in blocks. What holds for the smallest number of a block
 * holds for all of it: the adversary may be told the messages beyond it.
 */
import { binomialTail, logBinomialLowerTail, Real, lastWhere } from '@shuffle-dp/core';

export interface Block {
  /** The smallest number of the block, */
  readonly shown: number;
  /** and the largest. */
  readonly most: number;
  readonly probability: number;
}

export interface Blocks {
  readonly blocks: readonly Block[];
  /** Probability of fewer than any block has. */
  readonly missed: number;
}

/** Ends of the blocks, in deviations about the mean. */
export const FINEST_BLOCKS: readonly number[] = [
  -5, -4.5, -4, -3.6, -3.2, -2.9, -2.6, -2.3, -2, -1.75, -1.5, -1.25, -1, -0.75, -0.5, -0.25, 0, 0.25, 0.5,
  0.75, 1, 1.3, 1.6, 2, 2.5, 3.2, 4,
];

/** A little wider: at most a thousandth of the bound more. */
export const FINE_BLOCKS: readonly number[] = [
  -4.8, -4, -3.4, -2.8, -2.4, -2, -1.7, -1.4, -1.1, -0.8, -0.5, -0.2, 0.1, 0.4, 0.7, 1, 1.4, 1.8, 2.4, 3.2,
];

/** Wider blocks, where a rough bound will do. */
export const COARSE_BLOCKS: readonly number[] = [-3.5, -2, -1, 0, 1];

/** And where most inputs are below what they are compared with. */
export const SKETCHY_BLOCKS: readonly number[] = [-2, 0];

/** Where a bound is far from what it is compared with. */
export const ROUGH_BLOCKS: readonly number[] = [-3, -1];

/** Of means beyond these blocks may be wide: a deviation is a small share of the mean. */
const [LARGE_MEAN, HUGE_MEAN] = [10_000, 200_000];
const WIDE_BLOCKS: readonly number[] = [-3.5, -2, -1, 0, 1, 2.5];

/** The given ends, or those of wider blocks where numbers are so large that they do as well. */
export function endsFor(mean: number, ends: readonly number[]): readonly number[] {
  if (ends === FINE_BLOCKS || ends === FINEST_BLOCKS) return mean > HUGE_MEAN ? WIDE_BLOCKS : ends;
  return mean > LARGE_MEAN ? [] : ends;
}

/** Width of the fine blocks about the mean, in deviations. */
export function middleWidth(mean: number): number {
  return mean > HUGE_MEAN ? 1 : 0.25;
}

/**
 * @param negligible the probability that may be missed; @param ends of the blocks, in deviations about the
 * mean
 */
export function binomialBlocks(
  trials: number,
  probability: number,
  negligible: number,
  ends: readonly number[] = FINE_BLOCKS,
): Blocks {
  const mean = trials * probability;
  const deviation = Math.sqrt(mean * (1 - probability));
  const tail = (from: number): number => Math.min(1, binomialTail(from, trials, probability) * (1 + 1e-11));
  const first = lastNegligible(trials, probability, negligible, mean, deviation);
  const starts = new Set([first]);
  for (const end of ends) {
    const start = Math.round(mean + end * deviation);
    if (start > first && start <= trials) starts.add(start);
  }
  const sorted = [...starts].toSorted((a, b) => a - b);
  const blocks = sorted.map((shown, i) => {
    const next = sorted[i + 1];
    return { shown, most: (next ?? trials + 1) - 1, probability: blockProbability(tail, shown, next) };
  });
  const missed =
    first === 0 ? 0 : Real.exp(logBinomialLowerTail(first - 1, trials, probability)) * (1 + 1e-11);
  return { blocks, missed };
}

/** Differences of two tails lose digits where both are near one, never more than 1e-11 of one. */
function blockProbability(tail: (from: number) => number, from: number, next: number | undefined): number {
  const above = next === undefined ? 0 : tail(next) * (1 - 4e-11);
  return Math.max(0, tail(from) - above);
}

/** The largest start below which there is a negligible part. */
function lastNegligible(
  trials: number,
  probability: number,
  negligible: number,
  mean: number,
  deviation: number,
): number {
  const target = Real.log(negligible);
  const most = Math.max(0, Math.floor(mean));
  if (deviation === 0) return most;
  return lastWhere(0, most + 1, (k) => logBinomialLowerTail(k - 1, trials, probability) <= target);
}

/**
 * log of what a block is charged so that no number of it has a larger value than its smallest: inputs are
 * evaluated with blocks of their own, and data sets mix inputs. A further message in the buffer multiplies
 * the value by at most e^growth, and divides it by the places.
 */
export function blockCharge({ shown, most }: Block, growth: number, users: number, kappa: number): number {
  if (kappa === 0) return 0;
  const further = most - shown;
  return Math.max(0, further * growth - Real.log1p((kappa * further) / (users + kappa * (shown + 1))));
}
