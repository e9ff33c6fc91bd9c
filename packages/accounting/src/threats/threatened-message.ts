/**
 * The privacy of a single-message protocol for an honest user who took part, where others collude or stay
 * away (docs/threats.md).
 */
import type { PrivacyStatement } from '@shuffle-dp/core';
import type { Amplified } from '../search/local-budget.ts';
import type { SingleMessageAccounting } from '../search/message-accounting.ts';
import { singleMessagePrivacy } from '../search/message-privacy.ts';
import { underThreats, type Threats } from './threats.ts';

export interface ThreatenedStatement {
  readonly group?: string;
  readonly accounting?: Exclude<SingleMessageAccounting, 'variation-ratio'>;
}

/**
 * What is proved of the messages of `users` users, at `delta`: as `singleMessagePrivacy`, with those of the
 * honest alone. By 'sharpest' the sharp bound is looked at where nobody stays away.
 * @param accounting default 'blanket'
 * @throws ParameterError
 */
export function threatenedMessagePrivacy(
  randomizer: Amplified,
  users: number,
  delta: number,
  threats: Threats,
  { group, accounting = 'blanket' }: ThreatenedStatement = {},
): PrivacyStatement {
  const { epsilon0 } = randomizer;
  const { profile, users: honest } = underThreats(randomizer.amplification(), users, threats);
  const left = { epsilon0, amplification: () => profile };
  const statement = singleMessagePrivacy(left, honest, delta, accounting, {
    ...(group !== undefined && { group }),
  });
  return Object.freeze({
    ...statement,
    theorem: `${statement.theorem}, with the users who are left (docs/threats.md)`,
    unit: HONEST_UNIT,
    view: `${statement.view}, and all that those who collude know`,
  });
}

/** Whose privacy is meant. */
export const HONEST_UNIT = 'one honest user who took part, all their messages';
