/**
 * The privacy of a whole set of items among coin-flip blankets: a fixed number of slots, each of which shows a uniform item with
 * probability g, else nothing (Wang et al. 2025 have g = m / ceil(m)). Every function bounds the divergence of two sets of one user
 * that differ in t items each way, each sent with probability lambda; theorems and proofs are in docs/sets.md.
 *
 * The counts are not independent here, as the number of slots is fixed. Two certificates bound the divergence from above. One reveals how
 * many of the t items are sent, and in which part of a partition each lies; it serves g = 1, where the number of messages shows
 * it anyway. The other labels the slots that show nothing, and is far better where there are some.
 */
import {
  binomialPmf,
  ParameterError,
  regularizedGammaTail,
  requireInteger,
  requireNonNegative,
  requireProbability,
} from '@shuffle-dp/core';
import { blanketCountLaw, type CountLaw } from './blanket-count.ts';
import { conditionedTotal } from './conditioned-count.ts';
import { finiteDivergence, type LabelledPair, type PairFactor, type RatioLaw } from './loss-lattice.ts';
import { countRatios } from './ratio-law.ts';
import { setDivergenceLower, type SetPair } from './set-divergence.ts';

export interface SlotSetPair {
  /** Blanket slots of all users, the victim's included (N); at least 1. */
  readonly slots: number;
  /** Number of items that exist (d). */
  readonly domain: number;
  /** Probability that a slot shows an item (g), in (0, 1]. */
  readonly slotProbability: number;
  /** Probability with which each of the user's items is sent (lambda). */
  readonly rate: number;
  /** Number of items that differ between the two sets, each way (t), at least 0 and at most half the domain. */
  readonly itemsChanged: number;
}

export interface SlotSetOptions {
  /** The divergence that is looked for, in (0, 1], default 1e-30: far below it the bounds lose their digits, though not their truth. */
  readonly delta?: number;
}

const DEFAULT_DELTA = 1e-30;
/** Beyond so many items a message is hidden among none of the others: the laws would cost more than they are worth. */
const MOST_HIDDEN = 8;
/** Where the shares of the revealed numbers no longer matter. */
const LEAST_SHARE = 1e-25;
/** Counts wider than this are not conditioned on their total. */
const MOST_CONDITIONED = 250_000;
/** Nor is a lower end taken so where tails reach further: its fine lattice would be long. */
const DEEPEST_CONDITIONED = -200;
/** The number of labelled slots is taken in steps of this share of its deviation. */
const LABEL_STEPS = 4;

/**
 * Upper bound on the divergence at `epsilon` (nats, at least 0), whatever the other users hold and whichever rates they have: the smaller of
 * both certificates. Valid for all smaller t too.
 * @throws ParameterError
 */
export function slotSetDivergenceUpper(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const revealed = revealedNumberDivergence(pair, options);
  const emptySlots = pair.slots * (1 - pair.slotProbability);
  if (pair.rate === 1 || emptySlots < Math.max(1, pair.itemsChanged)) return revealed;
  const labelled = labelledSlotsDivergence(pair, options);
  // Nothing is seen where nothing is sent.
  const most = -Math.expm1(pair.itemsChanged * Math.log1p(-pair.rate)) * (1 + 1e-12);
  return (epsilon) => {
    const first = Math.min(most, labelled(epsilon));
    // Few empty slots hide little, and what is hardly ever sent needs no hiding.
    const closeToFull = pair.slotProbability >= 0.99 || pair.rate < 0.01;
    return closeToFull ? Math.min(first, revealed(epsilon)) : first;
  };
}

/**
 * Theorem "number revealed": the sum over j of Bin(t, lambda)(j) times the divergence of j sent items, each hidden in its part of a
 * partition of the t items into j parts.
 */
