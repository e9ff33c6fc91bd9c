/** All published bounds of one shuffled round, in the order of their years. */
import type { Target } from '@shuffle-dp/core';
import { blanketBounds } from './privacy-blanket-bounds.ts';
import { cloneBounds } from './clones.ts';
import { isMetric, metricCloneBound } from './metric-clone.ts';
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
 * Every published bound at one point, those without a value included; where the literature prints a beta that
 * is not the mechanism's own, also the theorem at that; where a metric is given, also its clones. @throws
 * ParameterError as `evaluateBound`.
 */
export function evaluatePublishedBounds(setting: ShuffleSetting, target: Target): readonly EvaluatedBound[] {
  const ownBeta = setting.amplification.printedVariationRatio ? [exactBetaBound] : [];
  const metric = isMetric(setting) ? [metricCloneBound] : [];
  return [...publishedBounds, ...ownBeta, ...metric].map((bound) => evaluateBound(bound, setting, target));
}
