/**
 * Theorem "number hidden" of docs/sets.md: where all slots show an item, coins of the other users hide how
 * many of the victim's items were sent. Some of the slots that show what another user holds stand for that
 * user's item, which was not sent: such a slot hides nothing, and how many there are is not seen.
 */
import {
  binomialUpperEnd,
  logBinomialPmf,
  minimizeUnimodal,
  Real,
  requireNonNegative,
} from '@shuffle-dp/core';
import { blanketCountLaw } from './blanket-count.ts';
import { logPoissonPmf } from './conditioned-count.ts';
import { hiddenRates, type OpenBlocks } from './hidden-rates.ts';
import { finiteDivergence } from './product/loss-divergence.ts';
import type { LabelledPair, PairFactor } from './product/pair-factor.ts';
import { countRatios } from './ratio-law.ts';
import { checkPair, deltaOf, logCutFor, type SlotSetOptions, type SlotSetPair } from './slot-set-pair.ts';

/** What rare numbers of marked slots may add, and rare rates of one item, as a share of the target. */
const NEGLIGIBLE = 1e-4;
/**
 * The number of slots that hide nothing hides that of sent items: epsilon exceeds that of a hidden number by
 * about so much over the variance of the former, whatever the items, relative to it.
 */
const NUMBER_SEEN = 2.5;
/** Relative error of the rates and of their weights, with room. */
const RATE_ERROR = 1e-10;

/**
 * Upper bound, whatever items the others hold; null where nobody's coins are known, or too few slots would be
 * left. Valid for all smaller t too.
 * @throws ParameterError
 */
export function hiddenNumberDivergence(
  pair: SlotSetPair,
  options: SlotSetOptions = {},
): ((epsilon: number) => number) | null {
  const { domain, rate, itemsChanged: items, others } = checkPair(pair);
  if (rate === 0 || items === 0) return () => 0;
  if (others === undefined || others.rate === 0 || others.rate === 1) return null;
  const negligible = NEGLIGIBLE * deltaOf(options);
  const slots = fullSlots(pair, negligible);
  const blocks = Math.floor(Math.min(others.users, slots) / items);
  if (blocks === 0) return null;
  // A marked slot hides nothing where it shows an item of its user's that is not sent.
  const hidingShare = (1 - others.rate) * (others.items / domain);
  const marked = bestShare({ slots, given: items * blocks, hidingShare, rate: others.rate });
  const left = slots - binomialUpperEnd(items * blocks, marked, Real.log(negligible));
  if (left < items) return null;
  const empty = marked * hidingShare;
  const open = empty + (1 - marked) * others.rate;
  const group: OpenBlocks = { blocks, open, empty: empty / open };
  return divergenceAt(rateFactor({ rate, items, mean: left / domain }, group, options), {
    factor: fixedTotal(left, domain, items),
    growth: fallingPower(left, items),
    rare: 3 * negligible,
    items,
  });
}

/** Any share of the slots of other users may be marked. */
const SHARE_TOLERANCE = 1e-3;

/** The slots that are given to other users, in all, and what they can hide. */
interface GivenSlots {
  readonly slots: number;
  readonly given: number;
  readonly hidingShare: number;
  readonly rate: number;
}

/**
 * The share of the given slots that is best marked: half of those are missing in epsilon, and the more there
 * are, the less is open whether one hides nothing.
 */
function bestShare({ slots, given, hidingShare, rate }: GivenSlots): number {
  const excess = (share: number): number => {
    const variance = given / (1 / (hidingShare * share) + 1 / (rate * (1 - share)));
    return NUMBER_SEEN / variance + (share * given) / (2 * slots);
  };
  return minimizeUnimodal(excess, SHARE_TOLERANCE, 1 - SHARE_TOLERANCE, SHARE_TOLERANCE).x;
}

/** Slots that show an item, but for a negligible probability: whoever sees which are empty sees no less. */
function fullSlots({ slots, slotProbability }: SlotSetPair, negligible: number): number {
  return slotProbability === 1
    ? slots
    : slots - binomialUpperEnd(slots, 1 - slotProbability, Real.log(negligible));
}

/** The pairs, their counts among Poisson numbers of slots, and their rates as labels. */
interface RateFactor {
  readonly factor: PairFactor;
  /** P-mass of one pair at outcomes that the new set never shows. */
  readonly infinite: number;
  /** Mass of one pair in no atom. */
  readonly cut: number;
}

function rateFactor(
  { rate, items, mean }: { readonly rate: number; readonly items: number; readonly mean: number },
  group: OpenBlocks,
  options: SlotSetOptions,
): RateFactor {
  const item = blanketCountLaw({ mean, successProbability: 1 }, logCutFor(options));
  const missed = (NEGLIGIBLE * deltaOf(options)) / items;
  const labels = hiddenRates(rate, group, missed).map(({ rate: sent, weight }): LabelledPair => {
    const ratios = countRatios(item, sent);
    return { logWeight: Real.log(weight), sent: ratios, unsent: ratios };
  });
  const infinite = labels.reduce((sum, { logWeight, unsent }) => sum + Real.exp(logWeight) * unsent.zero, 0);
  return { factor: { copies: items, labels }, infinite, cut: 2 * item.cut };
}

/** What turns independent pairs into the bound. */
interface Totals {
  /** Of the divergence, for the fixed number of slots. */
  readonly factor: number;
  /** Of e^epsilon, and once more of the divergence. */
  readonly growth: number;
  /** Probability of empty slots, of marked ones and of rates that were left out. */
  readonly rare: number;
  readonly items: number;
}

function divergenceAt(
  { factor: pairs, infinite, cut }: RateFactor,
  { factor, growth, rare, items }: Totals,
): (epsilon: number) => number {
  const finite = finiteDivergence([pairs], 'upper');
  const shift = Real.log(growth) + 2 * items * RATE_ERROR;
  const outside = -Real.expm1(items * Real.log1p(-infinite)) * (1 + 1e-9) + items * cut;
  const slack = (1 + 1e-9) * (1 + items * RATE_ERROR);
  return (epsilon) => {
    requireNonNegative('epsilon', epsilon);
    if (epsilon < shift) return 1;
    const independent = finite(epsilon - shift) + outside;
    return Math.min(1, (growth * factor * independent + rare) * slack);
  };
}

/**
 * The largest ratio of the binomial number of slots in the cells of the items to the Poisson one of the same
 * mean: it grows up to the mean.
 */
function fixedTotal(slots: number, domain: number, items: number): number {
  const probability = Math.min(1, (2 * items) / domain);
  const mean = slots * probability;
  const at = Math.min(slots, Math.floor(mean) + 1);
  const log = probability === 1 ? 0 : logBinomialPmf(at, slots, probability);
  return Real.exp(log - logPoissonPmf(at, mean)) * (1 + 1e-9);
}

/** T^t over T (T - 1) … (T - t + 1). */
function fallingPower(total: number, times: number): number {
  let log = 0;
  for (let i = 0; i < times; i++) log -= Real.log1p(-i / total);
  return Real.exp(log) * (1 + 1e-12);
}
