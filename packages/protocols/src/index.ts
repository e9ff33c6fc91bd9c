/**
 * @module The end-to-end protocols: randomizers, shuffler and analyzer, with the privacy that the whole
 * gives.
 */

export { BLANKET_MECHANISMS } from './blanket-mechanisms.ts';

// By kind
export {
  createFrequencyProtocol,
  createKeyValueProtocol,
  createNumberProtocol,
  createSetProtocol,
  createPlaceProtocol,
  createVectorProtocol,
  PLACE_PROTOCOLS,
  type PlaceProtocolSpec,
  VECTOR_PROTOCOLS,
  type VectorProtocolSpec,
  FREQUENCY_PROTOCOLS,
  isFrequencySpec,
  mayBeSharper,
  needsWholeSets,
  sendsByBlocks,
  KEY_VALUE_PROTOCOLS,
  NUMBER_PROTOCOLS,
  SET_PROTOCOLS,
  type FrequencyProtocolSpec,
  type HistogramSpec,
  type KeyValueProtocolSpec,
  type NoisyCountsSpec,
  type NumberProtocolSpec,
  type SetProtocolSpec,
} from './registry.ts';
export { formatMessage } from './traced-shuffle.ts';
export type { NumberField, ProtocolCard, ProtocolField } from './protocol-card.ts';
export type { BlanketSpec } from './item-sets/blanket-choice.ts';
export type { BallsIntoBinsAccounting } from './item-sets/balls-into-bins-parameters.ts';
export type { BallsIntoBinsSetsSpec } from './item-sets/balls-into-bins.ts';
export type { SegmentedSpec } from './item-sets/set-valued-protocol.ts';
export type { SingleMessageFrequencySpec } from './frequencies/named-oracle.ts';
export {
  levelCounts,
  type CategoricalSetting,
  type KeyValueSetting,
  requireTargetEpsilon,
  type NumberSetting,
  type SetValuedSetting,
  MOST_CELLS_ALONG,
  type PlaceSetting,
  type VectorSetting,
} from './setting.ts';
export type {
  FrequencyProtocol,
  KeyValueProtocol,
  MessageRound,
  MessageRounds,
  NumberProtocol,
  SetProtocol,
  ShuffleProtocol,
  PlaceProtocol,
  VectorProtocol,
} from './shuffle-protocol.ts';

// The segmented protocol
export { segmentedProtocol, type SegmentedProtocol } from './item-sets/set-valued-protocol.ts';
export { aggregateSegmented, type DataAggregation, type LevelAggregation } from './item-sets/framework.ts';
export { levelHistograms } from './item-sets/level-histograms.ts';
export {
  parametersAt,
  theoreticalBound,
  type ParameterSetting,
  type SegmentedParameters,
} from './item-sets/parameters.ts';
export type { ItemMessages } from './item-sets/coin-flip-privacy.ts';
export { certifiedPrivacy, publishedPrivacy } from './item-sets/privacy.ts';

export { errorGivenLevels } from './item-sets/estimation-error.ts';

// Single-message frequencies
export { shuffledOracle, type ShuffledOracleOptions } from './frequencies/shuffled-oracle.ts';

// Sums and means of numbers
export type { AnonymousCountSpec } from './sums-and-means/anonymous-count.ts';
export type { FixedPointMeanSpec } from './sums-and-means/fixed-point-mean.ts';
export type { SplitAndMixSpec } from './sums-and-means/split-and-mix.ts';
export type { SingleMessageMeanSpec } from './sums-and-means/mean-spec.ts';
export { countsOf, sumOver, type NumberCounts, type NumberData } from './sums-and-means/number-data.ts';

// Key-value pairs
export { keyMeans, type KeyValuedData } from './key-values/key-valued-data.ts';

// Range queries
export type { CategoryRange, Hierarchy, NodeRun } from './range-queries/hierarchy.ts';
export type { NodeEstimates } from './range-queries/node-estimates.ts';
export { hierarchicalRangeQueries, type RangeQueryProtocol } from './range-queries/range-query-protocol.ts';

