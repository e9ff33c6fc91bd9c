/** @module The local randomizers, one file each, with their analyst's half. */

export { CATEGORY_RANDOMIZERS, NUMBER_RANDOMIZERS, RANDOMIZERS } from './registry.ts';

// One category per user
export type { CategoryParameters } from './categories/pure-frequency-protocol.ts';
export {
  augmentedRandomizedResponse,
  type AugmentedRandomizedResponseParameters,
} from './categories/augmented-randomized-response.ts';
export {
  blockHadamardResponse,
  type BlockHadamardResponse,
  type BlockHadamardResponseParameters,
} from './categories/block-hadamard-response.ts';
export type { BitColumns } from './columns/bit-rows.ts';
export { categoryColumn, countCategories, type CategoryColumns } from './columns/category-column.ts';
export { generalizedRandomizedResponse } from './categories/generalized-randomized-response.ts';
export { hadamardResponse, type HadamardResponse } from './categories/hadamard-response.ts';
export {
  localHashing,
  type HashColumns,
  type LocalHashing,
  type LocalHashingParameters,
} from './categories/local-hashing.ts';
export {
  subsetSelection,
  type SubsetSelection,
  type SubsetSelectionParameters,
} from './categories/subset-selection.ts';
export { optimizedUnaryEncoding, symmetricUnaryEncoding } from './categories/unary-encoding.ts';

// Sets of items
export {
  COLLISION,
  collision,
  type Collision,
  type CollisionColumns,
  type CollisionParameters,
} from './item-sets/collision.ts';
export { pckvGrr, type KeyValueData, type PckvGrr, type PckvGrrParameters } from './key-values/pckv-grr.ts';
export { BLANKET_KINDS, type BlanketKind } from './item-sets/blanket-items.ts';
export {
  poissonRandomizer,
  type ItemColumns,
  type PoissonRandomizer,
  type PoissonRandomizerParameters,
} from './item-sets/poisson-randomizer.ts';
export {
  SAMPLED_RAPPOR,
  sampledRappor,
  type SampledRappor,
  type SampledRapporParameters,
} from './item-sets/sampled-rappor.ts';
export type { SetFrequencyOracle } from './item-sets/set-frequency-oracle.ts';
export {
  subsetExponential,
  type SubsetExponential,
  type SubsetExponentialParameters,
} from './item-sets/subset-exponential.ts';
export { WHEEL, wheel, type Wheel, type WheelColumns, type WheelParameters } from './item-sets/wheel.ts';

// One bounded number per user
export type { BoundedNumberParameters } from './numbers/bounded-value.ts';
export {
  CLIP_LAPLACE_CORRECTIONS,
  clipLaplace,
  largestShrinkage,
  type ClipLaplace,
  type ClipLaplaceCorrection,
  type ClipLaplaceParameters,
} from './numbers/clip-laplace.ts';
export { duchiMechanism, type DuchiMechanism } from './numbers/duchi-mechanism.ts';
export {
  fixedPointResponse,
  type FixedPointResponse,
  type FixedPointResponseParameters,
} from './numbers/fixed-point-response.ts';
export {
  gaussianMechanism,
  type GaussianMechanism,
  type GaussianMechanismParameters,
} from './numbers/gaussian-mechanism.ts';
export { laplaceMechanism, type LaplaceMechanism } from './numbers/laplace-mechanism.ts';
export { piecewiseMechanism, type PiecewiseMechanism } from './numbers/piecewise-mechanism.ts';

// Metric privacy, and a place per user
export { generalMetricProfile, lineLaplaceProfile, type MetricPair } from './places/metric-privacy.ts';
export {
  planarLaplace,
  planarLaplaceProfile,
  type Places,
  type PlanarLaplace,
  type PlanarLaplaceParameters,
} from './places/planar-laplace.ts';
export {
  cellOf,
  diameterOf,
  gridMasses,
  middleOfCell,
  regionLaplace,
  requireRegion,
  type PlaneRegion,
} from './places/plane-region.ts';

// A direction per user
export {
  privUnit,
  privUnitProfile,
  type DirectionColumns,
  type PrivUnit,
  type PrivUnitParameters,
} from './vectors/priv-unit.ts';

// A vector of bits per user
export {
  vectorRandomizedResponse,
  type VectorColumns,
  type VectorRandomizedResponse,
  type VectorRandomizedResponseParameters,
} from './vectors/vector-randomized-response.ts';
export { vectorResponseProfile } from './vectors/vector-response-profile.ts';

// For protocols of their own: inputs of the others as accountants read them, public hash functions, and many
// random bits or integers at a time
export { otherInput, type TypedAtom } from './laws/typed-inputs.ts';
export { LinearHashFamily } from './categories/linear-hash-family.ts';
export { fillRandomBits } from './columns/random-bits.ts';
export { fillIntegersBelow } from './columns/uniform-integers.ts';
