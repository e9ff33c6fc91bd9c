/**
 * The exact privacy of a set of items whose blankets are independent from item to item, all of a user's items
 * at once.
 *
 * With Poisson or negative-binomial blankets (`blanket-count.ts`) the d counts that the analyzer sees are
 * independent, each the blankets N of its item plus what is sent of it, and nothing else is observable. A
 * user who exchanges t items for t others, each sent with probability lambda, turns t counts from N + B into
 * N and t others from N into N + B, B ~ Bernoulli(lambda). Dropping the other users' data messages is
 * post-processing (Wang et al. 2025, Lemma 2), so the divergence of this product pair bounds what any data
 * set shows; docs/sets.md says which data sets attain it. It replaces the group rule of Theorem 3 there,
 * which loses about a factor t in the blankets.
 */
import {
  interval,
  onDemand,
  ParameterError,
  Real,
  requireInteger,
  requireNonNegative,
  requirePositive,
  requireProbability,
  requirePositiveProbability,
  type Interval,
} from '@shuffle-dp/core';
import { blanketCountLaw, type BlanketCount, MOST_BLANKETS_OF_AN_ITEM } from './blanket-count.ts';
import { finiteDivergence } from './product/loss-divergence.ts';
import type { Side } from './product/loss-lattice.ts';
import type { PairFactor } from './product/pair-factor.ts';
import { countRatios } from './ratio-law.ts';

export interface SetPair {
  /** Probability with which each of the user's items is sent (lambda). */
  readonly rate: number;
  /** Expected number of blanket messages per item of the domain over all users (mu = n m / d), positive. */
  readonly blanketsPerItem: number;
  /**
   * Of negative-binomial blankets, in (0, 1]: their variance is their mean over this. 1, the default:
   * Poisson.
   */
  readonly successProbability?: number;
  /** Number of items that differ between the two sets (t), at least 0. */
  readonly itemsChanged: number;
  /**
   * Other users who hold each of the old and each of the new items, and send it with probability `rate`. A
   * lower end is about this data set, an upper end about every one with at least so many. Default none. The
   * pair is then asymmetric: old items first.
   */
  readonly holders?: { readonly old: number; readonly new: number; readonly rate: number };
}

/**
 * So many other holders are counted one by one, below either cut; of more the binomial number is replaced by
 * a Poisson one that covers it.
 */
const MOST_COUNTED = 10_000;
const MOST_COUNTED_DEEP = 500;
/** Of wider counts too. */
const WIDEST_COUNTED = 1e5;

/**
 * Natural logarithms of the masses below which tails are cut: for all that is not smaller, and for what is.
 */
const CUT = Real.log(1e-40);
const DEEP_CUT = -760;
/** Below this a divergence is computed again with the deeper cut, where so small ones are looked for. */
const DEEP = 1e-30;
const MOST_DEEP = 1e-20;

/**
 * Bracket of the hockey-stick divergence at `epsilon` (nats, at least 0) of the shuffled messages under two
 * sets that differ in `itemsChanged` items. Without other holders the pair is symmetric, so one direction is
 * both.
 * @throws ParameterError
 */
export function setDivergence(pair: SetPair, epsilon: number): Interval {
  return interval(setDivergenceLower(pair, epsilon), setDivergenceUpper(pair, epsilon));
}

/**
 * The upper end alone, for searches. Positive wherever the two hypotheses differ.
 *
 * @param delta the divergence that is looked for, as of `setDivergenceCurve`
 */
export function setDivergenceUpper(pair: SetPair, epsilon: number, delta = DEEP): number {
  return setDivergenceCurve(pair, 'upper', delta)(epsilon);
}

/**
 * The lower end of `setDivergence` alone: some data set has at least this much.
 *
 * @param epsilon in nats, at least 0
 * @throws ParameterError
 */
export function setDivergenceLower(pair: SetPair, epsilon: number): number {
  return setDivergenceCurve(pair, 'lower')(epsilon);
}

/**
 * One end as a function of epsilon: many epsilons of one pair cost little more than one.
 *
 * @param delta the divergence that is looked for, in (0, 1], default 1e-30: ends far below it are as true,
 * and less sharp
 * @throws ParameterError
 */
export function setDivergenceCurve(pair: SetPair, side: Side, delta = DEEP): (epsilon: number) => number {
  const { successProbability = 1, holders: others, itemsChanged } = checkPair(pair);
  if (others && successProbability < 1)
    throw new ParameterError('holders', 'given', 'left out for negative-binomial blankets');
  const nothing =
    pair.rate === 0 ||
    itemsChanged === 0 ||
    // More blankets than this are taken for no information at all.
    (side === 'lower' && pair.blanketsPerItem > MOST_BLANKETS_OF_AN_ITEM);
  const usual = onDemand(() => curveWithCut(pair, side, CUT));
  const deep = onDemand(() => curveWithCut(pair, side, DEEP_CUT));
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (nothing) return 0;
    const value = usual()(epsilon);
    const sharp = value < DEEP && delta < MOST_DEEP ? deep()(epsilon) : value;
    return side === 'upper' ? Math.min(1, sharp) : sharp;
  };
}

