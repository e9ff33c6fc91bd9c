/**
 * Theorem "labelled slots" of docs/sets.md: slots that show nothing carry one of t labels, and an item that
 * is not sent shows its own label instead. With a Poisson number of slots the t pairs are independent.
 */
import { ParameterError, Real, requireNonNegative } from '@shuffle-dp/core';
import { blanketCountLaw, type CountLaw } from './blanket-count.ts';
import { finiteDivergence } from './product/loss-divergence.ts';
import type { LabelledPair, PairFactor } from './product/pair-factor.ts';
import { fewerSlots } from './poisson-slots.ts';
import { countRatios } from './ratio-law.ts';
import { checkPair, deltaOf, logCutFor, type SlotSetOptions, type SlotSetPair } from './slot-set-pair.ts';

/**
 * The number of labelled slots is taken in so many steps a deviation: with twice as many epsilon falls by
 * 1e-5 of itself, a tenth of what the lattice of losses adds.
 */
const LABEL_STEPS = 2;

/** Upper bound. @throws ParameterError where all slots show an item */
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
    return { logWeight: Real.log(weight), sent: ratios, unsent: ratios };
  });
  const factor: PairFactor = { copies: itemsChanged, labels };
  // Neither a label nor the new item: only the old set shows this. Given no label the sent item has mass
  // `rate`.
  const infinite = labels.reduce(
    (sum, { logWeight, unsent }) => sum + Real.exp(logWeight) * rate * unsent.zero,
    0,
  );
  const cut = itemsChanged * (2 * item.cut + missed + Math.max(Number.MIN_VALUE, 32 * Real.exp(logCut)));
  const rest = -Real.expm1(itemsChanged * Real.log1p(-infinite)) * (1 + 1e-9) + cut;
  // The masses of the labels are taken so many times; 1e-9 is room for all that is rounded besides.
  const slack = 1 + 1e-9 + 2 * itemsChanged * labelLaw.error;
  const finite = finiteDivergence([factor], 'upper');
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    return Math.min(1, ((finite(epsilon) + rest) / probability) * slack);
  };
}

/**
 * Without the least likely numbers at both ends, whose mass under either hypothesis is charged: their ratios
 * lie far from all others.
 */
function likelyLabels(
  all: readonly { readonly count: number; readonly weight: number }[],
  mean: number,
  rate: number,
  options: SlotSetOptions,
) {
  const massOf = ({ count, weight }: { count: number; weight: number }): number =>
    weight * (rate + ((1 - rate) * count) / mean);
  let [first, last, missed] = [0, all.length - 1, 0];
  const most = 1e-5 * deltaOf(options);
  while (first < last && missed + massOf(all[first]!) < most) missed += massOf(all[first++]!);
  while (first < last && missed + massOf(all[last]!) < 2 * most) missed += massOf(all[last--]!);
  return { kept: all.slice(first, last + 1), missed };
}

/**
 * Numbers of slots with one label, in steps. Masses between two steps are split onto them so that the mean
 * stays: the ratios are affine in the number, so that both hypotheses keep their masses, and the split pair
 * dominates.
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
    if (single) return visit(law.count[i]!, Real.exp(log));
    // Outwards to both ends, so that the mean stays.
    const least = mean * (1 + law.leastExcess[i]!);
    const most = mean * (1 + law.mostExcess[i]!);
    const share = (mean * (1 + law.excess[i]!) - least) / (most - least);
    visit(least, Real.exp(log) * (1 - share));
    visit(most, Real.exp(log) * share);
  });
}
