/** How documents tell a mean over trials. */
import type { Interval } from '@shuffle-dp/core';

/** The mean, and its 95 % interval: null for one trial, which says nothing of the spread. */
export function withInterval(
  name: string,
  { mean, interval }: { readonly mean: number; readonly interval: Interval },
  trials: number,
): Record<string, number | readonly [number, number] | null> {
  return { [name]: mean, [`${name}_ci`]: trials > 1 ? [interval.lower, interval.upper] : null };
}
