/** The local budget of a protocol with one message a user: the one that the spec gives, or the largest that meets the central target. */
import { largestLocalBudget, type MessageAccounting } from '@shuffle-dp/accounting';
import { centralTarget } from './setting.ts';

/** What a calibration needs of a setting. */
export interface CalibratedSetting {
  readonly users: number;
  readonly delta: number;
  /** Central target in nats; needed where no local budget is given. */
  readonly epsilon?: number;
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
  return largestLocalBudget(make, setting.users, epsilon, setting.delta, accounting);
}