export function revealedNumberDivergence(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const { itemsChanged, rate } = checkPair(pair);
  const logCut = logCutFor(options);
  const laws = new Map<number, RatioLaw>();
  const parts: { share: number; divergence: (epsilon: number) => number }[] = [];
  let neglected = 0;
  for (let sent = 1; sent <= itemsChanged; sent++) {
    const share = binomialPmf(sent, itemsChanged, rate);
    if (share < LEAST_SHARE) neglected += share;
    else parts.push({ share, divergence: hiddenDivergence(pair, sent, logCut, laws) });
  }
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (rate === 0 || itemsChanged === 0) return 0;
    let sum = neglected;
    for (const { share, divergence } of parts) sum += share * Math.min(1, divergence(epsilon));
    return Math.min(1, sum * (1 + 1e-11));
  };
}

/** Sizes of the parts of a partition of `items` into `parts` parts that differ by one at most, with their numbers. */
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
  laws: Map<number, RatioLaw>,
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
  const factors = parts.map(({ size, number }): PairFactor => {
    const mean = slots * itemProbability * size;
    const law = remembered(laws, mean, () => sentRatios(mean, logCut));
    return { copies: number, labels: [{ logWeight: 0, sent: law, unsent: law }] };
  });
  // A part without any blanket among the unsent items: an infinite loss.
  const empty = parts.reduce(
    (sum, { size, number }) => sum + number * Math.exp(slots * Math.log1p(-size * itemProbability)),
    0,
  );
  const rest = empty * (1 + 1e-9) + total.outside + total.mostRatio * cutOf(factors);
  return (epsilon) => finiteDivergence(factors, epsilon, 'upper', total.waves) + rest;
}

/** With Poisson(mu) slots, divided by the probability that there are no more than there are. */
function poissonBound(
  { slots, domain, slotProbability }: SlotSetPair,
  parts: readonly { readonly size: number; readonly number: number }[],
  logCut: number,
): (epsilon: number) => number {
  const { mean, probability } = fewerSlots(slots);
  const factors = parts.map(({ size, number }): PairFactor => {
    const law = sentRatios((mean * slotProbability * size) / domain, logCut);
    return { copies: number, labels: [{ logWeight: 0, sent: law, unsent: law }] };
  });
  const infinite = factors.reduce(
    (sum, { copies, labels }) => sum - copies * Math.log1p(-labels[0]!.unsent.zero),
    0,
  );
  const rest = -Math.expm1(-infinite) * (1 + 1e-9) + cutOf(factors);
  return (epsilon) => (finiteDivergence(factors, epsilon, 'upper') + rest) / probability;
}

/** Any Poisson mean serves; about two deviations below the number of slots little is lost either way. */
function fewerSlots(slots: number): { readonly mean: number; readonly probability: number } {
  // Bernstein: Pr[Poisson(N - 4 sqrt N) > N] is below exp(-8).
  if (slots > 1e6) return { mean: slots - 4 * Math.sqrt(slots), probability: 1 - Math.exp(-8) };
  const mean = Math.max(slots - 2 * Math.sqrt(slots), slots / 4);
  return { mean, probability: regularizedGammaTail(slots + 1, mean) * (1 - 1e-9) };
}

/**
 * Theorem "labelled slots": slots that show nothing carry one of t labels, and an item that is not sent shows its own label
 * instead. With a Poisson number of slots the t pairs are independent.
 * @throws ParameterError where all slots show an item
 */
