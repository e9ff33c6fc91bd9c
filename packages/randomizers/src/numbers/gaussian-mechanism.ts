/**
 * The Gaussian mechanism: the value plus normal noise. Alone it is not pure-DP; its exact local curve is the
 * divergence of two normal laws. Published single-message theorems ask for pure local privacy and do not
 * apply; the blanket does (formula F1).
 */
import {
  fillGaussian,
  from,
  gaussianDivergence,
  modelOf,
  normalMass,
  ParameterError,
  real,
  Real,
  requireWithin,
  sampleGaussian,
  type MeanRandomizer,
  type NumberCard,
  type Given,
  setByTarget,
} from '@shuffle-dp/core';
import { addNoise } from './additive-noise.ts';
import { clampTo, requireRange, unbiasedMean } from './bounded-value.ts';
import { gaussianInputs } from './gaussian-inputs.ts';
import {
  cellsAround,
  endpointProfile,
  middleOf,
  type OutputLaw,
  type InputRange,
} from '../laws/output-cells.ts';

export interface GaussianMechanismParameters {
  /** Standard deviation of the noise in the units of the values; at least 1/20 of the width of the range. */
  readonly sigma: number;
  /** Default [0, 1]. */
  readonly inputRange?: InputRange;
}

export interface GaussianMechanism extends MeanRandomizer {
  readonly sigma: number;
  /** The smallest delta at which one message alone is (epsilon, delta)-DP: exact. */
  localDelta(epsilon: number): number;
}

/**
 * Beyond so many standard deviations outside the range the blanket is taken as zero, and the victim's mass
 * there, 2e-21, is charged to delta in full.
 */
const COVERED = 9.4;
const CELLS_PER_SIDE = 512;
/** Ranges of more deviations have too little in common for the sharp bound to be below the blanket's. */
const WIDEST = 2;

/** Of wider noise, squares leave the doubles. */
const MOST_SIGMA = 1e150;

const SIGMA = setByTarget(
  real(
    'sigma',
    from(0.05),
    from(MOST_SIGMA, '1e150'),
    'standard deviation of the noise; the values have range 1',
  ),
  1e6,
  0.05,
);

export const GAUSSIAN: NumberCard = {
  name: 'gaussian',
  title: 'Gaussian mechanism',
  holds: 'a number',
  description: 'A number in [0, 1] with normal noise.',
  source: 'Dwork et al., EUROCRYPT 2006',
  citation: 'dwork2006noise',
  parameters: [SIGMA],
  ratios: null,
  estimator: 'the mean of the messages',
  example: { sigma: 2 },
  make: (given: Given<'sigma'>) => gaussianMechanism(given),
  model: (given: Given<'sigma'>) => ({
    ...modelOf(gaussianMechanism(given), given),
    localSeparation: 1 / given.sigma,
  }),
};

/**
 * Normal noise for bounded numbers, unbiased.
 *
 * @throws ParameterError
 * @example gaussianMechanism({ sigma: 2 }).variance(0) // 4
 */
export function gaussianMechanism({
  sigma,
  inputRange = { low: 0, high: 1 },
}: GaussianMechanismParameters): GaussianMechanism {
  requireWithin('sigma', sigma, 0, MOST_SIGMA);
  const range = requireRange(inputRange);
  const width = range.high - range.low;
  // Of narrower noise, masses around one end would underflow under the other end.
  if (sigma < width / 20)
    throw new ParameterError('sigma', sigma, `at least ${width / 20}, 1/20 of the width of the range`);
  /** Sensitivity in standard deviations. */
  const separation = width / sigma;
  return Object.freeze({
    name: 'gaussian',
    epsilon0: Infinity,
    ...unbiasedMean(range),
    sigma,
    bitsPerMessage: 64,
    randomizeInto(values, messages, stream) {
      addNoise(values, range, { scale: sigma, fill: fillGaussian }, messages.columns.value, stream);
      messages.count = values.length;
    },
    density(output, input) {
      const z = (output - clampTo(range, input)) / sigma;
      return Real.exp(-0.5 * z * z) / (sigma * Math.sqrt(2 * Math.PI));
    },
    variance: () => sigma * sigma,
    localDelta: (epsilon) => gaussianDivergence(separation, epsilon),
    sampleSum: (input, users, stream) =>
      users * clampTo(range, input) + sigma * Math.sqrt(users) * sampleGaussian(stream),
    amplification() {
      const middle = middleOf(range);
      const law: OutputLaw = {
        inputRange: range,
        mass: (input, from, to) => normalMass(input, sigma, from, to),
        logRatio: (output) => ((middle - output) / sigma) * separation,
      };
      const reach = COVERED * sigma;
      const edges = cellsAround(middle, range.low - reach, range.high + reach, CELLS_PER_SIDE);
      return endpointProfile(law, edges, null, {
        uncovered: true,
        ...(separation <= WIDEST && { typed: () => gaussianInputs(separation) }),
      });
    },
  } satisfies GaussianMechanism);
}
