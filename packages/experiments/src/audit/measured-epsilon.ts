/**
 * What trials prove of epsilon: an event that is seen more often in one world than e^epsilon times as often
 * in the other, plus delta, shows a larger epsilon. The ratio of the two shares is bounded exactly by their
 * odds ratio, each share by C. J. Clopper and E. S. Pearson's interval (Biometrika 26, 1934).
 */
import { clopperPearsonInterval, normalQuantile } from '@shuffle-dp/core';
import { oddsRatioAtLeast } from './odds-ratio.ts';

/** How often the event was seen, of equal numbers of trials of either world. */
export interface EventCounts {
  /** In the world that it speaks for. */
  readonly inFavour: number;
  readonly against: number;
  readonly trials: number;
}

/**
 * Of the error, what bounds the ratio of the two shares; the rest bounds either alone, where little depends
 * on it.
 */
const FOR_THE_RATIO = 0.8;

/** Epsilon at delta is at least this, but with probability `error`; 0 where nothing is shown. */
export function epsilonAtLeast(
  { inFavour, against, trials }: EventCounts,
  delta: number,
  error: number,
): number {
  const odds = oddsRatioAtLeast(inFavour, against, trials, FOR_THE_RATIO * error);
  // One end of a two-sided interval fails with half of what both may.
  const confidence = 1 - (1 - FOR_THE_RATIO) * error;
  const least = clopperPearsonInterval(inFavour, trials, confidence).lower;
  const most = clopperPearsonInterval(against, trials, confidence).upper;
  if (!(odds > 1 && least > delta)) return 0;
  // (a - delta) / b rises with a, and a / b = odds / (1 - b + odds b) falls with b.
  const ratio = odds / (1 - most + odds * most);
  return Math.max(0, Math.log(ratio) + Math.log1p(-delta / least));
}

/** As `epsilonAtLeast` to about two digits, for choosing; shares instead of counts. */
export function roughEpsilon(
  inFavour: number,
  against: number,
  trials: number,
  delta: number,
  deviations: number,
): number {
  const [own, other] = [inFavour * trials, against * trials];
  const least = inFavour - deviations * Math.sqrt(inFavour / trials);
  if (!(own > 0 && least > delta)) return -Infinity;
  const rest = Math.log1p(-delta / least);
  if (other >= SEEN_OFTEN) return Math.log(own / other) - deviations * Math.sqrt(1 / own + 1 / other) + rest;
  // What is seldom or never seen may be so by chance.
  const most = other + deviations * Math.sqrt(other) + (deviations * deviations) / 2;
  return Math.log((least * trials) / most) + rest;
}

/** From here on a count is nearly normal. */
const SEEN_OFTEN = 30;

/** Probability at least with which an excess that is called found would have been. */
export const POWER = 0.9;

/**
 * The least excess over `allowed` that would have been found with probability 0.9 at least: of a program that
 * shows the event as often against it, and in its favour as often as (allowed + excess, delta) lets it. Null
 * where no excess up to 20 would have been.
 */
export function smallestExcess(
  { against, trials }: EventCounts,
  delta: number,
  error: number,
  allowed: number,
): number | null {
  const deviations = normalQuantile(1 - (1 - POWER) / 2);
  const share = Math.max(1, against) / trials;
  const usual = Math.min(trials, Math.ceil(against + deviations * Math.sqrt(Math.max(1, against))));
  const isFound = (excess: number): boolean => {
    const inFavour = delta + Math.exp(allowed + excess) * share;
    if (inFavour >= 1) return false;
    const seen = inFavour * trials - deviations * Math.sqrt(inFavour * (1 - inFavour) * trials);
    return roughEpsilon(seen / trials, usual / trials, trials, delta, normalQuantile(1 - error)) > allowed;
  };
  let high = 1e-4;
  while (!isFound(high)) {
    // Beyond what is possible nothing more is found; a little less may be.
    high *= 1.5;
    if (high > 20) return null;
  }
  let low = high / 1.5;
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2;
    if (isFound(middle)) high = middle;
    else low = middle;
  }
  return high;
}