export function labelledSlotsDivergence(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const { slots, domain, slotProbability, rate, itemsChanged } = checkPair(pair);
  if (slotProbability === 1) throw new ParameterError('slotProbability', slotProbability, 'below 1');
  if (rate === 0 || itemsChanged === 0) return () => 0;
  const logCut = logCutFor(options);
  const { mean, probability } = fewerSlots(slots);
  const item = blanketCountLaw({ mean: (mean * slotProbability) / domain, successProbability: 1 }, logCut);
  const labelMean = (mean * (1 - slotProbability)) / itemsChanged;
  const labelLaw = labelCounts(labelMean, logCut);
  const { kept, missed } = likelyLabels(labelLaw.counts, labelMean, rate, options);
  const labels = kept.map(({ count, weight }): LabelledPair => {
    const ratios = countRatios(item, rate, ((1 - rate) * count) / labelMean);
    return { logWeight: Math.log(weight), sent: ratios, unsent: ratios };
  });
  const factor: PairFactor = { copies: itemsChanged, labels };
  // Neither a label nor the new item: only the old set shows this. Given no label the sent item has mass `rate`.
  const infinite = labels.reduce(
    (sum, { logWeight, unsent }) => sum + Math.exp(logWeight) * rate * unsent.zero,
    0,
  );
  const cut = itemsChanged * (2 * item.cut + missed + Math.max(Number.MIN_VALUE, 32 * Math.exp(logCut)));
  const rest = -Math.expm1(itemsChanged * Math.log1p(-infinite)) * (1 + 1e-9) + cut;
  // The masses of the labels are taken so many times; 1e-9 is room for all that is rounded besides.
  const slack = 1 + 1e-9 + 2 * itemsChanged * labelLaw.error;
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    return Math.min(1, ((finiteDivergence([factor], epsilon, 'upper') + rest) / probability) * slack);
  };
}

/** Without the least likely numbers at both ends, whose mass under either hypothesis is charged: their ratios lie far from all others. */
function likelyLabels(
  all: readonly { readonly count: number; readonly weight: number }[],
  mean: number,
  rate: number,
  { delta = DEFAULT_DELTA }: SlotSetOptions,
) {
  const massOf = ({ count, weight }: { count: number; weight: number }): number =>
    weight * (rate + ((1 - rate) * count) / mean);
  let [first, last, missed] = [0, all.length - 1, 0];
  const most = 1e-5 * delta;
  while (first < last && missed + massOf(all[first]!) < most) missed += massOf(all[first++]!);
  while (first < last && missed + massOf(all[last]!) < 2 * most) missed += massOf(all[last--]!);
  return { kept: all.slice(first, last + 1), missed };
}

/**
 * Numbers of slots with one label, in steps. Masses between two steps are split onto them so that the mean stays: the ratios are affine in
 * the number, so that both hypotheses keep their masses, and the split pair dominates.
 */
function labelCounts(
  mean: number,
  logCut: number,
): { readonly counts: readonly { count: number; weight: number }[]; readonly error: number } {
  const law = blanketCountLaw({ mean, successProbability: 1 }, logCut);
  const step = Math.max(1, Math.floor(Math.sqrt(mean) / LABEL_STEPS));
  const weights = new Map<number, number>();
  const add = (cell: number, weight: number): void => {
    if (weight > 0) weights.set(cell, (weights.get(cell) ?? 0) + weight);
  };
  forEachCount(law, mean, (count, weight) => {
    const cell = Math.floor(count / step);
    const share = count / step - cell;
    add(cell, weight * (1 - share));
    add(cell + 1, weight * share);
  });
  const cells = [...weights].sort(([a], [b]) => a - b);
  return { counts: cells.map(([cell, weight]) => ({ count: cell * step, weight })), error: law.error };
}

/** The counts of a law with their masses; of a run its mean, the runs being far shorter than the steps. */
function forEachCount(law: CountLaw, mean: number, visit: (count: number, weight: number) => void): void {
  const single = law.leastExcess === law.excess;
  law.logMass.forEach((log, i) => {
    if (single) return visit(law.count[i]!, Math.exp(log));
    // Outwards to both ends, so that the mean stays.
    const least = mean * (1 + law.leastExcess[i]!);
    const most = mean * (1 + law.mostExcess[i]!);
    const share = (mean * (1 + law.excess[i]!) - least) / (most - least);
    visit(least, Math.exp(log) * (1 - share));
    visit(most, Math.exp(log) * share);
  });
}

