/**
 * Balls into bins (Luo, Wang and Yi, "Frequency estimation in the shuffle model with almost a single
 * message", CCS 2022): every user sends all their items in the clear among blanket messages that are uniform
 * over the domain. It is the segmented protocol with one level and all sending rates 1; what differs is how
 * many blankets each analysis asks for.
 */
import type { BlanketKind } from '@shuffle-dp/randomizers';
import { interval, OutOfRegimeError, Real, type PrivacyStatement } from '@shuffle-dp/core';
import { ballsIntoBinsMessages } from '@shuffle-dp/accounting';
import type { SET_ACCOUNTINGS } from '../protocol-card.ts';
import { beyondMostBlankets, MOST_BLANKETS } from '../most-blankets.ts';
import { fullSendingBlanketRate, type ParameterSetting } from './parameters.ts';
import { certifiedPrivacy, publishedPrivacy } from './privacy.ts';

/**
 * 'group': numerical divergence per item, then group privacy; 'original': the closed form of the first
 * analysis.
 */
export type BallsIntoBinsAccounting = (typeof SET_ACCOUNTINGS)[number];

/**
 * Least number of blanket messages per user, a real number, for central `epsilon`: 'group' by the numerical
 * divergence per item and group privacy over the items (sound: the pair is exact for one item in the clear);
 * 'exact' by the divergence of whole sets under Poisson or negative-binomial blankets; 'original' by the
 * first closed form, 32 log(2 / delta') d / epsilon'^2 blankets in all at epsilon' = epsilon / s and delta' =
 * delta / (s e^epsilon).
 * @throws OutOfRegimeError 'original' where epsilon / s > 1; ParameterError where a trillion in all would not
 * do
 */
export function ballsIntoBinsBlanketRate(
  setting: ParameterSetting,
  epsilon: number,
  accounting: BallsIntoBinsAccounting,
): number {
  if (accounting !== 'original') {
    return fullSendingBlanketRate(setting, epsilon, accounting === 'exact' ? 'exact' : 'published');
  }
  const { users, domain, items, delta } = setting;
  const perItem = epsilon / items;
  if (perItem > 1) {
    throw new OutOfRegimeError(
      'The original analysis of balls into bins',
      'epsilon / items <= 1',
      `it is ${perItem}`,
      "use the accounting 'group'",
    );
  }
  const perItemDelta = delta / (items * Real.exp(epsilon));
  const blankets = ballsIntoBinsMessages(perItem, perItemDelta, domain);
  if (blankets > MOST_BLANKETS) throw beyondMostBlankets(epsilon);
  return blankets / users;
}

/**
 * The paper-style bound on the error, sampling of the users included: (n m / q + s n) / n^2, q as in
 * `theoreticalBound`.
 */
export function ballsIntoBinsBound(setting: ParameterSetting, blanketRate: number): number {
  return (blanketRate / (setting.successProbability ?? 1) + setting.items) / setting.users;
}

/** The blankets in effect, and the analysis that chose how many. */
export interface BallsIntoBinsMessages {
  /** Expected blanket messages of a user. */
  readonly blanketRate: number;
  readonly blankets: BlanketKind;
  readonly accounting: BallsIntoBinsAccounting;
}

/**
 * What these messages give a user at the setting's delta, by the analysis that chose them; 'original' states
 * its target.
 */
export function ballsIntoBinsPrivacy(
  setting: ParameterSetting,
  { blanketRate, blankets, accounting }: BallsIntoBinsMessages,
  target: number,
  group: string,
): PrivacyStatement {
  const messages = { rate: 1, blanketRate, blankets, othersSendAll: true };
  if (accounting === 'original') {
    return {
      ...certifiedPrivacy(setting, messages, target, group),
      epsilon: interval(0, target),
      accountant: 'balls-into-bins-original',
      theorem: 'Luo, Wang and Yi 2022, privacy of balls into bins, with group privacy over the items',
    };
  }
  return blankets === 'paper'
    ? publishedPrivacy(setting, messages, target, group)
    : certifiedPrivacy(setting, messages, target, group);
}
