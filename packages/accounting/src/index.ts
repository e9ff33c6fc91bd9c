/** @module Privacy accounting: bounds, certified intervals, and their verdicts. */

export { localMessagesBound } from './local-message.ts';
export { epsilonAtDelta, type EpsilonSearch, type PrivacyProfile } from './privacy-profile.ts';

// The variation-ratio pair, evaluated exactly
export {
  logVariationRatioDivergence,
  MOST_COUNTED,
  variationRatioDivergence,
  variationRatioEpsilon,
} from './variation-ratio/variation-ratio.ts';
export { RAW_PAIR } from './variation-ratio/raw-pair.ts';
export { originalBound } from './published/original-bounds.ts';
export {
  asymmetricVariationRatioDivergence,
  asymmetricVariationRatioEpsilon,
  type AsymmetricVariationRatio,
} from './variation-ratio/variation-ratio-asymmetric.ts';
export {
  correctedCells,
  correctedVariationRatioDivergence,
  correctedVariationRatioEpsilon,
  knownBlankets,
} from './variation-ratio/corrected-variation-ratio.ts';

// Certified
export {
  blanketEpsilon,
  certifiedDelta,
  certifiedEpsilon,
  worstEqualData,
  type CertifiedOptions,
  type WorstDataSet,
} from './one-round.ts';
export { worstMixedData } from './blanket/mixed-data.ts';
export { blanketDivergence, type BlanketOptions } from './blanket/privacy-blanket.ts';
export {
  sharpestDelta,
  sharpestEpsilon,
  typedUpperDeltas,
  typedUpperEpsilons,
  type TypedUppers,
  type UpperBoundName,
} from './sharp/sharpest.ts';
export { newLookMemory } from './search/looks/sharp-look.ts';
export type { SharpBound } from './sharp/pair-inputs.ts';
export { sharpDelta } from './sharp/sharp-bound.ts';
export { type SharpParameters } from './sharp/input-bound.ts';
export { type Work } from './allowance.ts';
export { sharpEpsilon } from './sharp/sharp-epsilon.ts';
export {
  mixtureAtoms,
  parallelProfile,
  type ParallelQuery,
  type WeightedAtoms,
} from './composition/parallel-composition.ts';

