/** @module The local randomizers, one file each, with their analyst's half. */

// One category per user
export {
  blockHadamardResponse,
  type BlockHadamardResponse,
  type BlockHadamardResponseParameters,
} from './block-hadamard-response.ts';
export type { BitColumns } from './bit-rows.ts';
export { categoryColumn, countCategories, type CategoryColumns } from './category-column.ts';
export {
  generalizedRandomizedResponse,
  type GeneralizedRandomizedResponseParameters,
} from './generalized-randomized-response.ts';
export {
  hadamardResponse,
  type HadamardResponse,
  type HadamardResponseParameters,
} from './hadamard-response.ts';
export {
  localHashing,
  type HashColumns,
  type LocalHashing,
  type LocalHashingParameters,
} from './local-hashing.ts';
export { subsetSelection, type SubsetSelection, type SubsetSelectionParameters } from './subset-selection.ts';
export {
  optimizedUnaryEncoding,
  symmetricUnaryEncoding,
  type UnaryEncodingParameters,
} from './unary-encoding.ts';

// Sets of items
export { collision, type Collision, type CollisionColumns, type CollisionParameters } from './collision.ts';
export { pckvGrr, type KeyValueData, type PckvGrr, type PckvGrrParameters } from './pckv-grr.ts';
export {
  poissonRandomizer,
  type ItemColumns,
  type PoissonRandomizer,
  type PoissonRandomizerParameters,
} from './poisson-randomizer.ts';
export { sampledRappor, type SampledRappor, type SampledRapporParameters } from './sampled-rappor.ts';
export type { SetFrequencyOracle } from './set-frequency-oracle.ts';
export {
  subsetExponential,
  type SubsetExponential,
  type SubsetExponentialParameters,
} from './subset-exponential.ts';
export { wheel, type Wheel, type WheelColumns, type WheelParameters } from './wheel.ts';

// One bounded number per user
export {
  clipLaplace,
  largestShrinkage,
  type ClipLaplace,
  type ClipLaplaceParameters,
} from './clip-laplace.ts';
export { duchiMechanism, type DuchiMechanism, type DuchiMechanismParameters } from './duchi-mechanism.ts';
export {
  gaussianMechanism,
  type GaussianMechanism,
  type GaussianMechanismParameters,
} from './gaussian-mechanism.ts';
export {
  laplaceMechanism,
  type LaplaceMechanism,
  type LaplaceMechanismParameters,
} from './laplace-mechanism.ts';
export {
  piecewiseMechanism,
  type PiecewiseMechanism,
  type PiecewiseMechanismParameters,
} from './piecewise-mechanism.ts';

// Metric privacy, and a place per user
export { generalMetricProfile, lineLaplaceProfile, type MetricPair } from './metric-privacy.ts';
export {
  planarLaplace,
  planarLaplaceProfile,
  type Places,
  type PlanarLaplace,
  type PlanarLaplaceParameters,
} from './planar-laplace.ts';

// A direction per user
export {
  privUnit,
  privUnitProfile,
  SMALLEST_CAP,
  type DirectionColumns,
  type PrivUnit,
  type PrivUnitParameters,
} from './priv-unit.ts';

// A vector of bits per user
export {
  vectorRandomizedResponse,
  vectorResponseProfile,
  type VectorColumns,
  type VectorRandomizedResponse,
  type VectorRandomizedResponseParameters,
} from './vector-randomized-response.ts';

// For protocols of their own: public hash functions, and many random bits or integers at a time
export { isPrime, LinearHashFamily, nearestPrime } from './linear-hash-family.ts';
export { fillRandomBits } from './random-bits.ts';
export { fillIntegersBelow } from './uniform-integers.ts';
