/** @module The ground floor of shuffle-dp: numbers, randomness, and the contracts between the packages. */

// Errors and checks
export {
  BracketError,
  ContradictionError,
  errorCode,
  OutOfRegimeError,
  ParameterError,
  UsageError,
  type NamedBound,
} from './errors.ts';
export * from './arguments.ts';
export { groupBy } from './group-by.ts';
export { picked } from './picked.ts';
export { bibtex, type CitationKey } from './bibliography.ts';
export { contains, exactly, interval, provedInterval, relativeWidth, type Interval } from './interval.ts';

// Special functions
export {
  binomialCoefficient,
  binomialPmf,
  binomialTail,
  binomialUpperEnd,
  halfBinomialTailRatio,
  logBinomialLowerTail,
  logBinomialPmf,
  logBinomialTail,
} from './numeric/binomial-distribution.ts';
export { regularizedGammaTail } from './numeric/incomplete-gamma.ts';
export { logRegularizedIncompleteBeta, regularizedIncompleteBeta } from './numeric/incomplete-beta.ts';
export * as Real from './numeric/elementary/index.ts';
export { logBinomialCoefficient, logFactorial, logGamma, stirlingCorrection } from './numeric/log-gamma.ts';
export {
  logNormalTail,
  normalMass,
  normalPdf,
  normalQuantile,
  normalTail,
} from './numeric/normal-distribution.ts';

// Numerics
export { CompensatedSum, compensatedSum } from './numeric/compensated-sum.ts';
export { exactProduct, minus } from './numeric/double-double.ts';
export {
  complexTransformOf,
  convolvedPowers,
  forwardTransform,
  inverseTransform,
  multiplySpectrum,
  raiseSpectrum,
  realPartOf,
  transformOf,
  transformSize,
  type Spectrum,
} from './numeric/fourier.ts';
export {
  gaussianDivergence,
  gaussianDivergenceUpper,
  gaussianSeparation,
} from './numeric/gaussian-divergence.ts';
export { gaussLegendre, integrateSmooth } from './numeric/gauss-legendre.ts';
export { log1pMinus, logAdd, logSumExp } from './numeric/log-space.ts';
export { minimizeUnimodal, type Minimum } from './numeric/minimize.ts';
export { isPrime, nearestPrime } from './numeric/primes.ts';
export { bracketRoot, lastWhere, type Bracket, type RootOptions } from './numeric/root.ts';
export { ROUNDOFF } from './numeric/roundoff.ts';

// Randomness
export { RandomStream } from './random/random-stream.ts';
export { sampleBinomial } from './random/binomial.ts';
export { aliasTable, type AliasTable } from './random/categorical.ts';
export { sampleGamma } from './random/gamma.ts';
export { fillGaussian, sampleGaussian } from './random/gaussian.ts';
export { sampleGeometricSkip } from './random/geometric-skips.ts';
export { sampleHypergeometric } from './random/hypergeometric.ts';
export { dealCounts, sampleMultivariateHypergeometric } from './random/multivariate-hypergeometric.ts';
export { fillLaplace, sampleLaplace } from './random/laplace.ts';
export { sampleMultinomial, sampleUniformMultinomial } from './random/multinomial.ts';
export { sampleLogarithmic, sampleNegativeBinomial } from './random/negative-binomial.ts';
export { samplePoisson } from './random/poisson.ts';
export { sampleSubset } from './random/subset.ts';

// Statistics
export { ratiosToLeast, type MeasuredMean } from './statistics/comparison-with-best.ts';
export {
  clopperPearsonInterval,
  meanConfidenceInterval,
  studentQuantile,
} from './statistics/confidence-interval.ts';
export {
  largestError,
  meanSquareOverRanges,
  shareOfRanges,
  sumOfSquares,
  totalVariation,
} from './statistics/estimate-error.ts';
export { meanErrorInterval, relativeVarianceOfMean } from './statistics/mean-error-interval.ts';
export { RunningMoments } from './statistics/running-moments.ts';

// Contracts
export type {
  AmplificationProfile,
  LikelihoodAtoms,
  OtherInput,
  TypedInputs,
  TypedPair,
  VariationRatio,
} from './contracts/amplification.ts';
export type { CategoricalData, CountedSets, HeldSets, SetCounts, SetValuedData } from './contracts/data.ts';
export { CRAFTED_ATTACKS, type CraftedAttack, type CraftedMessages } from './contracts/crafted-messages.ts';
export type { FrequencyOracle, LocalRandomizer } from './contracts/local-randomizer.ts';
export type { MeanRandomizer, ValueColumns } from './contracts/mean-randomizer.ts';
export {
  countedUsers,
  modelOf,
  type CategoryCard,
  type MechanismCard,
  type MechanismModel,
  type NumberCard,
  type UserData,
} from './contracts/mechanism.ts';
export {
  beyond,
  checkParameter,
  domainUpTo,
  endOfRange,
  EPSILON0,
  from,
  integer,
  optional,
  rangeText,
  real,
  type Given,
  type ParameterSpec,
  type ParameterValues,
  type RangeEnd,
  setByTarget,
  type TargetRange,
} from './contracts/parameter.ts';
export type {
  Column,
  MessageColumns,
  ShuffledGradients,
  ShuffledMessages,
  UserGradients,
  UserMessages,
} from './contracts/messages.ts';
export {
  TRUST,
  type Adjacency,
  type BoundDirection,
  type PrivacyStatement,
  type Soundness,
  type Target,
  type Trust,
  type Verdict,
} from './contracts/privacy.ts';
export { provedBracket, verdictHere, verdictOfBound, type StatedBound } from './contracts/verdict.ts';
export {
  SIMULATION_PATHS,
  type Cost,
  type MessageCarrier,
  type Protocol,
  type ProtocolParameters,
  type SentBatch,
  type ShuffleTrace,
  type ShuffleTracer,
  type SimulationPath,
} from './contracts/protocol.ts';

export { onDemand } from './on-demand.ts';
export { keptByKey, onceEach, onceEachObject } from './once-each.ts';
export { reusedMemory } from './reused-memory.ts';
export { searched, withSearches, type SearchResults } from './searched.ts';
