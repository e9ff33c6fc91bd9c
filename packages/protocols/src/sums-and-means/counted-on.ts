/**
 * Users whose shares of common noise are planned to be enough for a target: the noise of the others is
 * beyond it, and they may collude (docs/threats.md).
 */
import { beyond, from, real, requirePositiveProbability } from '@shuffle-dp/core';
import { honestUsers } from '@shuffle-dp/accounting';
import { rangeField } from '../protocol-card.ts';
import type { NumberSetting } from '../setting.ts';

export interface CountedOn {
  /**
   * Fraction of the users, in (0, 1], whose noise is enough for the target: the others may collude or stay
   * away. Default all but the setting's colluding ones.
   */
  readonly honest?: number;
}

export const HONEST_FIELD = rangeField(
  real('honest', beyond(0), from(1), 'honest'),
  'a fraction in (0, 1]',
  'Fraction of the users whose noise is enough for the target; default all, or at equal certified privacy those who are left by threats.',
);

/** As the spec says, or all but those who collude; at least one. @throws ParameterError */
export function usersCountedOn(
  { honest }: CountedOn,
  { users, colluding = 0 }: Pick<NumberSetting, 'users' | 'colluding'>,
): number {
  if (honest === undefined) return honestUsers(users, colluding);
  requirePositiveProbability('honest', honest);
  return Math.max(1, Math.floor(honest * users * (1 + 1e-12)));
}
