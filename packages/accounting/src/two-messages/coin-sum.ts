/**
 * How many of two groups of users send a message, each by a coin of its own: the probability of a number and
 * of any larger one, from positive terms alone (docs/sharp-bound.md, "Two messages").
 */
import { lastWhere, logBinomialPmf, ROUNDOFF, type Interval } from '@shuffle-dp/core';

/** Users who send a message with one probability, independently. */
export interface Coins {
  readonly users: number;
  /** Probabilities of the message and of the other one, both positive, each with all its digits. */
  readonly heads: number;
  readonly tails: number;
}

/** Of the number S of heads, over e^logScale. */
export interface CoinSum {
  /** Pr[S = x]. */
  readonly mass: Interval;
  /** Pr[S > x]. */
  readonly above: Interval;
}

/** At a number and its neighbours. */
export interface NearbySums {
  readonly before: CoinSum;
  readonly at: CoinSum;
  readonly after: CoinSum;
  readonly logScale: number;
}

/** Terms below this share of the largest one are left out, and counted. */
const NEGLIGIBLE = 1e-20;
/** Relative error of a binomial probability, of which two make a term. */
const OF_PMF = 6e-13;

/**
 * Bound of the relative errors in the sums of so many users: of the recurrences, which take one step a user
 * at most in each factor, and of coins whose probabilities are off by a rounding.
 */
function coinRounding(users: number, logScale: number): number {
  return OF_PMF + (24 * users + 8 * Math.abs(logScale) + 64) * ROUNDOFF;
}

/**
 * At a number of heads, the one before and the one after. The terms of all sums, one for each number of heads
 * in the first group, are log-concave, so what is left out on either side is at most a geometric series.
 *
 * @param x from 0 to the number of users
 */
export function coinSumsAt(first: Coins, second: Coins, x: number): NearbySums {
  const [odds1, odds2] = [first.heads / first.tails, second.heads / second.tails];
  // How the first group's probability grows from j heads to j + 1, and the second's from k to k - 1.
  const growth1 = (j: number): number => ((first.users - j) / (j + 1)) * odds1;
  const growth2 = (k: number): number => k / ((second.users - k + 1) * odds2);
  const least = Math.max(0, x - second.users);
  const most = Math.min(first.users, x);
  const peak = lastWhere(least, most + 1, (j) => growth1(j - 1) * growth2(x - j + 1) >= 1);

  let j = peak;
  let [mass1, mass2] = [1, 1];
  // Two steps at least: the series of a neighbour may have its largest term one step from the peak.
  while (j > least && (j > peak - 2 || mass1 * mass2 > NEGLIGIBLE)) {
    j--;
    mass1 /= growth1(j);
    mass2 /= growth2(x - j);
  }
  const isWhole = j === least;
  let above2 = aboveOf(second, x - j, mass2);
  let massAfter2 = ((second.users - (x - j)) / (x - j + 1)) * odds2 * mass2;
  let aboveAfter2 = aboveOf(second, x - j + 1, massAfter2);
  const sums = new Float64Array(6);
  let [terms, last] = [new Float64Array(6), new Float64Array(6)];
  let [left, right] = [isWhole ? 0 : Infinity, 0];
  // The number before has one term more where the second group's heads are all there are.
  if (isWhole && least > 0) sums[0] = (mass1 / growth1(least - 1)) * mass2;
  for (;;) {
    const massBefore2 = mass2 * growth2(x - j);
    terms[0] = mass1 * massBefore2;
    terms[1] = mass1 * (above2 + mass2);
    terms[2] = mass1 * mass2;
    terms[3] = mass1 * above2;
    terms[4] = mass1 * massAfter2;
    terms[5] = mass1 * aboveAfter2;
    let isEnd = j > peak + 1;
    for (let i = 0; i < 6; i++) {
      sums[i]! += terms[i]!;
      if (terms[i]! > NEGLIGIBLE * sums[i]!) isEnd = false;
    }
    if (left === Infinity && last[2]! > 0) left = beyondAll(terms, last);
    if (isEnd) right = beyondAll(last, terms);
    if (j === first.users || (isEnd && right < Infinity)) break;
    mass1 *= growth1(j);
    [massAfter2, aboveAfter2] = [mass2, above2];
    above2 += mass2;
    mass2 = massBefore2;
    j++;
    [terms, last] = [last, terms];
  }
  if (j === first.users) right = 0;
  const logScale = logMass(first, peak) + logMass(second, x - peak);
  const rounding = coinRounding(first.users + second.users, logScale);
  const around = (sum: number): Interval => ({
    lower: sum * (1 - rounding),
    upper: (sum + left + right) * (1 + rounding),
  });
  const sumAt = (i: number): CoinSum => ({ mass: around(sums[i]!), above: around(sums[i + 1]!) });
  return { before: sumAt(0), at: sumAt(2), after: sumAt(4), logScale };
}

/** log Pr[k heads], by the rarer side of the coin, which has all its digits. */
function logMass({ users, heads, tails }: Coins, k: number): number {
  return heads <= tails ? logBinomialPmf(k, users, heads) : logBinomialPmf(users - k, users, tails);
}

/** The most that any of several log-concave series has beyond its last term. */
function beyondAll(before: Float64Array, terms: Float64Array): number {
  let most = 0;
  for (let i = 0; i < terms.length; i++) most = Math.max(most, beyond(before[i]!, terms[i]!));
  return most;
}

/** What all terms of a log-concave series beyond `term` add up to at most, where `before` came before it. */
function beyond(before: number, term: number): number {
  if (term === 0) return 0;
  return term < before ? (term * term) / (before - term) : Infinity;
}

/** Pr[more than k heads], where that of k is `mass`. */
function aboveOf({ users, heads, tails }: Coins, k: number, mass: number): number {
  let [term, sum] = [mass, 0];
  for (let i = k; i < users; i++) {
    const growth = ((users - i) / (i + 1)) * (heads / tails);
    term *= growth;
    sum += term;
    if (growth < 1 && term < NEGLIGIBLE * sum) return sum + (term * growth) / (1 - growth);
  }
  return sum;
}
