/**
 * Fixed-point randomized response: a number of a bounded range is rounded at random to one of k + 1 equally
 * spaced levels, with the number as expectation, and the level goes through generalized randomized response.
 * B. Balle, J. Bell, A. Gascón, K. Nissim, "The Privacy Blanket of the Shuffle Model", CRYPTO 2019, Section
 * 3.2.
 *
 * Where we differ: a message is the level's unbiased value, so that the average of the messages is the
 * estimate.
 */
import {
  checkParameter,
  EPSILON0,
  from,
  integer,
  modelOf,
  Real,
  requirePositive,
  type Given,
  type MeanRandomizer,
  type NumberCard,
} from '@shuffle-dp/core';
import { generalizedRandomizedResponse } from '../categories/generalized-randomized-response.ts';
import { clampTo, requireRange, unbiasedMean, type BoundedNumberParameters } from './bounded-value.ts';

export interface FixedPointResponseParameters extends BoundedNumberParameters {
  /** Steps k into which the range is cut, at least 1: there are k + 1 levels. */
  readonly steps: number;
}

export interface FixedPointResponse extends MeanRandomizer {
  readonly steps: number;
  /** Probability that a level is replaced by a uniform one: gamma. */
  readonly uniform: number;
  /** The message that stands for a level, 0 to `steps`. */
  message(level: number): number;
  /** The largest variance of a message over all inputs of the range. */
  readonly largestVariance: number;
}

const STEPS = integer('steps', from(1), from(2 ** 21 - 1), 'steps k between the ends of the range');

export const FIXED_POINT: NumberCard = {
  name: 'fixed-point',
  title: 'Fixed-point randomized response',
  holds: 'a number',
  description:
    'A number of a bounded range, rounded at random to one of k + 1 levels, by randomized response.',
  source: 'Balle, Bell, Gascón and Nissim, CRYPTO 2019',
  citation: 'bbgn2019',
  parameters: [EPSILON0, STEPS],
  ratios: { p: 'e^epsilon0', beta: '(p - 1) / (p + k)', q: 'p' },
  estimator: 'the mean of (y / k - g / 2) / (1 - g) over the levels y sent, g = (k + 1) / (p + k)',
  example: { epsilon0: 3, steps: 8 },
  make: (given: Given<'epsilon0' | 'steps'>) => fixedPointResponse(given),
  model: (given: Given<'epsilon0' | 'steps'>) => modelOf(fixedPointResponse(given), given),
};

/**
 * Fixed-point randomized response for bounded numbers, unbiased.
 *
 * @throws ParameterError
 * @example fixedPointResponse({ epsilon0: 1, steps: 10 }).variance(0.5) // 20.6281
 */
export function fixedPointResponse({
  epsilon0,
  steps,
  inputRange = { low: -1, high: 1 },
}: FixedPointResponseParameters): FixedPointResponse {
  requirePositive('epsilon0', epsilon0);
  checkParameter(STEPS, steps);
  const range = requireRange(inputRange);
  const width = range.high - range.low;
  const levels = steps + 1;
  const oracle = generalizedRandomizedResponse({ domain: levels, epsilon0 });
  const { own, other } = oracle.supportProbability;
  const uniform = levels * other;
  /** 1 - uniform, with all its digits: of a small budget next to nothing is left. */
  const kept = -Real.expm1(-epsilon0) * own;
  const message = (level: number): number => range.low + (width * (level / steps - uniform / 2)) / kept;
  /** The number in steps from the lower end, in [0, k]. */
  const scaled = (input: number): number => (steps * (clampTo(range, input) - range.low)) / width;
  // Given that the level is kept its variance is r (1 - r), given that it is not that of a uniform one; the
  // means differ too.
  const levelVariance = (place: number): number => {
    const rest = place - Math.floor(place);
    return (
      kept * rest * (1 - rest) +
      uniform * kept * (place - steps / 2) ** 2 +
      (uniform * steps * (steps + 2)) / 12
    );
  };
  const scale = (width / (steps * kept)) ** 2;
  return Object.freeze({
    name: 'fixed-point',
    epsilon0,
    ...unbiasedMean(range),
    steps,
    uniform,
    message,
    bitsPerMessage: Math.log2(levels),
    randomizeInto(values, messages, stream) {
      const { value } = messages.columns;
      for (let i = 0; i < values.length; i++) {
        const place = scaled(values[i]!);
        const floor = Math.floor(place);
        // Drawn even where nothing is to be rounded, so that what follows does not depend on the value.
        const rounded = stream.next() < place - floor ? floor + 1 : floor;
        value[i] = message(stream.next() < kept ? rounded : stream.integerBelow(levels));
      }
      messages.count = values.length;
    },
    density(output, input) {
      const level = Math.round(steps * ((kept * (output - range.low)) / width + uniform / 2));
      if (!(level >= 0 && level <= steps && message(level) === output)) return 0;
      return other + kept * Math.max(0, 1 - Math.abs(level - scaled(input)));
    },
    variance: (input) => scale * levelVariance(scaled(input)),
    largestVariance: scale * levelVariance(mostVaryingPlace(steps, uniform, kept)),
    // A number between two levels sends a mixture of what they send: as in Duchi's mechanism only the levels
    // matter.
    amplification: oracle.amplification,
  } satisfies FixedPointResponse);
}

/**
 * The variance is concave between two neighbouring levels, and places that lie alike between theirs vary the
 * more the further they are from the middle: its largest value is in the outermost interval.
 */
function mostVaryingPlace(steps: number, uniform: number, kept: number): number {
  // The derivative kept (1 - 2 r) + 2 uniform kept (k/2 - 1 + r) vanishes at this share r of the interval.
  const share = (1 / 2 + uniform * (steps / 2 - 1)) / kept;
  return steps - 1 + Math.min(1, Math.max(0, share));
}
