/** All published bounds of one shuffled round, in the order of their years. */
import type { Target } from '@shuffle-dp/core';
import { blanketBounds } from './privacy-blanket-bounds.ts';
import { cloneBounds } from './clones.ts';
import { erlingssonBound } from './erlingsson.ts';
import {
  evaluateBound,
  type EvaluatedBound,
  type PublishedBound,
  type ShuffleSetting,
} from './published-bound.ts';
import { renyiBound } from './renyi.ts';
import { exactBetaBound, variationRatioBounds } from './variation-ratio-bounds.ts';
import { variationRatioClosedForms } from './variation-ratio-closed-forms.ts';
import { variationRatioLowerBound } from './variation-ratio-lower-bound.ts';

export const publishedBounds: readonly PublishedBound[] = [
  erlingssonBound,
  ...blanketBounds,
  ...cloneBounds,
  renyiBound,
  ...variationRatioBounds,
  ...variationRatioClosedForms,
  variationRatioLowerBound,
];

/**
 * Every published bound at one point, those without a value included; where the literature prints a beta that is not the
 * mechanism's own, also the theorem at that. @throws ParameterError as `evaluateBound`.
 */
export function evaluatePublishedBounds(setting: ShuffleSetting, target: Target): readonly EvaluatedBound[] {
  const ownBeta = setting.amplification.printedVariationRatio ? [exactBetaBound] : [];
  return [...publishedBounds, ...ownBeta].map((bound) => evaluateBound(bound, setting, target));
}
