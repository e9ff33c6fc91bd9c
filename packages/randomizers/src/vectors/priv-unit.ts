/**
 * PrivUnit for unit vectors: a random direction, e^epsilon0 times as likely within a cap around the user's as
 * elsewhere. A. Bhowmick, J. Duchi, J. Freudiger, G. Kapoor, R. Rogers, "Protection Against Reconstruction
 * and Its Applications in Private Federated Learning", 2018. Here the whole budget goes to the choice of the
 * cap, which makes the law one of two levels.
 */
import {
  EPSILON0,
  exactProduct,
  from,
  integer,
  minimizeUnimodal,
  minus,
  optional,
  ParameterError,
  real,
  Real,
  requireInteger,
  requirePositive,
  type AmplificationProfile,
  type Given,
  type LikelihoodAtoms,
  type LocalRandomizer,
  type MechanismCard,
  type MechanismModel,
  type ShuffledMessages,
} from '@shuffle-dp/core';
import { localRatios } from '../laws/local-ratios.ts';
import { profileOnDemand } from '../laws/profile-on-demand.ts';
import { capTypes } from './cap-types.ts';
import { normalise, writeAtAngle } from './directions.ts';
import { capMoment, CosineSampler, capOverlap, capThreshold, smallestCap } from './spherical-cap.ts';
import {
  largestVariation,
  lowBlanket,
  regionAtoms,
  sameAsFirst,
  separateRegions,
  twoLevelLaw,
  type TwoLevelLaw,
} from '../laws/two-level-law.ts';

export interface PrivUnitParameters {
  /** Length of the vectors, 2 to 65536. */
  readonly dimensions: number;
  /** Local budget in nats, positive. */
  readonly epsilon0: number;
  /**
   * Share of the sphere that is the cap, in [1e-12, 1/2], of the circle (2 dimensions) from 1.4e-8; default
   * the one with the least error.
   */
  readonly cap?: number;
}

/** Messages are rows of unit length: message i stands at i * dimensions. */
export type DirectionColumns = { readonly direction: Float64Array };

export interface PrivUnit extends LocalRandomizer<Float64Array, DirectionColumns> {
  readonly dimensions: number;
  readonly cap: number;
  /** Cosine of the angle between the cap's edge and the user's vector. */
  readonly threshold: number;
  /** Length of the mean of a message, in (0, 1): it points where the user's vector does. */
  readonly meanLength: number;
  /** Density of a message against the uniform law on the sphere. */
  density(message: ArrayLike<number>, vector: ArrayLike<number>): number;
  /** Unbiased estimate of the mean of the users' vectors. */
  estimateMean(messages: ShuffledMessages<DirectionColumns>): Float64Array;
  /** Exact sum over the coordinates of the variances of that estimate. */
  totalVariance(users: number): number;
}

/** In few dimensions the smallest caps are narrower than cosines are told apart, see `smallestCap`. */
export const SMALLEST_CAP = 1e-12;

const DIMENSIONS = integer(
  'dimensions',
  from(2),
  from(2 ** 16),
  'length of the vectors; sets the best cap (default 2) and the least cap',
);

export const PRIV_UNIT: MechanismCard = {
  name: 'priv-unit',
  title: 'PrivUnit',
  holds: 'a vector',
  description: 'A unit vector sent as a random direction; directions within a cap around it are likelier.',
  source: 'Bhowmick, Duchi, Freudiger, Kapoor and Rogers, 2018',
  citation: 'bhowmick2018',
  parameters: [
    EPSILON0,
    optional(
      real(
        'cap',
        from(SMALLEST_CAP),
        from(0.5, '1/2'),
        "the cap's share c of the sphere; default the best for one user",
      ),
    ),
    optional(DIMENSIONS),
  ],
  ratios: { p: 'e^epsilon0', beta: 'c (p - 1) / (c p + 1 - c)', q: 'p' },
  estimator: 'the mean of the messages, stretched to keep the mean',
  example: { epsilon0: 1, cap: 0.25 },
  model: modelOfCap,
};

/**
 * The cap's share of the sphere is what counts; the dimensions choose one, and tell whether three caps fit
 * apart.
 */
function modelOfCap(given: Given<'epsilon0'>): MechanismModel {
  const { epsilon0, dimensions = 2 } = given;
  const cap = given['cap'] ?? privUnit({ epsilon0, dimensions }).cap;
  return {
    epsilon0,
    amplification: privUnitProfile(cap, epsilon0, dimensions),
    parameters: { ...given, cap },
  };
}

/**
 * Values are rows of `dimensions` numbers, one user after the other; only their directions matter, and a row
 * without one (all zeros, or not finite) stands for the first unit vector.
 * @throws ParameterError
 * @example privUnit({ dimensions: 3, epsilon0: 1 }).cap // 0.377541
 */
