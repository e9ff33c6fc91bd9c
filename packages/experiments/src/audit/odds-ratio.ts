/**
 * A lower bound of the odds ratio of two binomial laws, by the law of one count given the sum of both (R. A.
 * Fisher, "The logic of inductive inference", J. R. Stat. Soc. 98, 1935): exact, and sharper than bounds of
 * the two shares apart.
 */
import { bracketRoot, logAdd } from '@shuffle-dp/core';

/**
 * The odds of the first share over those of the second are at least this, but with probability `error`.
 * @param first successes of so many trials, `second` those of as many others
 */
export function oddsRatioAtLeast(first: number, second: number, trials: number, error: number): number {
  if (first === 0 || second === trials) return 0;
  const tail = tailOf(first, first + second, trials);
  const aim = Math.log(error);
  // Where all of the first and none of the second succeed, odds have no limit but the error's.
  let high = 1;
  while (tail(high) < aim && high < 700) high *= 2;
  let low = -1;
  while (tail(low) > aim && low > -700) low *= 2;
  const { lower } = bracketRoot((log) => tail(log) - aim, low, high, { relativeTolerance: 1e-12 });
  return Math.exp(lower - 1e-9);
}

/** Terms below this share of the largest add nothing: they fall faster than a geometric series. */
const NEGLIGIBLE = 1e-25;

/** log Pr[first count >= x | both sum to `sum`], by the logarithm of the odds ratio. */
function tailOf(x: number, sum: number, trials: number): (logOdds: number) => number {
  const least = Math.max(0, sum - trials);
  const most = Math.min(trials, sum);
  return (logOdds) => {
    const odds = Math.exp(logOdds);
    /** Of the term at k + 1 to that at k. */
    const growth = (k: number): number =>
      (odds * (trials - k) * (sum - k)) / ((k + 1) * (trials - sum + k + 1));
    // From x outwards, in units of the term there; the larger side may leave the doubles, so it is kept as a
    // logarithm.
    const above = sideSum(x, most, (k) => growth(k), 1);
    const below = sideSum(x, least, (k) => 1 / growth(k - 1), -1);
    const [tail, rest] = [logAdd(0, above), below];
    return tail - logAdd(tail, rest);
  };
}

/** log of the sum of the terms beyond x on one side, in units of the one at x. */
function sideSum(x: number, end: number, factor: (k: number) => number, step: 1 | -1): number {
  let log = 0;
  let largest = -Infinity;
  let sum = 0;
  for (let k = x; k !== end; k += step) {
    log += Math.log(factor(k));
    if (log > largest) {
      sum = sum * Math.exp(largest - log) + 1;
      largest = log;
    } else {
      const term = Math.exp(log - largest);
      if (term < NEGLIGIBLE) break;
      sum += term;
    }
  }
  return largest + Math.log(sum);
}