/**
 * Lower bound on the divergence of the data set in which no other user holds any of the 2 t items: the theorem with a Poisson number of
 * slots that is hardly ever below theirs. Where every item is sent, the exact law of their counts besides.
 */
export function slotSetDivergenceLower(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): (epsilon: number) => number {
  const { rate, itemsChanged } = checkPair(pair);
  const counts = rate === 1 && itemsChanged > 0 ? allSentLower(pair, logCutFor(options)) : null;
  const { sets, missed } = poissonSlots(pair, options.delta ?? DEFAULT_DELTA);
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (rate === 0 || itemsChanged === 0) return 0;
    // The exact law, where there is one, leaves nothing to gain.
    if (counts) return counts(epsilon);
    return Math.max(0, setDivergenceLower(sets, epsilon) - missed);
  };
}

/**
 * The same sets among a Poisson number of slots that is hardly ever below theirs, and by how much the divergence of the
 * fixed number may lie below: well below `delta`.
 */
export function poissonSlots(
  { slots, domain, slotProbability, rate, itemsChanged }: SlotSetPair,
  delta: number,
): { readonly sets: SetPair; readonly missed: number } {
  const { mean, missed } = moreSlots(slots, delta);
  return { sets: { rate, blanketsPerItem: (mean * slotProbability) / domain, itemsChanged }, missed };
}

/** A Poisson mean so far above the number of slots that what it misses stays well below delta. */
function moreSlots(slots: number, delta: number): { readonly mean: number; readonly missed: number } {
  for (let deviations = 1; ; deviations *= 1.02) {
    const mean = slots + deviations * Math.sqrt(slots) + (deviations * deviations) / 4;
    // Pr[Poisson(mean) < slots], by its Gaussian bound where there are many.
    const missed =
      slots > 1e6
        ? Math.exp((-(1 - 1e-6) * (mean - slots) ** 2) / (2 * mean))
        : regularizedGammaTail(slots, mean) * (1 + 1e-9);
    if (missed <= delta / 20) return { mean, missed: Math.max(missed, Number.MIN_VALUE) };
  }
}

function logCutFor({ delta = DEFAULT_DELTA }: SlotSetOptions): number {
  return Math.max(-760, Math.log(delta) - 23);
}

/** With lambda = 1 the 2 t counts are multinomial, and show all there is. Null where they are too wide or too close to all slots. */
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
  const law = sentRatios(mean, logCut);
  const factor: PairFactor = {
    copies: itemsChanged,
    labels: [{ logWeight: 0, sent: law, unsent: law }],
  };
  const empty = Math.exp(slots * Math.log1p(-itemProbability)) * (1 - 1e-9);
  return (epsilon) =>
    Math.max(0, finiteDivergence([factor], epsilon, 'lower', total.waves) + empty - total.outside);
}

/** Of the count of one part, which has one message more for sure. */
function sentRatios(mean: number, logCut: number): RatioLaw {
  return countRatios(blanketCountLaw({ mean, successProbability: 1 }, logCut), 1);
}

function remembered<Key, Value>(known: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = known.get(key);
  if (value === undefined) {
    value = make();
    known.set(key, value);
  }
  return value;
}

function cutOf(factors: readonly PairFactor[]): number {
  return factors.reduce(
    (sum, { copies, labels }) => sum + copies * (labels[0]!.sent.cut + labels[0]!.unsent.cut),
    0,
  );
}

function checkPair(pair: SlotSetPair): SlotSetPair {
  requireInteger('slots', pair.slots, 1);
  requireInteger('domain', pair.domain, 2);
  requireProbability('slotProbability', pair.slotProbability);
  if (pair.slotProbability === 0) throw new ParameterError('slotProbability', 0, 'in (0, 1]');
  requireProbability('rate', pair.rate);
  requireInteger('itemsChanged', pair.itemsChanged, 0, Math.floor(pair.domain / 2));
  return pair;
}