// Federated learning
export {
  FEDERATED_FRAMEWORKS,
  isShuffled,
  SPARSIFICATIONS,
  type FederatedFramework,
  type FrameworkSpec,
} from './learning/framework-spec.ts';
export { averageCalibration } from './learning/clip-laplace-calibration.ts';
export { aggregateGradients } from './learning/gradient-aggregation.ts';
export type { GradientSource } from './learning/gradient-source.ts';
export { bitLevels, MOST_BIT_LEVELS, type BitLevel, type SampledBitsSpec } from './learning/sampled-bits.ts';
export {
  roundUsers,
  trainFederated,
  type TrainingPlan,
  type TrainingPart,
  type TrainingResult,
} from './learning/federated-training.ts';
export type { LabelledVectors } from './learning/labelled-vectors.ts';
export { accuracy, type SoftmaxWeights } from './learning/softmax-regression.ts';

// Federated decision trees
export { splitTable, type CategoricalTable } from './trees/categorical-table.ts';
export {
  classifyByVote,
  correctShare,
  majorityShare,
  type DecisionTree,
  type TreeNode,
} from './trees/decision-tree.ts';
export {
  ATTRIBUTE_CHOICES,
  forestAnswers,
  forestQueries,
  forestRounds,
  trainFederatedForest,
  trainForest,
  type FederatedForest,
  type FederatedForestPlan,
  type ForestPlan,
} from './trees/federated-forest.ts';
export { leastMessagesPerUser, worstEpsilonOfRounds } from './trees/rounds-privacy.ts';
export type { GrowthRules } from './trees/grow-tree.ts';
export { sampleSize, USER_SAMPLES, type UserSample } from './trees/user-samples.ts';
export { treeRounds, type ShuffledRounds, type TreeSetting } from './trees/tree-rounds.ts';

// Learning without labels
export { gridPoints, selectPoints, type GridPoints } from './grids/grid-points.ts';
export {
  anomalyScores,
  areaUnderCurve,
  isolationForest,
  isolationRounds,
  type IsolationPlan,
  type IsolationTree,
} from './grids/isolation-forest.ts';
export { kMeans, kMeansRounds, meanSquaredDistance, type Centres, type KMeansPlan } from './grids/k-means.ts';
export { exactHistogram, shuffledHistogram, type CellHistogram } from './trees/cell-histogram.ts';

// Places
export { gridHistogram, meanPlace, type PlaceData } from './places/place-data.ts';
export type { PlanarLaplacePlacesSpec } from './places/planar-laplace-places.ts';

// Means of vectors
export {
  sampledVectorMean,
  type VectorMeanProtocol,
  type VectorMeanSpec,
} from './vectors/sampled-vector-mean.ts';
export type { ClipLaplaceVectorSpec } from './vectors/clip-laplace-vector.ts';
export type { PrivUnitMeanSpec } from './vectors/priv-unit-mean.ts';
export { averageVector, type VectorData } from './vectors/vector-data.ts';

// Personal budgets
export {
  budgetGroups,
  budgetLevels,
  gaussianDeviation,
  levelOf,
  type BudgetLevel,
  type PersonalRandomizer,
} from './personalized/budget-groups.ts';

// Heavy hitters
export {
  createHeavyHitterProtocol,
  HEAVY_HITTER_PROTOCOLS,
  type HeavyHitterSpec,
} from './heavy-hitters/registry.ts';
export {
  type HeavyHitterProtocol,
  type HeavyHitters,
  type HeavyHitterSetting,
  MOST_SOUGHT,
} from './heavy-hitters/heavy-hitter-protocol.ts';
export { type IdentifierCounts, type IdentifierData, MOST_BITS } from './heavy-hitters/identifier-data.ts';
export { topQuality, type TopQuality } from './heavy-hitters/top-quality.ts';

// Threats
export {
  POISONING_ATTACKS,
  poisoningGain,
  sampleFakeSupport,
  type PoisoningAttack,
} from './threats/poisoning.ts';
export {
  poisonedError,
  poisonedEstimate,
  poisonedMessagesEstimate,
  type FakeMessages,
} from './threats/poisoned-oracle.ts';
