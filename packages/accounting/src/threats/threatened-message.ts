/** The privacy of a single-message protocol for an honest user who took part, where others collude or stay away (docs/threats.md). */
import type { PrivacyStatement } from '@shuffle-dp/core';
import { singleMessagePrivacy, type Amplified } from '../search/local-budget.ts';
import { underThreats, type Threats } from './threats.ts';

/**
 * What is proved of the messages of `users` users, at `delta`: as `singleMessagePrivacy` by 'blanket', with those of the honest alone.
 * @throws ParameterError
 */
export function threatenedMessagePrivacy(
  randomizer: Amplified,
  users: number,
  delta: number,
  threats: Threats,
  group?: string,
): PrivacyStatement {
  const { epsilon0 } = randomizer;
  const { profile, users: honest } = underThreats(randomizer.amplification(), users, threats);
  const left = { epsilon0, amplification: () => profile };
  const statement = singleMessagePrivacy(left, honest, delta, 'blanket', group);
  return Object.freeze({
    ...statement,
    theorem: `${statement.theorem}, with the users who are left (docs/threats.md)`,
    unit: HONEST_UNIT,
    view: `${statement.view}, and all that those who collude know`,
  });
}

/** Whose privacy is meant. */
export const HONEST_UNIT = 'one honest user who took part, all their messages';
