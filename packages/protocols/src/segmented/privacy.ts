/**
 * What the segmented protocol's messages give each level, as the paper states it (Wang et al. 2025, Theorems 2 and 3) and
 * as it can be proved. Neighbours differ in one user's set; all levels stay as they are (Definition 7).
 *
 * Theorem 3 compares three cells for one item: the old item, the new one, and nothing sent. Its proof lets the other
 * blankets fall into the third cell at will, but "nothing sent" is told apart by the total number of messages. For
 * integer m that total is public but for the victim's own message, and the claim is contradicted by the exact divergence; with
 * lambda = 1 the third cell has no mass and the theorem holds (docs/soundness.md).
 */
import {
  exactly,
  interval,
  type LikelihoodAtoms,
  type PrivacyStatement,
  type Soundness,
} from '@shuffle-dp/core';
import { blanketDivergence, epsilonAtDelta, variationRatioDivergence } from '@shuffle-dp/accounting';
import type { BlanketCount } from '../specs.ts';
import {
  blanketCoins,
  itemsChanged,
  itemVariationRatio,
  publishedDivergence,
  setPair,
  type ParameterSetting,
} from './parameters.ts';
import { setDivergence, setDivergenceUpper, type SetPair } from './set-divergence.ts';

export interface ItemMessages {
  /** Probability with which the user sends each item. */
  readonly rate: number;
  readonly blanketRate: number;
  readonly blankets: BlanketCount;
}

const UNIT = 'one user, all their messages; the level stays';
const VIEW = 'the shuffled messages of all users';
/** Searches for epsilon end here; no target of interest is larger. */
const LARGEST_EPSILON = 100;

/** Verdict on Theorem 3 for these parameters. */
export function theorem3Verdict({ rate, blanketRate, blankets }: ItemMessages): {
  readonly sound: Soundness;
  readonly reason?: string;
} {
  if (rate === 0) return { sound: true };
  if (blankets !== 'paper') {
    const used = blankets === 'poisson' ? 'Poisson' : blankets;
    return { sound: 'unproven', reason: `stated for coin-flip blankets, used here with ${used} ones` };
  }
  if (rate === 1) return { sound: true };
  if (Number.isInteger(blanketRate)) {
    return {
      sound: false,
      reason: 'with integer m the total number of messages shows whether the item was sent',
    };
  }
  return {
    sound: 'unproven',
    reason: 'the proof lets blankets hide that nothing was sent, but the number of messages shows it',
  };
}

/**
 * Theorem 3 with its group rule, at the setting's delta; `target` is the epsilon that the parameters were chosen for. The
 * upper end is the paper's claim; the lower end is proved: changing one item is already this visible (Proposition 1).
 */
export function publishedPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  const { delta } = setting;
  const { rate, blanketRate } = messages;
  const verdict = theorem3Verdict(messages);
  const upper = smallestEpsilon(
    (epsilon) => publishedDivergence(setting, blanketRate, rate, epsilon),
    delta,
    target,
  );
  const lower = itemLowerEpsilon(setting, messages);
  return statement(group, delta, {
    epsilon: interval(Math.min(lower, upper), upper),
    accountant: 'segmented-theorem-3',
    theorem: 'Wang et al. 2025, Theorem 3',
    status: verdict.sound === true ? 'certified' : 'as published',
    ...verdict,
  });
}

/**
 * What is proved from below for coin-flip blankets: the counts of an old and a new item tell this much already, when no
 * other user holds either (formula F3). Needs other users whose whole sets avoid both, so d >= s + 2.
 */
function itemLowerEpsilon(
  { users, domain, itemsPerUser, delta }: ParameterSetting,
  { rate, blanketRate, blankets }: ItemMessages,
): number {
  if (blankets !== 'paper' || rate === 0 || domain < itemsPerUser + 2) return 0;
  const { slots, probability } = blanketCoins(blanketRate);
  const cover = probability / domain;
  const atoms: LikelihoodAtoms = {
    label: 'old item, new item, anything else',
    victim0: Float64Array.of(rate, 0, 1 - rate),
    victim1: Float64Array.of(0, rate, 1 - rate),
    others: Float64Array.of(cover, cover, 1 - 2 * cover),
    symmetric: true,
  };
  const population = users * slots + 1;
  return epsilonAtDelta(
    (epsilon) => exactly(blanketDivergence(atoms, population, epsilon, { ends: 'lower' }).lower),
    delta,
    { epsilonMax: LARGEST_EPSILON, relativeTolerance: 1e-4 },
  ).lower;
}

/** What is proved of the same messages, whatever they were calibrated by. */
export function certifiedPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  return messages.blankets === 'paper'
    ? groupPrivacy(setting, messages, target, group)
    : exactPrivacy(setting, messages, target, group);
}