export function privUnit(parameters: PrivUnitParameters): PrivUnit {
  const { dimensions, epsilon0 } = parameters;
  requireInteger('dimensions', dimensions, 2, 2 ** 16);
  requirePositive('epsilon0', epsilon0);
  const cap = parameters.cap ?? bestCap(dimensions, epsilon0);
  const least = Math.max(SMALLEST_CAP, smallestCap(dimensions));
  if (!(cap >= least && cap <= 0.5))
    throw new ParameterError('cap', cap, `in [${least}, 1/2] for ${dimensions} dimensions`);
  const law = twoLevelLaw(cap, epsilon0);
  const threshold = capThreshold(dimensions, cap);
  const inside = cap * law.high;
  const { meanLength, variance } = meanAlong(dimensions, epsilon0, cap, threshold);
  return Object.freeze({
    name: 'priv-unit',
    epsilon0,
    dimensions,
    cap,
    threshold,
    meanLength,
    bitsPerMessage: 64 * dimensions,
    allocate: (users: number) => ({
      columns: { direction: new Float64Array(users * dimensions) },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      const users = values.length / dimensions;
      if (!Number.isInteger(users))
        throw new ParameterError('the number of coordinates', values.length, `a multiple of ${dimensions}`);
      const cosines = new CosineSampler(dimensions, threshold, stream);
      const own = new Float64Array(dimensions);
      for (let user = 0; user < users; user++) {
        const from = user * dimensions;
        normalise(values, from, own);
        const cosine = stream.next() < inside ? cosines.insideCap() : cosines.outsideCap();
        writeAtAngle(own, cosine, messages.columns.direction, from, stream);
      }
      messages.count = users;
    },
    density(message, vector) {
      const own = new Float64Array(dimensions);
      normalise(vector, 0, own);
      let cosine = 0;
      for (let j = 0; j < dimensions; j++) cosine += own[j]! * message[j]!;
      return cosine >= threshold ? law.high : law.low;
    },
    estimateMean({ columns: { direction }, count }) {
      requireInteger('the number of messages', count, 1);
      const sums = new Float64Array(dimensions);
      for (let i = 0, place = 0; i < count; i++)
        for (let j = 0; j < dimensions; j++) sums[j]! += direction[place++]!;
      return sums.map((sum) => sum / (meanLength * count));
    },
    totalVariance: (users) => variance / users,
    amplification: () => privUnitProfile(cap, epsilon0, dimensions),
  } satisfies PrivUnit);
}

/**
 * Caps of at most half the sphere around opposite vectors do not meet. Three caps do not meet around vectors
 * at 120 degrees of each other, where their half-angle is at most 60 degrees. Beta: Wang et al. 2024, Table
 * 2.
 *
 * @example privUnitProfile(0.25, 1, 3).variationRatio // { p: 2.71828, pMinusOne: 1.71828, beta: 0.300489, q: 2.71828 }
 */
export function privUnitProfile(cap: number, epsilon0: number, dimensions: number): AmplificationProfile {
  const threshold = cap < smallestCap(dimensions) ? 1 : capThreshold(dimensions, cap);
  const isNarrow = threshold >= 1 / 2;
  const law = twoLevelLaw(cap, epsilon0);
  const overlap = (angle: number): number => capOverlap(dimensions, threshold, angle);
  return profileOnDemand(localRatios(epsilon0, largestVariation(law)), {
    blanket: () => [lowBlanket('opposite vectors', law)],
    homogeneous: () => [
      isNarrow
        ? regionAtoms(
            'all others hold a third vector, its cap apart',
            law,
            separateRegions(cap, minus(1, exactProduct(3, cap))),
          )
        : threeCaps(law, overlap),
      sameAsFirst("the victim's first vector", law),
    ],
    ...(!isNarrow &&
      epsilon0 <= LARGEST_TYPED_BUDGET && {
        typed: () => capTypes(law, 3 * overlap((2 * Math.PI) / 3) * (1 - OVERLAP_ERROR)),
      }),
  });
}

/** Relative, of overlaps of at least `LEAST_COMMON` of a cap: ten times what sixty digits show. */
const OVERLAP_ERROR = 1e-6;

/** Beyond, cells of types would have to be so small that the blanket is as good. */
const LARGEST_TYPED_BUDGET = 3;

/** Angles of the victim's vectors that are tried, in degrees. */
const ANGLES = Array.from({ length: 61 }, (_, i) => 120 + i);

/**
 * All others opposite to the middle of the victim's two vectors, at the angle of these at which gains vary
 * most: the three are in one plane, and no output lies in all caps.
 */
function threeCaps(law: TwoLevelLaw, overlap: (angle: number) => number): LikelihoodAtoms {
  const { share, high, low } = law;
  let best = { variance: -Infinity, both: 0, third: 0 };
  for (const degrees of ANGLES) {
    const angle = (Math.PI * degrees) / 180;
    const [both, third] = [overlap(angle), overlap(Math.PI - angle / 2)];
    const variance = (2 * (share - both - third)) / low + (2 * third) / high;
    if (variance > best.variance) best = { variance, both, third };
  }
  const { both, third } = best;
  const only = share - both - third;
  return regionAtoms("all others are opposite to the middle of the victim's vectors", law, [
    [only, true, false, false],
    [third, true, false, true],
    [only, false, true, false],
    [third, false, true, true],
    [both, true, true, false],
    [share - 2 * third, false, false, true],
    [1 - 3 * share + both + 2 * third, false, false, false],
  ]);
}

/** Of one message: the length of its mean, and the variance when it is stretched to length 1. */
function meanAlong(
  dimensions: number,
  epsilon0: number,
  cap: number,
  threshold: number,
): { readonly meanLength: number; readonly variance: number } {
  const { high, low, rise } = twoLevelLaw(cap, epsilon0);
  const { moment, lost } = capMoment(dimensions, cap, threshold);
  const meanLength = rise * moment;
  // 1 - meanLength, of which a length near 1 has lost the digits.
  const shortfall = high * lost + low * (1 - lost);
  return { meanLength, variance: Math.max(0, shortfall * (1 + meanLength)) / (meanLength * meanLength) };
}

/** The largest mean along the user's vector, hence the least error. */
function bestCap(dimensions: number, epsilon0: number): number {
  const loss = (logArea: number): number => {
    const area = Real.exp(logArea);
    return meanAlong(dimensions, epsilon0, area, capThreshold(dimensions, area)).variance;
  };
  const least = Math.max(SMALLEST_CAP, smallestCap(dimensions));
  return Real.exp(minimizeUnimodal(loss, Real.log(least) + 1e-9, Real.log(0.5), 1e-6).x);
}
