/** @module Privacy accounting: bounds, certified intervals, and their verdicts. */

export { epsilonAtDelta, type EpsilonSearch, type PrivacyProfile } from './privacy-profile.ts';

// The variation-ratio pair, evaluated exactly
export {
  logVariationRatioDivergence,
  variationRatioDivergence,
  variationRatioEpsilon,
} from './variation-ratio.ts';
export {
  asymmetricVariationRatioDivergence,
  asymmetricVariationRatioEpsilon,
  type AsymmetricVariationRatio,
} from './variation-ratio-asymmetric.ts';
