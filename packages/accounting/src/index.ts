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
export {
  correctedCells,
  correctedVariationRatioDivergence,
  correctedVariationRatioEpsilon,
} from './corrected-variation-ratio.ts';

// Certified
export { blanketEpsilon, certifiedDelta, certifiedEpsilon, type CertifiedOptions } from './certified.ts';
export {
  sharpestDelta,
  sharpestEpsilon,
  typedUpperDeltas,
  typedUpperEpsilons,
  type TypedUppers,
} from './sharp/sharpest.ts';
export type { SharpBound } from './sharp/pair-bound.ts';
export { sharpDelta } from './sharp/sharp-bound.ts';
export { sharpEpsilon } from './sharp/sharp-epsilon.ts';
export { blanketDivergence, type BlanketOptions } from './privacy-blanket.ts';
export {
  mixtureAtoms,
  parallelProfile,
  type ParallelQuery,
  type WeightedAtoms,
} from './parallel-composition.ts';

// Many rounds
export { composedDelta, composedEpsilon, type CompositionOptions } from './composition/compose.ts';
export {
  certifiedComposedDelta,
  certifiedComposedEpsilon,
  type MechanismRounds,
} from './composition/compose-mechanisms.ts';
export {
  advancedCompositionEpsilon,
  basicCompositionEpsilon,
  gaussianLimitEpsilon,
  renyiCompositionEpsilon,
  type GaussianRounds,
} from './composition/composition-theorems.ts';
export type { CompositionRounds, PairRounds, ProfileRounds } from './composition/round-source.ts';

// Published bounds, with their conditions and verdicts
export { evaluatePublishedBounds, publishedBounds } from './published/catalogue.ts';
export { ballsIntoBinsBound, ballsIntoBinsMessages } from './published/balls-into-bins-original.ts';
export {
  cheuZhilyaevBound,
  cheuZhilyaevFlip,
  cheuZhilyaevVariance,
} from './published/cheu-zhilyaev-original.ts';
export { citations, type CitationKey } from './published/citations.ts';
export { clonePair, localDeltaTerm, strongerClonePair } from './published/clones.ts';
export type { Counterexample, GeneralVerdict } from './published/general-verdict.ts';
export { evaluateParallelBounds, type ParallelSetting } from './published/parallel-bounds.ts';
export {
  evaluateBound,
  type BoundValue,
  type Condition,
  type EvaluatedBound,
  type PublishedBound,
  type ShuffleSetting,
  type Target,
} from './published/published-bound.ts';
export { shuffledRenyiDivergence } from './published/renyi.ts';
export {
  vectorResponseBound,
  vectorResponsePair,
  type VectorResponseParameters,
} from './published/vector-response-bound.ts';
export { variationRatioBound } from './published/variation-ratio-bounds.ts';

// Personal budgets
export { evaluatePersonalizedBounds, personalizedBounds } from './personalized/catalogue.ts';
export type { BudgetGroup, CellDensities, CellLaw, VictimPair } from './personalized/budget-group.ts';
export { cloneCountLaw, type CloneCountLaw, type CoinGroup } from './personalized/clone-count.ts';
export { shuffledCountEpsilon } from './personalized/shuffled-count-test.ts';
export { expectedEchoes, userLevelEpsilon } from './personalized/echo-of-neighbors.ts';
export { confoundingProbabilities } from './personalized/hypothesis-testing-bound.ts';
export {
  evaluatePersonalizedBound,
  type PersonalizedBound,
  type PersonalizedMechanism,
  type PersonalizedSetting,
} from './personalized/personalized-bound.ts';
export {
  personalizedBlanketEpsilon,
  personalizedPrivacy,
  type GroupPrivacy,
  type PersonalizedPrivacy,
} from './personalized/personalized-blanket.ts';