/** Poisson and negative-binomial blankets: the exact divergence of two whole sets, bracketed. */
function exactPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  const pair = setPair(setting, messages.blanketRate, messages.rate);
  const { delta } = setting;
  const upper = smallestEpsilon((epsilon) => setDivergenceUpper(pair, epsilon), delta, target);
  return statement(group, delta, {
    epsilon: interval(
      exactLowerEpsilon({ ...pair, itemsChanged: itemsUncovered(setting) }, delta, upper),
      upper,
    ),
    accountant: `${messages.blankets}-set`,
    theorem: 'exact divergence of two whole sets, docs/sets.md',
    status: 'certified',
    sound: true,
  });
}

/** Items in which two sets can differ, each way, while some other set avoids them all: what the exact divergence attains. */
function itemsUncovered(setting: ParameterSetting): number {
  return Math.min(itemsChanged(setting), Math.floor((setting.domain - setting.itemsPerUser) / 2));
}

/** The exact divergence's lower side needs a fine lattice: a few evaluations below the upper end suffice. */
function exactLowerEpsilon(pair: SetPair, delta: number, upper: number): number {
  if (upper === 0) return 0;
  if (!Number.isFinite(upper)) return 0;
  for (let gap = 1e-3; gap < 1; gap *= 4) {
    const epsilon = upper * (1 - gap);
    if (setDivergence(pair, epsilon).lower > delta) return epsilon;
  }
  return 0;
}

/**
 * Coin-flip blankets: the sound divergence of one item, where the third cell is "no message" for the blankets too,
 * and group privacy over the t items in which two sets can differ: delta (e^epsilon - 1) / (e^(epsilon/t) - 1).
 */
function groupPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  const { delta } = setting;
  const items = itemsChanged(setting);
  const perItem = itemProfile(setting, messages);
  const divergence = (epsilon: number): number => {
    const factor = epsilon === 0 ? items : Math.expm1(epsilon) / Math.expm1(epsilon / items);
    return factor * perItem(epsilon / items);
  };
  const upper = items === 0 || messages.rate === 0 ? 0 : smallestEpsilon(divergence, delta, target);
  return statement(group, delta, {
    epsilon: interval(Math.min(upper, items === 0 ? 0 : itemLowerEpsilon(setting, messages)), upper),
    accountant: 'blanket-group',
    theorem: 'blanket divergence per item with group privacy, docs/soundness.md',
    status: 'certified',
    sound: true,
  });
}

/**
 * The least epsilon with divergence(epsilon) <= delta, to rounding and never below it; infinity if there is none up to
 * 100. The group rule's factor makes a divergence rise again at large epsilon, so the search starts from one that is known
 * to do: the target first.
 */
function smallestEpsilon(divergence: (epsilon: number) => number, delta: number, target: number): number {
  let reached = target;
  while (!(divergence(reached) <= delta)) {
    reached *= 1.25;
    if (reached > LARGEST_EPSILON) return Infinity;
  }
  const profile = (epsilon: number) => interval(0, Math.min(1, divergence(epsilon)));
  return Math.min(
    reached,
    epsilonAtDelta(profile, delta, {
      epsilonMax: reached,
      relativeTolerance: 1e-10,
    }).upper,
  );
}

/** Upper bound on the divergence of changing one item, the number of messages being seen. */
function itemProfile(
  { users, domain }: ParameterSetting,
  { rate, blanketRate }: ItemMessages,
): (epsilon: number) => number {
  const { slots, probability } = blanketCoins(blanketRate);
  const population = users * slots + 1;
  if (probability === 1 || rate === 1) {
    // Whether the item was sent is seen, or sure: given that it was, the two cells are all there is.
    const sent = itemVariationRatio(1, blanketRate, domain);
    return (epsilon) => rate * variationRatioDivergence(sent, population, epsilon).upper;
  }
  const atoms: LikelihoodAtoms = {
    label: 'old item, new item, nothing sent',
    victim0: Float64Array.of(rate, 0, 1 - rate),
    victim1: Float64Array.of(0, rate, 1 - rate),
    others: Float64Array.of(probability / domain, probability / domain, 1 - probability),
    symmetric: true,
  };
  return (epsilon) => blanketDivergence(atoms, population, epsilon, { ends: 'upper' }).upper;
}

function statement(
  group: string,
  delta: number,
  rest: Pick<PrivacyStatement, 'epsilon' | 'accountant' | 'theorem' | 'status' | 'sound' | 'reason'>,
): PrivacyStatement {
  return Object.freeze({ ...rest, delta, adjacency: 'replace-one', unit: UNIT, view: VIEW, group });
}
