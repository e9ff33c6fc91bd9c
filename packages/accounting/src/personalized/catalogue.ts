/** All published bounds for personal budgets, in the order of their years; the largest-budget ones first. */
import type { Target } from '@shuffle-dp/core';
import type { EvaluatedBound } from '../published/published-bound.ts';
import { echoOfNeighborsBounds } from './echo-of-neighbors.ts';
import { gaussianLimitBounds } from './gaussian-limit.ts';
import { hypothesisTestingBounds } from './hypothesis-testing-bound.ts';
import { largestBudgetBounds } from './largest-budget.ts';
import {
  countedSetting,
  evaluatedAt,
  type PersonalizedBound,
  type PersonalizedSetting,
} from './personalized-bound.ts';

export const personalizedBounds: readonly PersonalizedBound[] = [
  ...largestBudgetBounds,
  ...echoOfNeighborsBounds,
  ...gaussianLimitBounds,
  ...hypothesisTestingBounds,
];

/**
 * Every one of them at one point, those without a value included. @throws ParameterError as
 * `evaluatePersonalizedBound`
 */
export function evaluatePersonalizedBounds(
  setting: PersonalizedSetting,
  target: Target,
): readonly EvaluatedBound[] {
  const counted = countedSetting(setting);
  return personalizedBounds.map((bound) => evaluatedAt(bound, counted, target));
}
