/**
 * The one message of a user, calibrated and accounted for: at the local budget that the spec gives, or at the
 * largest that meets the central target, with what is said of its privacy.
 */
import { onDemand, requireOneOf, type PrivacyStatement } from '@shuffle-dp/core';
import {
  calibratedLocalBudget,
  SINGLE_MESSAGE_ACCOUNTINGS,
  singleMessagePrivacy,
  threatenedMessagePrivacy,
  type Amplified,
  type MetTarget,
  type SingleMessageAccounting,
  type StatementHints,
  type Threats,
} from '@shuffle-dp/accounting';
import { centralTarget, requireTargetEpsilon, type CentralSetting } from './setting.ts';

/** What a calibration needs of a setting. */
export interface CalibratedSetting extends CentralSetting {
  /** Of divergences, as in the accountants' `BlanketOptions`. */
  readonly relativeGap?: number | undefined;
}

/** What a spec says of the one message of a user. */
export interface SingleMessageChoice {
  /**
   * Local budget in nats; absent: the largest whose shuffled guarantee meets the setting's central target.
   */
  readonly epsilon0?: number;
  /**
   * What states the central guarantee: 'sharpest', certified (default), 'blanket', certified and quick, or
   * 'variation-ratio' as published by Wang et al. 2024.
   */
  readonly accounting?: SingleMessageAccounting;
}

/** And what it comes to. */
export type SingleMessageParameters = {
  /** In nats: given, or the largest that meets the central target. */
  readonly epsilon0: number;
  readonly accounting: SingleMessageAccounting;
};

/** A local budget, in nats; `by` where a calibration chose it, and by which bound it meets the target. */
export interface ChosenBudget {
  readonly epsilon0: number;
  readonly by?: MetTarget['by'];
}

/**
 * @param given local budget in nats, which is not checked here
 * @param make the randomizer of a local budget
 * @throws ParameterError where neither the spec nor the setting fixes it, and for an accounting that is none
 */
export function localBudget(
  given: number | undefined,
  make: Parameters<typeof calibratedLocalBudget>[0],
  setting: CalibratedSetting,
  accounting: SingleMessageAccounting,
): ChosenBudget {
  requireOneOf('accounting', accounting, SINGLE_MESSAGE_ACCOUNTINGS);
  if (given !== undefined) return { epsilon0: given };
  const epsilon = requireTargetEpsilon('epsilon', centralTarget(setting, 'the local budget epsilon0'));
  const { users, delta, relativeGap } = setting;
  const { value, by } = calibratedLocalBudget(make, { users, epsilon, delta }, accounting, relativeGap);
  return { epsilon0: value, by };
}

/** What a protocol of one message a user says of its privacy. */
export interface MessageStatements {
  privacy(): readonly PrivacyStatement[];
  certifiedPrivacy(): readonly PrivacyStatement[];
  threatenedPrivacy(threats: Threats): readonly PrivacyStatement[];
}

/** Whose message the statements are about. */
export const ALL_USERS = 'all users';

/**
 * @param by the bound by which the message is known to meet the setting's target, as after a calibration
 * @param accounting what `privacy` states; what is certified is by the blanket alone where that was asked
 * for, and else the sharpest
 */
export function messageStatements(
  randomizer: Amplified,
  setting: CalibratedSetting,
  accounting: SingleMessageAccounting,
  by?: MetTarget['by'],
): MessageStatements {
  const { users, delta } = setting;
  const certified = accounting === 'blanket' ? 'blanket' : 'sharpest';
  const hints = hintsOf(setting, accounting === 'variation-ratio' ? undefined : by);
  const stated = (how: SingleMessageAccounting) =>
    onDemand(() => [singleMessagePrivacy(randomizer, users, delta, how, hints)]);
  const certifiedPrivacy = stated(certified);
  let asked: { readonly key: string; readonly statements: readonly PrivacyStatement[] } | undefined;
  return {
    privacy: accounting === certified ? certifiedPrivacy : stated(accounting),
    certifiedPrivacy,
    threatenedPrivacy: (threats) => {
      const key = `${threats.colluding} ${threats.dropout} ${threats.victim}`;
      // A calibration asks, and then the statement of what it found.
      if (key !== asked?.key) asked = { key, statements: [threatened(threats)] };
      return asked.statements;
    },
  };

  function threatened(threats: Threats): PrivacyStatement {
    const options = { group: ALL_USERS, accounting: certified } as const;
    return threatenedMessagePrivacy(randomizer, users, delta, threats, options);
  }
}

/** Epsilons are looked for near the target, in brackets as wide as the setting allows. */
function hintsOf({ epsilon, relativeGap }: CalibratedSetting, by?: MetTarget['by']): StatementHints {
  return {
    group: ALL_USERS,
    ...(relativeGap !== undefined && { relativeGap, ...(epsilon !== undefined && { near: epsilon }) }),
    ...(by !== undefined && epsilon !== undefined && { met: { epsilon, by } }),
  };
}