function curveWithCut(pair: SetPair, side: Side, logCut: number): (epsilon: number) => number {
  const { itemsChanged } = pair;
  const { factor, missed } = pairFactor(pair, side, logCut);
  const { sent, unsent } = factor.labels[0]!;
  // Any one count with an infinite loss makes the total infinite.
  const infinite = -Real.expm1(itemsChanged * Real.log1p(-unsent.zero));
  const cut = itemsChanged * (sent.cut + unsent.cut);
  const finite = finiteDivergence([factor], side);
  if (side === 'upper') return (epsilon) => finite(epsilon) + infinite * (1 + 1e-12) + cut;
  if (!pair.holders) return (epsilon) => finite(epsilon) + infinite * (1 - 1e-12);
  // What other holders send mixes counts that were cut with such as were not, under the second hypothesis
  // too.
  return (epsilon) =>
    Math.max(0, finite(epsilon) + infinite * (1 - 1e-12) - Real.exp(epsilon) * cut - missed);
}

/**
 * The two roles of the counts, `itemsChanged` times each, and by how much the divergence of the data set may
 * lie below theirs.
 */
function pairFactor(
  pair: SetPair,
  side: Side,
  logCut: number,
): { readonly factor: PairFactor; readonly missed: number } {
  const { oldCount, newCount, missed } =
    side === 'upper' ? { ...fewerHolders(pair, logCut), missed: 0 } : coverOfHolders(pair, logCut);
  const sent = countRatios(blanketCountLaw(oldCount, logCut), pair.rate);
  const unsent = newCount === oldCount ? sent : countRatios(blanketCountLaw(newCount, logCut), pair.rate);
  return { factor: { copies: pair.itemsChanged, labels: [{ logWeight: 0, sent, unsent }] }, missed };
}

/**
 * The counts of an old and of a new item among no more holders than there are: whoever is left out would only
 * hide more.
 */
function fewerHolders(
  pair: SetPair,
  logCut: number,
): { readonly oldCount: BlanketCount; readonly newCount: BlanketCount } {
  const { holders } = pair;
  const alone = blanketsAlone(pair);
  if (!holders || holders.rate === 1 || alone.mean > WIDEST_COUNTED)
    return { oldCount: alone, newCount: alone };
  const countWith = (users: number): BlanketCount =>
    users === 0
      ? alone
      : { ...alone, holders: { users: Math.min(users, mostCounted(logCut)), rate: holders.rate } };
  return { oldCount: countWith(holders.old), newCount: countWith(holders.new) };
}

/** Masses that underflow are added up by their logarithms, which takes longer. */
function mostCounted(logCut: number): number {
  return logCut === CUT ? MOST_COUNTED : MOST_COUNTED_DEEP;
}

function blanketsAlone({ blanketsPerItem, successProbability = 1 }: SetPair): BlanketCount {
  return { mean: Math.min(blanketsPerItem, MOST_BLANKETS_OF_AN_ITEM), successProbability };
}

/**
 * The counts of an old and of a new item, and by how much the divergence of the data set may lie below
 * theirs.
 */
function coverOfHolders(
  pair: SetPair,
  logCut: number,
): { readonly oldCount: BlanketCount; readonly newCount: BlanketCount; readonly missed: number } {
  const { itemsChanged, holders } = pair;
  const alone = blanketsAlone(pair);
  const { mean } = alone;
  // Messages that are sent for sure are known, and subtracted.
  if (!holders || holders.rate === 1) return { oldCount: alone, newCount: alone, missed: 0 };
  let missed = 0;
  const countWith = (users: number): BlanketCount => {
    if (users === 0) return alone;
    if (users <= mostCounted(logCut) && mean <= WIDEST_COUNTED)
      return { ...alone, holders: { users, rate: holders.rate } };
    // D of a mixture over the number K of holders is at most E D_K, and D_K falls with K: what has
    // Poisson(more) holders is missed by the probability of fewer than there are, by its Gaussian bound.
    const more = users + Math.sqrt(-2 * users * logCut) - 2 * logCut;
    const exponent = (-(1 - 1e-6) * (more - users) ** 2) / (2 * more);
    missed += itemsChanged * Math.max(Number.MIN_VALUE, Real.exp(exponent));
    return { ...alone, mean: mean + more * holders.rate };
  };
  return { oldCount: countWith(holders.old), newCount: countWith(holders.new), missed };
}

function checkPair(pair: SetPair): SetPair {
  requireProbability('rate', pair.rate);
  requirePositive('blanketsPerItem', pair.blanketsPerItem);
  const success = pair.successProbability ?? 1;
  requirePositiveProbability('successProbability', success);
  requireInteger('itemsChanged', pair.itemsChanged, 0);
  return pair;
}
