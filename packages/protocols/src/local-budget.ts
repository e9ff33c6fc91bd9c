/** The local budget of a protocol with one message a user: the one that the spec gives, or the largest that meets the central target. */
import { largestLocalBudget, type MessageAccounting } from '@shuffle-dp/accounting';
import { centralTarget } from './setting.ts';

/** Of accountants, as their options: epsilons are looked for near the target, in brackets as wide as the setting allows. */
export function hintsOf({ epsilon, relativeGap }: CalibratedSetting): {
  readonly relativeGap?: number;
  readonly near?: number;
} {
  if (relativeGap === undefined) return {};
  return { relativeGap, ...(epsilon !== undefined && { near: epsilon }) };
}

/** What a calibration needs of a setting. */
export interface CalibratedSetting {
  readonly users: number;
  readonly delta: number;
  /** Central target in nats; needed where no local budget is given. */
  readonly epsilon?: number;
  /** Of divergences, as in the accountants' `BlanketOptions`. */
  readonly relativeGap?: number;
}

/**
 * @param given local budget in nats, which is not checked here
 * @param make the randomizer of a local budget
 * @throws ParameterError where neither the spec nor the setting fixes it
 */
export function localBudget(
  given: number | undefined,
  make: Parameters<typeof largestLocalBudget>[0],
  setting: CalibratedSetting,
  accounting: MessageAccounting,
): number {
  if (given !== undefined) return given;
  const epsilon = centralTarget(setting, 'the local budget epsilon0');
  const { users, delta, relativeGap } = setting;
  return largestLocalBudget(make, users, epsilon, delta, accounting, relativeGap);
}
