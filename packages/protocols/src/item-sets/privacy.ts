/**
 * What the segmented protocol's messages give each level, as the paper states it (Wang et al. 2025, Theorems
 * 2 and 3) and as it can be proved. Neighbours differ in one user's set; all levels stay as they are
 * (Definition 7).
 *
 * Theorem 3 compares three cells for one item: the old item, the new one, and nothing sent. Its proof lets
 * the other blankets fall into the third cell at will, but "nothing sent" is told apart by the total number
 * of messages. For integer m that total is public but for the victim's own message, and the claim is
 * contradicted by the exact divergence; with lambda = 1 the third cell has no mass and the theorem holds
 * (docs/soundness.md).
 */
import { interval, verdictHere, type PrivacyStatement, type Soundness } from '@shuffle-dp/core';
import { coinFlipEpsilon, epsilonBelow, epsilonNear, type ItemMessages } from './coin-flip-privacy.ts';
import {
  blanketCoins,
  itemsChanged,
  itemsUncovered,
  publishedDivergence,
  setPair,
  type ParameterSetting,
} from './parameters.ts';
import { setDivergenceCurve, smallestEpsilon } from '@shuffle-dp/accounting';

const UNIT = 'one user, all their messages; the level stays';
const VIEW = 'the shuffled messages of all users';
/**
 * What is known of Theorem 3 with such messages in general, by its bound for one item: it says nothing about
 * the statement of a whole set, which the group rule makes far weaker.
 */
export function theorem3Verdict(
  { rate, blanketRate, blankets }: ItemMessages,
  slotsPerUser?: number,
): {
  readonly sound: Soundness;
  readonly reason?: string;
} {
  if (rate === 0) return { sound: true };
  if (blankets !== 'paper') {
    const used = blankets === 'poisson' ? 'Poisson' : blankets;
    return { sound: 'unproven', reason: `stated for coin-flip blankets, used here with ${used} ones` };
  }
  if (rate === 1) return { sound: true };
  if (blanketCoins(blanketRate, slotsPerUser).probability === 1) {
    return {
      sound: false,
      reason: 'for one item: with integer m the total number of messages shows whether it was sent',
    };
  }
  return {
    sound: 'unproven',
    reason: 'the proof lets blankets hide that nothing was sent, but the number of messages shows it',
  };
}

/**
 * Theorem 3 with its group rule, at the setting's delta; `target` is the epsilon that the parameters were
 * chosen for. The verdict is on this statement, against what is proved of the same messages.
 */
export function publishedPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  const { delta } = setting;
  const { rate, blanketRate } = messages;
  const general = theorem3Verdict(messages, setting.slotsPerUser);
  const stated = smallestEpsilon(
    (epsilon) => publishedDivergence(setting, blanketRate, rate, epsilon),
    delta,
    target,
  );
  const proved = certifiedPrivacy(setting, messages, target, group).epsilon;
  return statement(group, delta, {
    // A theorem that holds proves its number from above, whatever else does.
    epsilon: general.sound === true ? interval(proved.lower, stated) : interval(0, stated),
    accountant: 'segmented-theorem-3',
    theorem: 'Wang et al. 2025, Theorem 3',
    status: general.sound === true ? 'certified' : 'as published',
    ...general,
    verdict: general.sound === true ? 'certified' : verdictHere(stated, proved),
  });
}

/** What is proved of the same messages, whatever they were calibrated by. */
export function certifiedPrivacy(
  setting: ParameterSetting,
  messages: ItemMessages,
  target: number,
  group: string,
): PrivacyStatement {
  return messages.blankets === 'paper'
    ? coinFlipPrivacy(setting, messages, group)
    : exactPrivacy(setting, messages, target, group);
}

function coinFlipPrivacy(setting: ParameterSetting, messages: ItemMessages, group: string): PrivacyStatement {
  const { epsilon, bound, countsOnOthers } = coinFlipEpsilon(setting, messages);
  const counted = countsOnOthers ? ' and coins of other users' : '';
  return statement(group, setting.delta, {
    epsilon,
    ...(bound === 'whole set'
      ? {
          accountant: 'slots-set',
          theorem: `divergence of two whole sets among slots${counted}, docs/sets.md`,
        }
      : {
          accountant: 'blanket-group',
          theorem: 'blanket divergence per item with group privacy, docs/soundness.md',
        }),
    status: 'certified',
    sound: true,
    verdict: 'certified',
  });
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
  const divergence = setDivergenceCurve(pair, 'upper', delta);
  // Where the parameters were calibrated for it, the target is it but for a hair.
  const upper = epsilonNear(divergence, delta, target) ?? smallestEpsilon(divergence, delta, target);
  // What others send for sure is known; else a data set needs sets that avoid what the victim exchanges.
  const attained = messages.othersSendAll ? itemsChanged(setting) : itemsUncovered(setting);
  const below = { ...pair, itemsChanged: attained };
  const lower = epsilonBelow(setDivergenceCurve(below, 'lower'), delta, upper);
  return statement(group, delta, {
    epsilon: interval(lower, upper),
    accountant: `${messages.blankets}-set`,
    theorem: 'exact divergence of two whole sets, docs/sets.md',
    status: 'certified',
    sound: true,
    verdict: 'certified',
  });
}

function statement(
  group: string,
  delta: number,
  rest: Pick<
    PrivacyStatement,
    'epsilon' | 'accountant' | 'theorem' | 'status' | 'sound' | 'reason' | 'verdict'
  >,
): PrivacyStatement {
  return Object.freeze({ ...rest, delta, adjacency: 'replace-one', unit: UNIT, view: VIEW, group });
}
