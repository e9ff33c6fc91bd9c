/**
 * Published bounds for users with budgets of their own: the setting, the form of a bound, and its evaluation.
 * As with one budget for all, bounds that do not hold are kept with their verdict, because papers are
 * compared by them.
 */
import {
  ParameterError,
  requireInteger,
  requirePositive,
  requireProbability,
  type Target,
  type CitationKey,
} from '@shuffle-dp/core';
import type { GeneralVerdict } from '../published/general-verdict.ts';
import {
  evaluated,
  requireTarget,
  type BoundValue,
  type EvaluatedBound,
} from '../published/published-bound.ts';

/** What each user adds: its noise decides which bounds hold. */
export const PERSONALIZED_MECHANISMS = ['laplace', 'clip-laplace', 'gaussian', 'grr'] as const;

export type PersonalizedMechanism = (typeof PERSONALIZED_MECHANISMS)[number];

/** One shuffled round in which user i applies the mechanism with budget budgets[i]. */
export interface PersonalizedSetting {
  /** Local budget of every user in nats, positive; at least one user. */
  readonly budgets: Float64Array;
  readonly mechanism: PersonalizedMechanism;
  /** delta of the local guarantee of Gaussian noise, in (0, 1); 0 for the others. */
  readonly localDelta: number;
  /** Width of the range of the users' values; matters only where a published program depends on its unit. */
  readonly clip: number;
}

/** Always an upper bound of the weakest user's epsilon. */
export interface PersonalizedBound {
  readonly name: string;
  readonly source: string;
  readonly citation: CitationKey;
  verdict(setting: PersonalizedSetting): GeneralVerdict;
  at(setting: PersonalizedSetting, target: Target): BoundValue;
}

/** @throws ParameterError naming the first budget, delta or clip that is out of range */
export function requirePersonalizedSetting({
  budgets,
  mechanism,
  localDelta,
  clip,
}: PersonalizedSetting): void {
  requireInteger('users', budgets.length, 1);
  // A million names would take longer than most bounds.
  const wrong = budgets.findIndex((budget) => !(budget > 0 && budget < Infinity));
  if (wrong >= 0) requirePositive(`budgets[${wrong}]`, budgets[wrong]!);
  requirePositive('clip', clip);
  requireProbability('localDelta', localDelta);
  if (mechanism === 'gaussian' ? !(localDelta > 0 && localDelta < 1) : localDelta !== 0) {
    const allowed = mechanism === 'gaussian' ? 'in (0, 1) for Gaussian noise' : '0 for pure local privacy';
    throw new ParameterError('localDelta', localDelta, allowed);
  }
}

/**
 * A bound with its verdict and conditions at one point; values are not capped at the local budgets.
 * @throws ParameterError for a setting out of range, delta outside [0, 1] or epsilon < 0
 */
export function evaluatePersonalizedBound(
  bound: PersonalizedBound,
  setting: PersonalizedSetting,
  target: Target,
): EvaluatedBound {
  requirePersonalizedSetting(setting);
  requireTarget(target);
  const described = { ...bound, direction: 'upper' } as const;
  return evaluated(described, target, bound.at(setting, target), bound.verdict(setting));
}

/** The largest budget of all users. */
export function largestBudget(budgets: Float64Array): number {
  return budgets.reduce((most, budget) => Math.max(most, budget), 0);
}

/** Whether all users have the same. */
export function haveOneBudget(budgets: Float64Array): boolean {
  return budgets.every((budget) => budget === budgets[0]);
}
