/**
 * What is proved of coin-flip blankets (a fixed number of slots): a bracket of the smallest epsilon of a
 * user's whole set. From above the least of the bounds of docs/sets.md and of one item's divergence
 * with the group rule; from below the best of two data sets.
 */
import {
  binomialPmf,
  exactly,
  gaussianDivergence,
  interval,
  keptByKey,
  Real,
  type Interval,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import type { BlanketKind } from '@shuffle-dp/randomizers';
import {
  blanketDivergence,
  countsOnOthers,
  epsilonAtDelta,
  LARGEST_EPSILON,
  type OtherCoins,
  poissonSlots,
  setDivergenceCurve,
  slotSetDivergenceLower,
  slotSetDivergenceUpper,
  type SlotSetPair,
  smallestEpsilon,
  variationRatioDivergence,
  worstEpsilonNear,
} from '@shuffle-dp/accounting';
import {
  blanketCoins,
  itemsChanged,
  itemsUncovered,
  itemVariationRatio,
  type ParameterSetting,
} from './parameters.ts';

export interface ItemMessages {
  /** Probability with which the user sends each item. */
  readonly rate: number;
  readonly blanketRate: number;
  readonly blankets: BlanketKind;
  /** Whether all other users send all their items, as with balls into bins: then what they send is known. */
  readonly othersSendAll?: boolean;
  /** Other users, whichever items they hold, whose coins may hide how many items are sent. */
  readonly others?: OtherCoins | undefined;
}

/** The bracket, and which of both bounds its upper end is. */
export interface CoinFlipEpsilon {
  readonly epsilon: Interval;
  readonly bound: 'whole set' | 'group rule';
  /** Whether that of whole sets rests on coins of other users. */
  readonly countsOnOthers: boolean;
}

const known = keptByKey<CoinFlipEpsilon>(500);
/** Where searches begin that nothing is known of. */
const FIRST_EPSILON = 0.1;

/**
 * A pure function that remembers what it was asked last: the protocols of a comparison ask for the same
 * groups, and so do levels that send everything.
 */
export function coinFlipEpsilon(setting: ParameterSetting, messages: ItemMessages): CoinFlipEpsilon {
  const { users, domain, items, delta, slotsPerUser = 0 } = setting;
  const { rate, blanketRate, othersSendAll = false, others } = messages;
  const coins = others && [others.users, others.items, others.rate];
  const key = [users, domain, items, delta, slotsPerUser, rate, blanketRate, othersSendAll, coins].join();
  return known(key, () => findEpsilon(setting, messages));
}

function findEpsilon(setting: ParameterSetting, messages: ItemMessages): CoinFlipEpsilon {
  const { delta } = setting;
  const items = itemsChanged(setting);
  if (items === 0 || messages.rate === 0)
    return { epsilon: exactly(0), bound: 'whole set', countsOnOthers: false };
  const hides = countsOnOthers(slotPair(setting, messages, items));
  // One item's divergence is exact already, unless the others hide whether it is sent.
  const isExact = items === 1 && !hides;
  const near = isExact ? Infinity : poissonEpsilon(setting, messages, items);
  const whole = isExact ? Infinity : wholeSetEpsilon(setting, messages, near);
  const group = groupDivergence(setting, messages);
  const upper = Math.min(whole, groupEpsilon(group, delta, items, whole));
  return {
    epsilon: interval(lowerEpsilon(setting, messages, { near, upper }), upper),
    bound: upper === whole ? 'whole set' : 'group rule',
    countsOnOthers: hides,
  };
}

function slotPair(setting: ParameterSetting, messages: ItemMessages, changed: number): SlotSetPair {
  const { slots, probability } = blanketCoins(messages.blanketRate, setting.slotsPerUser);
  return {
    slots: setting.users * slots,
    domain: setting.domain,
    slotProbability: probability,
    rate: messages.rate,
    itemsChanged: changed,
    others: messages.others,
  };
}

/**
 * Of the set among a Poisson number of slots, whose counts are independent: what the data set without other
 * holders cannot exceed, and about where the proved bound is.
 */
function poissonEpsilon(setting: ParameterSetting, messages: ItemMessages, items: number): number {
  const { delta } = setting;
  const { sets, missed } = poissonSlots(slotPair(setting, messages, items), delta);
  const poisson = setDivergenceCurve(sets, 'upper', delta);
  const fast = (epsilon: number): number => Math.max(0, poisson(epsilon) - missed);
  return epsilonOfFalling(fast, delta, 1e-4);
}

/**
 * Where no slot is empty the number of messages shows how many items were sent, and epsilon is far above that
 * of hidden ones: about that of normal losses, each of j messages being hidden among the slots of the
 * items / j items of its part. 0 where there are empty slots.
 */
function revealedEpsilon(pair: SlotSetPair, delta: number): number {
  const { slots, slotProbability, domain, rate, itemsChanged: items } = pair;
  if (slotProbability < 1 || rate === 1) return 0;
  const ofOne = Math.sqrt((2 * domain) / (slots * items));
  const divergence = (epsilon: number): number => {
    let sum = 0;
    for (let sent = 1; sent <= items; sent++)
      sum += binomialPmf(sent, items, rate) * gaussianDivergence(sent * ofOne, epsilon);
    return sum;
  };
  return smallestEpsilon(divergence, delta, FIRST_EPSILON, 1e-4);
}

/** @param hidden about what it is where their number is hidden; 0 or infinity where nothing is known */
function wholeSetEpsilon(setting: ParameterSetting, messages: ItemMessages, hidden: number): number {
  const { delta } = setting;
  const pair = slotPair(setting, messages, itemsChanged(setting));
  const bound = slotSetDivergenceUpper(pair, { delta });
  const near = countsOnOthers(pair) ? hidden : Math.max(hidden, revealedEpsilon(pair, delta));
  const isKnown = near > 0 && near < LARGEST_EPSILON;
  return (isKnown ? epsilonNear(bound, delta, near) : null) ?? epsilonOfFalling(bound, delta);
}

/** The least epsilon of an upper bound, where it is about known; null where a few steps do not tell. */
export function epsilonNear(
  divergence: (epsilon: number) => number,
  delta: number,
  near: number,
): number | null {
  const search = { near, tolerance: 1e-10, slack: 0, epsilonMax: LARGEST_EPSILON };
  return worstEpsilonNear([divergence], delta, 'upper', search)?.value ?? null;
}

/** The least epsilon of the group rule that is below `whole`; `whole` or more where there is none. */
function groupEpsilon(
  group: (epsilon: number) => number,
  delta: number,
  items: number,
  whole: number,
): number {
  if (items === 1) return epsilonOfFalling(group, delta);
  if (whole === Infinity) return smallestEpsilon(group, delta, FIRST_EPSILON);
  // The group rule takes long to search, and one look says where there is nothing to find.
  return group(whole) > delta ? whole : smallestEpsilon(group, delta, whole);
}

/** Of a divergence that falls throughout. */
function epsilonOfFalling(
  divergence: (epsilon: number) => number,
  delta: number,
  relativeTolerance = 1e-10,
): number {
  const profile = (epsilon: number): Interval => interval(0, Math.min(1, divergence(epsilon)));
  return epsilonAtDelta(profile, delta, { epsilonMax: LARGEST_EPSILON, relativeTolerance }).upper;
}

/**
 * One item's divergence at epsilon / t, and group privacy over t items: delta
 * (e^epsilon - 1) / (e^(epsilon/t) - 1).
 */
function groupDivergence(setting: ParameterSetting, messages: ItemMessages): (epsilon: number) => number {
  const items = itemsChanged(setting);
  const perItem = itemProfile(setting, messages);
  return (epsilon) => {
    const factor = epsilon === 0 ? items : Real.expm1(epsilon) / Real.expm1(epsilon / items);
    return factor * perItem(epsilon / items);
  };
}

/** Upper bound on the divergence of changing one item, the number of messages being seen. */
function itemProfile(
  { users, domain, slotsPerUser }: ParameterSetting,
  { rate, blanketRate }: ItemMessages,
): (epsilon: number) => number {
  const { slots, probability } = blanketCoins(blanketRate, slotsPerUser);
  const population = users * slots + 1;
  if (probability === 1 || rate === 1) {
    // Whether the item was sent is seen, or sure: given that it was, the two cells are all there is.
    const sent = itemVariationRatio(1, probability, domain);
    return (epsilon) => rate * variationRatioDivergence(sent, population, epsilon).upper;
  }
  const atoms: LikelihoodAtoms = {
    label: 'old item, new item, nothing sent',
    victim0: Float64Array.of(rate, 0, 1 - rate),
    victim1: Float64Array.of(0, rate, 1 - rate),
    others: Float64Array.of(probability / domain, probability / domain, 1 - probability),
    // Blankets on other items are revealed.
    silent: (probability * (domain - 2)) / domain,
    symmetric: true,
  };
  return (epsilon) => blanketDivergence(atoms, population, epsilon, { ends: 'upper' }).upper;
}

/** What no lower end exceeds. */
interface KnownAbove {
  readonly upper: number;
  /** `poissonEpsilon` of all items that may change. */
  readonly near: number;
}

/**
 * The better of two data sets in which no other user holds what the victim exchanges: one item, exactly
 * (formula F3), and as many items as other sets can avoid. Nothing is proved where no other set can avoid two
 * items.
 */
function lowerEpsilon(setting: ParameterSetting, messages: ItemMessages, known: KnownAbove): number {
  const items = messages.othersSendAll ? itemsChanged(setting) : itemsUncovered(setting);
  if (items === 0) return 0;
  const { delta } = setting;
  const whole = items === 1 ? 0 : wholeSetLower(setting, messages, items, known);
  const one = oneItemLower(setting, messages);
  if (whole > 0 && one(whole) <= delta) return whole;
  const found = epsilonAtDelta((epsilon) => exactly(one(epsilon)), delta, {
    epsilonMax: LARGEST_EPSILON,
    relativeTolerance: 1e-4,
  }).lower;
  return Math.max(whole, found);
}

/** The exact divergence of one item that no other user holds, from below. */
function oneItemLower(
  { users, domain, slotsPerUser }: ParameterSetting,
  { rate, blanketRate }: ItemMessages,
): (epsilon: number) => number {
  const { slots, probability } = blanketCoins(blanketRate, slotsPerUser);
  const cover = probability / domain;
  const atoms: LikelihoodAtoms = {
    label: 'old item, new item, anything else',
    victim0: Float64Array.of(rate, 0, 1 - rate),
    victim1: Float64Array.of(0, rate, 1 - rate),
    others: Float64Array.of(cover, cover, Math.max(0, 1 - 2 * cover)),
    symmetric: true,
  };
  return (epsilon) => blanketDivergence(atoms, users * slots + 1, epsilon, { ends: 'lower' }).lower;
}

function wholeSetLower(
  setting: ParameterSetting,
  messages: ItemMessages,
  items: number,
  { upper, near }: KnownAbove,
): number {
  const { delta } = setting;
  // A few evaluations below what cannot be exceeded suffice.
  const poisson = (): number =>
    items === itemsChanged(setting) ? near : poissonEpsilon(setting, messages, items);
  const most = messages.rate === 1 && Number.isFinite(upper) ? upper : poisson();
  return epsilonBelow(slotSetDivergenceLower(slotPair(setting, messages, items), { delta }), delta, most);
}

/** Of an epsilon: lower ends of few items are nearer to what they cannot exceed. */
const LEAST_GAP = 7e-4;

/** An epsilon little below `most` at which the lower bound still exceeds delta; 0 where none is found. */
export function epsilonBelow(lower: (epsilon: number) => number, delta: number, most: number): number {
  if (most === 0 || !Number.isFinite(most)) return 0;
  for (let gap = LEAST_GAP; gap < 1; gap *= 4) {
    const epsilon = most * (1 - gap);
    if (!(lower(epsilon) > delta)) continue;
    const nearer = most * (1 - gap / 2);
    return gap > LEAST_GAP && lower(nearer) > delta ? nearer : epsilon;
  }
  return 0;
}
