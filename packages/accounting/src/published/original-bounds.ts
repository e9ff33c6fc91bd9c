/** What the authors of a mechanism prove of it alone, by the mechanism's name. */
import type { ParameterValues } from '@shuffle-dp/core';
import { ballsIntoBinsBound } from './balls-into-bins-original.ts';
import { cheuZhilyaevBound } from './cheu-zhilyaev-original.ts';
import { fixedPointBound } from './fixed-point-original.ts';
import type { PublishedBound } from './published-bound.ts';
import { vectorResponseBound } from './vector-response-bound.ts';

const ORIGINAL_BOUNDS: Readonly<Record<string, (parameters: ParameterValues) => PublishedBound>> = {
  'vector-rr': ({ bits, keepProbability }) => vectorResponseBound({ sampled: bits!, keep: keepProbability! }),
  'balls-into-bins': ({ bins, special }) => ballsIntoBinsBound(bins! / special!),
  'fixed-point': ({ epsilon0, steps }) => fixedPointBound(steps! + 1, epsilon0!),
  'cheu-zhilyaev': ({ flip }) => cheuZhilyaevBound(flip!),
};

/**
 * The bound that the authors of a mechanism prove of it alone.
 *
 * @param parameters in effect, defaults filled in
 * @returns undefined where the literature has none
 * @example originalBound('cheu-zhilyaev', { flip: 0.25 })?.name // 'cheu-zhilyaev-original'
 */
export function originalBound(mechanism: string, parameters: ParameterValues): PublishedBound | undefined {
  return Object.hasOwn(ORIGINAL_BOUNDS, mechanism) ? ORIGINAL_BOUNDS[mechanism]!(parameters) : undefined;
}
