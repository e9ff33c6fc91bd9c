/**
 * Users whose shares of common noise are planned to be enough for a target: the noise of the others is
 * beyond it, and they may collude (docs/threats.md).
 */
import { beyond, from, real, requirePositiveProbability } from '@shuffle-dp/core';
import { usersLeft } from '../histograms/threatened-blankets.ts';
import { rangeField } from '../protocol-card.ts';
import type { NumberSetting } from '../setting.ts';

export interface CountedOn {
  /**
   * Fraction of the users, in (0, 1], whose noise is enough for the target: the others may collude or stay
   * away. Default all but those of the setting's threats.
   */
  readonly honest?: number;
}

export const HONEST_FIELD = rangeField(
  real('honest', beyond(0), from(1), 'honest'),
  'a fraction in (0, 1]',
  'Fraction of the users whose noise is enough for the target; default all, or at equal certified privacy those who are left by threats.',
);

/** Whose noise is to be enough, and for which delta: users may stay away more often than is planned for. */
export interface NoisePlan {
  readonly honest: number;
  readonly delta: number;
}

/**
 * As the spec says, or all but those who collude or stay away by the setting; at least one.
 * @throws ParameterError
 */
export function noisePlan(
  { honest }: CountedOn,
  { users, delta, colluding = 0, dropout = 0 }: NumberSetting,
): NoisePlan {
  const left = usersLeft(users, delta, { colluding, dropout });
  if (honest !== undefined) requirePositiveProbability('honest', honest);
  return {
    honest: honest === undefined ? left.users : Math.max(1, Math.floor(honest * users * (1 + 1e-12))),
    delta: delta - left.missed,
  };
}
