/**
 * Theorem "number revealed" of docs/sets.md: whoever sees how many of the t items are sent, and in which part
 * of a partition each lies, sees one message hidden in each part.
 */
import { binomialPmf, onceEach, Real, requireNonNegative } from '@shuffle-dp/core';
import { conditionedTotal } from './conditioned-count.ts';
import { finiteDivergence } from './product/loss-divergence.ts';
import { alikeFactor, cutOf } from './product/pair-factor.ts';
import { fewerSlots } from './poisson-slots.ts';
import type { RatioLaw } from './ratio-law.ts';
import {
  checkPair,
  logCutFor,
  MOST_CONDITIONED,
  sentRatios,
  type SlotSetOptions,
  type SlotSetPair,
} from './slot-set-pair.ts';

/**
 * Beyond so many items a message is hidden among none of the others: the laws would cost more than they are
 * worth.
 */
const MOST_HIDDEN = 8;
/** Where the shares of the revealed numbers no longer matter. */
const LEAST_SHARE = 1e-25;

/**
 * Upper bound: the sum over j of Bin(t, lambda)(j) times the divergence of j sent items, each hidden in its
 * part of a partition of the t items into j parts.
 * @throws ParameterError
 */
export function revealedNumberDivergence(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const { itemsChanged, rate } = checkPair(pair);
  const logCut = logCutFor(options);
  const lawOf = onceEach((mean) => sentRatios(mean, logCut));
  const parts: { share: number; divergence: (epsilon: number) => number }[] = [];
  let neglected = 0;
  for (let sent = 1; sent <= itemsChanged; sent++) {
    const share = binomialPmf(sent, itemsChanged, rate);
    if (share < LEAST_SHARE) neglected += share;
    else parts.push({ share, divergence: hiddenDivergence(pair, sent, logCut, lawOf) });
  }
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (rate === 0 || itemsChanged === 0) return 0;
    let sum = neglected;
    for (const { share, divergence } of parts) sum += share * Math.min(1, divergence(epsilon));
    return Math.min(1, sum * (1 + 1e-11));
  };
}

/**
 * Sizes of the parts of a partition of `items` into `parts` parts that differ by one at most, with their
 * numbers.
 */
export function balancedParts(
  items: number,
  parts: number,
): readonly { readonly size: number; readonly number: number }[] {
  const size = Math.floor(items / parts);
  const larger = items % parts;
  return [
    { size: size + 1, number: larger },
    { size, number: parts - larger },
  ].filter(({ number }) => number > 0);
}

/** One message hidden in each part of the changed items: the divergence among the slots, from above. */
function hiddenDivergence(
  pair: SlotSetPair,
  sent: number,
  logCut: number,
  lawOf: (mean: number) => RatioLaw,
): (epsilon: number) => number {
  const { slots, itemsChanged } = pair;
  const itemProbability = pair.slotProbability / pair.domain;
  const parts = itemsChanged > MOST_HIDDEN ? [{ size: 1, number: sent }] : balancedParts(itemsChanged, sent);
  const covered = parts.reduce((sum, { size, number }) => sum + 2 * size * number, 0);
  const total =
    itemsChanged <= MOST_HIDDEN && slots * itemProbability * itemsChanged < MOST_CONDITIONED
      ? conditionedTotal(slots, Math.min(1, covered * itemProbability), sent, 'upper', logCut)
      : null;
  if (total === null) return poissonBound(pair, parts, logCut);
  const factors = parts.map(({ size, number }) => alikeFactor(number, lawOf(slots * itemProbability * size)));
  // A part without any blanket among the unsent items: an infinite loss.
  const empty = parts.reduce(
    (sum, { size, number }) => sum + number * Real.exp(slots * Real.log1p(-size * itemProbability)),
    0,
  );
  const rest = empty * (1 + 1e-9) + total.outside + total.mostRatio * cutOf(factors);
  const finite = finiteDivergence(factors, 'upper', total.waves);
  return (epsilon) => finite(epsilon) + rest;
}

/** With Poisson(mu) slots, divided by the probability that there are no more than there are. */
function poissonBound(
  { slots, domain, slotProbability }: SlotSetPair,
  parts: readonly { readonly size: number; readonly number: number }[],
  logCut: number,
): (epsilon: number) => number {
  const { mean, probability } = fewerSlots(slots);
  const factors = parts.map(({ size, number }) =>
    alikeFactor(number, sentRatios((mean * slotProbability * size) / domain, logCut)),
  );
  const infinite = factors.reduce(
    (sum, { copies, labels }) => sum - copies * Real.log1p(-labels[0]!.unsent.zero),
    0,
  );
  const rest = -Real.expm1(-infinite) * (1 + 1e-9) + cutOf(factors);
  const finite = finiteDivergence(factors, 'upper');
  return (epsilon) => (finite(epsilon) + rest) / probability;
}
