/**
 * Published bounds for users with budgets of their own: the setting, the form of a bound, and its evaluation.
 * As with one budget for all, bounds that do not hold are kept with their verdict, because papers are
 * compared by them.
 */
import {
  ParameterError,
  requireInteger,
  requireOneOf,
  requirePositive,
  requireProbability,
  requireTarget,
  requireWithin,
  type Target,
  type CitationKey,
} from '@shuffle-dp/core';
import { countEqual, type CountedValues } from './counted-values.ts';
import type { GeneralVerdict } from '../published/general-verdict.ts';
import { evaluated, type BoundValue, type EvaluatedBound } from '../published/published-bound.ts';

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

/** The same, users of one budget counted together: a million are gone through once for all bounds. */
export interface CountedSetting extends Omit<PersonalizedSetting, 'budgets'> {
  /** At least 1. */
  readonly users: number;
  readonly budgets: CountedValues;
}

/** Always an upper bound of the weakest user's epsilon. */
export interface PersonalizedBound {
  readonly name: string;
  readonly source: string;
  readonly citation: CitationKey;
  verdict(setting: CountedSetting): GeneralVerdict;
  at(setting: CountedSetting, target: Target): BoundValue;
}

/** Of more, the noise is so narrow that one value's masses are zero in doubles under another one. */
const MOST_GAUSSIAN_BUDGET = 1e5;

/**
 * What bounds take: the users counted, and everything in its range.
 *
 * @throws ParameterError naming the first budget, delta or clip that is out of range
 * @example countedSetting({ budgets: Float64Array.of(1, 2, 1), mechanism: 'laplace', localDelta: 0, clip: 1 }).budgets // { values: [1, 2], counts: [2, 1] }
 */
export function countedSetting(setting: PersonalizedSetting): CountedSetting {
  const { budgets, mechanism, localDelta, clip } = setting;
  requireInteger('users', budgets.length, 1);
  // A million names would take longer than most bounds.
  const most = mechanism === 'gaussian' ? MOST_GAUSSIAN_BUDGET : Number.MAX_VALUE;
  const wrong = budgets.findIndex((budget) => !(budget > 0 && budget <= most));
  if (wrong >= 0) {
    const name = `budgets[${wrong}]`;
    requireWithin(name, requirePositive(name, budgets[wrong]!), 0, most);
  }
  requireOneOf('mechanism', mechanism, PERSONALIZED_MECHANISMS);
  requirePositive('clip', clip);
  requireProbability('localDelta', localDelta);
  if (mechanism === 'gaussian' ? !(localDelta > 0 && localDelta < 1) : localDelta !== 0) {
    const allowed = mechanism === 'gaussian' ? 'in (0, 1) for Gaussian noise' : '0 for pure local privacy';
    throw new ParameterError('localDelta', localDelta, allowed);
  }
  return { ...setting, users: budgets.length, budgets: countEqual(budgets) };
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
  return evaluatedAt(bound, countedSetting(setting), target);
}

/** The same, of a setting whose users are counted. @throws ParameterError as `evaluatePersonalizedBound` */
export function evaluatedAt(
  bound: PersonalizedBound,
  setting: CountedSetting,
  target: Target,
): EvaluatedBound {
  requireTarget(target);
  const described = { ...bound, direction: 'upper' } as const;
  return evaluated(described, target, bound.at(setting, target), bound.verdict(setting));
}

/** The largest budget of all users. */
export function largestBudget({ budgets }: CountedSetting): number {
  return budgets.values.at(-1)!;
}

/** Whether all users have the same. */
export function haveOneBudget({ budgets }: CountedSetting): boolean {
  return budgets.values.length === 1;
}
