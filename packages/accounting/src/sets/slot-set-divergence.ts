/**
 * The privacy of a whole set of items among coin-flip blankets: a fixed number of slots, each of which shows
 * a uniform item with probability g, else nothing (Wang et al. 2025 have g = m / ceil(m)). Every function
 * bounds the divergence of two sets of one user that differ in t items each way, each sent with probability
 * lambda; theorems and proofs are in docs/sets.md.
 *
 * The counts are not independent here, as the number of slots is fixed. Three certificates bound the
 * divergence from above. One reveals how many of the t items are sent, and in which part of a partition each
 * lies; it serves g = 1, where the number of messages shows it unless others hide it. One labels the slots
 * that show nothing, and is far better where there are some. One lets coins of the other users hide the
 * number.
 */
import { onDemand, Real, requireNonNegative } from '@shuffle-dp/core';
import { conditionedTotal } from './conditioned-count.ts';
import { hiddenNumberDivergence } from './hidden-number.ts';
import { labelledSlotsDivergence } from './labelled-slots.ts';
import { finiteDivergence } from './product/loss-divergence.ts';
import { alikeFactor } from './product/pair-factor.ts';
import { poissonSlots } from './poisson-slots.ts';
import { revealedNumberDivergence } from './revealed-number.ts';
import { setDivergenceCurve } from './set-divergence.ts';
import {
  checkPair,
  deltaOf,
  logCutFor,
  MOST_CONDITIONED,
  sentRatios,
  type SlotSetOptions,
  type SlotSetPair,
} from './slot-set-pair.ts';

/**
 * Deeper tails may hang on few counts, which takes waves on a long lattice: seconds, and less than what
 * Poisson slots give.
 */
const DEEPEST_CONDITIONED = -200;

/** Fewer empty slots hide less than coins of the others may. */
const FEW_EMPTY = 100;

/**
 * Whether the upper bound rests on coins of the others, too.
 *
 * @example countsOnOthers({ slots: 5000, domain: 17, slotProbability: 1, rate: 0.4, itemsChanged: 4, others: { users: 1249, items: 4, rate: 0.4 } }) // true
 */
export function countsOnOthers(pair: SlotSetPair): boolean {
  const { slots, slotProbability, rate, itemsChanged, others } = pair;
  const few = Math.max(FEW_EMPTY, itemsChanged);
  return others !== undefined && rate < 1 && slots * (1 - slotProbability) < few;
}

/**
 * Upper bound on the divergence at `epsilon` (nats, at least 0), whatever the other users hold, and whichever
 * rates those have whose coins are not given: the smaller of the certificates. Valid for all smaller t too.
 * @throws ParameterError
 */
export function slotSetDivergenceUpper(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  checkPair(pair);
  const revealed = onDemand(() => revealedNumberDivergence(pair, options));
  if (pair.rate === 1) return revealed();
  const target = deltaOf(options);
  const hidden = onDemand(() => hiddenNumberDivergence(pair, options));
  /** The smaller one, the other where the first is below what is looked for. */
  const withHidden = (other: (epsilon: number) => number) => (epsilon: number) => {
    const first = hidden()?.(epsilon) ?? 1;
    return first <= target ? first : Math.min(first, other(epsilon));
  };
  const emptySlots = pair.slots * (1 - pair.slotProbability);
  if (emptySlots < Math.max(1, pair.itemsChanged)) return withHidden((epsilon) => revealed()(epsilon));
  const labelled = labelledSlotsDivergence(pair, options);
  // Nothing is seen where nothing is sent.
  const most = -Real.expm1(pair.itemsChanged * Real.log1p(-pair.rate)) * (1 + 1e-12);
  const byLabels = (epsilon: number): number => {
    const first = Math.min(most, labelled(epsilon));
    // Few empty slots hide little, and what is hardly ever sent needs no hiding.
    const closeToFull = pair.slotProbability >= 0.99 || pair.rate < 0.01;
    return closeToFull ? Math.min(first, revealed()(epsilon)) : first;
  };
  return countsOnOthers(pair) ? withHidden(byLabels) : byLabels;
}

/**
 * Lower bound on the divergence of the data set in which no other user holds any of the 2 t items: the
 * theorem with a Poisson number of slots that is hardly ever below theirs. Where every item is sent, the
 * exact law of their counts besides.
 */
export function slotSetDivergenceLower(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const { rate, itemsChanged } = checkPair(pair);
  const counts = rate === 1 && itemsChanged > 0 ? allSentLower(pair, logCutFor(options)) : null;
  const { sets, missed } = poissonSlots(pair, deltaOf(options));
  const poisson = setDivergenceCurve(sets, 'lower');
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (rate === 0 || itemsChanged === 0) return 0;
    // The exact law, where there is one, leaves nothing to gain.
    if (counts) return counts(epsilon);
    return Math.max(0, poisson(epsilon) - missed);
  };
}

/**
 * With lambda = 1 the 2 t counts are multinomial, and show all there is. Null where they are too wide or too
 * close to all slots.
 */
function allSentLower(pair: SlotSetPair, logCut: number): ((epsilon: number) => number) | null {
  const { slots, domain, slotProbability, itemsChanged } = pair;
  const itemProbability = slotProbability / domain;
  const mean = slots * itemProbability;
  if (mean * itemsChanged > MOST_CONDITIONED || logCut < DEEPEST_CONDITIONED) return null;
  const total = conditionedTotal(
    slots,
    Math.min(1, 2 * itemsChanged * itemProbability),
    itemsChanged,
    'lower',
    logCut,
  );
  if (total === null) return null;
  const factor = alikeFactor(itemsChanged, sentRatios(mean, logCut));
  const empty = someEmpty(slots, itemProbability, itemsChanged);
  const finite = finiteDivergence([factor], 'lower', total.waves);
  return (epsilon) => Math.max(0, finite(epsilon) + empty - total.outside);
}

/**
 * Probability that one of so many items is in no slot, from below: by the first two terms of inclusion and
 * exclusion for as many of the items as serve best.
 */
function someEmpty(slots: number, itemProbability: number, items: number): number {
  const one = Real.exp(slots * Real.log1p(-itemProbability)) * (1 - 1e-9);
  const both = itemProbability < 0.5 ? Real.exp(slots * Real.log1p(-2 * itemProbability)) * (1 + 1e-9) : 0;
  let most = 0;
  for (let count = 1; count <= items; count++)
    most = Math.max(most, count * one - ((count * (count - 1)) / 2) * both);
  return most * (1 - 1e-12);
}