// Many rounds
export { composedDelta, composedEpsilon, type CompositionOptions } from './composition/compose.ts';
export {
  namedComposition,
  roughUpperEnd,
  certifiedComposedEpsilon,
  type NamedComposition,
} from './composition/compose-mechanisms.ts';
export type { MechanismRounds } from './composition/mechanism-sources.ts';
export { widerCells } from './blanket/fewer-outputs.ts';
export {
  advancedCompositionEpsilon,
  dworkCompositionEpsilon,
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
export { clonePair, localDeltaTerm, strongerClonePair } from './published/clones.ts';
export type { Counterexample, GeneralVerdict } from './published/general-verdict.ts';
export { evaluateParallelBounds, type ParallelSetting } from './composition/parallel-bounds.ts';
export {
  evaluateBound,
  type BoundValue,
  type Condition,
  type EvaluatedBound,
  type PublishedBound,
  type ShuffleSetting,
} from './published/published-bound.ts';
export { shuffledRenyiDivergence } from './published/renyi.ts';
export { similarityBlanketEpsilon } from './published/similarity-blanket.ts';
export {
  vectorResponseBound,
  vectorResponsePair,
  type VectorResponseParameters,
} from './published/vector-response-bound.ts';
export { pairDominates, variationRatioBound } from './published/variation-ratio-bounds.ts';

// Personal budgets
export { evaluatePersonalizedBounds, personalizedBounds } from './personalized/catalogue.ts';
export type { BudgetGroup, CellDensities, CellLaw, VictimPair } from './personalized/budget-group.ts';
export { cloneCountLaw, type CloneCountLaw, type CoinGroup } from './personalized/clone-count.ts';
export { shuffledCountEpsilon } from './personalized/distinguishers/shuffled-count-test.ts';
export { expectedEchoes, userLevelEpsilon } from './personalized/echo-of-neighbors.ts';
export { confoundingProbabilities } from './personalized/hypothesis-testing-bound.ts';
export { hypothesisTestingTradeOff, type TestErrors } from './personalized/hypothesis-testing-trade-off.ts';
export {
  countedSetting,
  evaluatePersonalizedBound,
  PERSONALIZED_MECHANISMS,
  type CountedSetting,
  type PersonalizedBound,
  type PersonalizedMechanism,
  type PersonalizedSetting,
} from './personalized/personalized-bound.ts';
export {
  personalizedBlanketDelta,
  personalizedBlanketEpsilon,
  SURELY_MET,
} from './personalized/blanket/personalized-blanket.ts';
export {
  personalizedPrivacy,
  type GroupPrivacy,
  type PersonalBoundName,
  type PersonalizedPrivacy,
} from './personalized/personalized-privacy.ts';

export { calibratedAt, type Axis, type Calibrated, type Excess } from './search/axis.ts';
export { calibrate, type SharpSearch } from './search/calibrate.ts';
export { calibratedByEnds } from './search/calibrated-by-ends.ts';
export { worstEpsilonNear } from './search/epsilon-near.ts';
export { secantBracket } from './search/secant-bracket.ts';
export { sharplyMet, targetLook, type MetTarget } from './search/looks/sharp-calibration.ts';
export type { CentralTarget } from './search/looks/sharp-look.ts';
export type { TargetLook } from './search/looks/led-looks.ts';
export {
  calibratedLocalBudget,
  largestLocalBudget,
  ROUGH_GAP,
  searchTolerance,
  type Amplified,
} from './search/local-budget.ts';
export { logExcess } from './log-excess.ts';
export { singleMessagePrivacy, type StatementHints } from './search/message-privacy.ts';
export {
  type AccountedMessage,
  MESSAGE_ACCOUNTINGS,
  type MessageAccounting,
  messageDivergence,
  publishedClaim,
  SINGLE_MESSAGE_ACCOUNTINGS,
  type SingleMessageAccounting,
} from './search/message-accounting.ts';
export { LARGEST_EPSILON, smallestEpsilon } from './search/smallest-epsilon.ts';
export { poissonSlots } from './sets/poisson-slots.ts';
export {
  type SetPair,
  setDivergence,
  setDivergenceCurve,
  setDivergenceLower,
  setDivergenceUpper,
} from './sets/set-divergence.ts';
export { worstSplitUpper } from './sets/splits-of-others.ts';
export {
  countsOnOthers,
  slotSetDivergenceLower,
  slotSetDivergenceUpper,
} from './sets/slot-set-divergence.ts';
export { type OtherCoins, type SlotSetPair } from './sets/slot-set-pair.ts';

// Counts with noise of a known law
export {
  binomialNoise,
  geometricNoise,
  momentsOf,
  negativeBinomialNoise,
  type NoiseLaw,
} from './counts/noise-law.ts';
export { massesFault, type OthersAre } from './masses-fault.ts';
export { polyaDifferenceNoise } from './counts/polya-difference.ts';
export { exchangedCountDivergence, shiftedCountDivergence } from './counts/count-divergence.ts';
export { signedCountDivergence, type SignedCount } from './counts/signed-count.ts';
export { signedShareProfile, type SignedShare } from './counts/signed-share.ts';
export { noisyCountEpsilon } from './counts/count-epsilon.ts';
export {
  geometricDummyDivergence,
  geometricDummyRatios,
  type GeometricDummies,
} from './counts/geometric-dummies.ts';
export { binomialDummyTrials, geometricDummyMode } from './published/augmented-original.ts';

// Sums of shuffled shares
export { leastShares, shareDistance } from './sums/share-distance.ts';
export { discreteLaplaceDivergence } from './sums/discrete-laplace.ts';
export { sharedSumDelta, sharedSumEpsilon, type SharedSum } from './sums/split-and-mix-privacy.ts';
export { splitAndMixShares } from './published/split-and-mix-original.ts';

// Threats
export { collusion, honestUsers, requireThreats, underThreats, type Threats } from './threats/threats.ts';
export { leastParticipants, type Participants } from './threats/participants.ts';
export { type ThreatenedProfile } from './threats/threats.ts';
export { HONEST_UNIT, threatenedMessagePrivacy } from './threats/threatened-message.ts';
export { threatenedPersonalizedPrivacy } from './threats/threatened-groups.ts';
