/**
 * Clip-Laplace: Laplace noise around the value, conditioned on the output staying in the range of the values.
 * Y. Liu et al., "Echo of Neighbors: Privacy Amplification for Personalized Private Federated Learning with
 * Shuffle Model", AAAI 2023, Definition 4.
 *
 * Conditioning draws messages towards the middle of the range. Two ways out: the paper's, which inverts the
 * mean function at the average of the messages and is exact only if all values are equal; and ours, where
 * each user sends a message around a value moved outwards, so that its mean is `shrinkage` times the user's
 * value, exactly.
 */
import { ParameterError, Real, requireOneOf, requirePositive, type MeanRandomizer } from '@shuffle-dp/core';
import {
  allocateValues,
  averageMessage,
  budgetCard,
  clampTo,
  requireRange,
  type BoundedNumberParameters,
} from './bounded-value.ts';
import { BLOCK, drawByInversion, drawByRejection } from './clip-laplace-sampler.ts';
import { meanInverter, meanOf, normaliser, varianceOf } from './clip-laplace-moments.ts';
import { exponentialInputs } from '../exponential-noise/exponential-inputs.ts';
import { laplaceMass } from './laplace-mechanism.ts';
import { localRatios } from '../laws/local-ratios.ts';
import {
  cellCount,
  cellsAround,
  endpointProfile,
  middleOf,
  type OutputLaw,
  type InputRange,
} from '../laws/output-cells.ts';

/**
 * 'average': messages are drawn around the values, and the average is put right by the inverse mean function
 * (as published; biased unless all values are equal). 'user': every user corrects, and the estimate is
 * unbiased.
 */
export type ClipLaplaceCorrection = (typeof CLIP_LAPLACE_CORRECTIONS)[number];

export const CLIP_LAPLACE_CORRECTIONS = ['user', 'average'] as const;

/** The input range is that of the messages too. */
export interface ClipLaplaceParameters extends BoundedNumberParameters {
  /** Default 'user'. */
  readonly correction?: ClipLaplaceCorrection;
  /**
   * Only for correction 'user': the mean of a message is the middle of the range plus this many times the
   * distance of the value from it. In (0, largestShrinkage(epsilon0)], the default. Users with different
   * budgets must share one.
   */
  readonly shrinkage?: number;
  /** How messages are drawn; both are exact. Default the faster one: rejection for epsilon0 up to 4. */
  readonly sampler?: 'rejection' | 'inversion';
}

export interface ClipLaplace extends MeanRandomizer {
  /** Scale of the noise, in the units of the values: the width of the range divided by epsilon0. */
  readonly scale: number;
  /** 1 with correction 'average'. */
  readonly shrinkage: number;
  /**
   * The value all users would hold if their messages had this mean; ends of the range for means beyond reach.
   */
  calibrate(mean: number): number;
}

/** For the centres of one block, which are read before the next one is written. */
const room = new Float64Array(BLOCK);

/** Above, fewer than half of the proposals are accepted. */
const REJECTION_UP_TO = 4;

export const CLIP_LAPLACE = budgetCard(
  {
    name: 'clip-laplace',
    title: 'Clip-Laplace mechanism',
    description: 'Laplace noise conditioned on the range of the values.',
    source: 'Liu et al., AAAI 2023 (APES)',
    citation: 'liu2023',
    ratios: { p: 'e^epsilon0', beta: 'tanh(epsilon0/4)', q: 'p' },
    estimator: "the messages' mean, corrected by the mean function of the mechanism",
  },
  clipLaplace,
);

/**
 * The Clip-Laplace mechanism for bounded numbers, with its moments.
 *
 * @throws ParameterError
 * @example clipLaplace({ epsilon0: 1 }).mean(0.5) // 0.0819767
 */
export function clipLaplace(parameters: ClipLaplaceParameters): ClipLaplace {
  const { epsilon0, inputRange = { low: -1, high: 1 } } = parameters;
  requirePositive('epsilon0', epsilon0);
  const range = requireRange(inputRange);
  const correction = requireOneOf('correction', parameters.correction ?? 'user', CLIP_LAPLACE_CORRECTIONS);
  const sampler = requireOneOf(
    'sampler',
    parameters.sampler ?? (epsilon0 <= REJECTION_UP_TO ? 'rejection' : 'inversion'),
    ['rejection', 'inversion'],
  );
  const shrinkage = shrinkageOf(parameters, correction);
  const draw = sampler === 'rejection' ? drawByRejection : drawByInversion;
  const middle = middleOf(range);
  const scale = (range.high - range.low) / epsilon0;
  /** Half of the range in units of the scale; the moments are computed in these units around the middle. */
  const half = epsilon0 / 2;
  const inverseMean = meanInverter(half);
  const centreOf = (input: number): number => {
    const offset = offsetOf(range, input, scale);
    return correction === 'average' ? offset : inverseMean(shrinkage * offset);
  };
  const density = (output: number, centre: number): number =>
    output < range.low || output > range.high
      ? 0
      : Real.exp(-Math.abs((output - middle) / scale - centre)) / (scale * normaliser(centre, half));
  const calibrate = (mean: number): number => middle + scale * inverseMean((mean - middle) / scale);
  return Object.freeze({
    name: 'clip-laplace',
    epsilon0,
    inputRange: range,
    scale,
    shrinkage,
    bitsPerMessage: 64,
    allocate: allocateValues,
    randomizeInto(values, messages, stream) {
      for (let start = 0; start < values.length; start += BLOCK) {
        const centres = room.subarray(0, Math.min(BLOCK, values.length - start));
        writeOffsets(values.subarray(start, start + centres.length), centres, range, scale);
        if (correction === 'user')
          for (let i = 0; i < centres.length; i++) centres[i] = inverseMean(shrinkage * centres[i]!);
        const drawn = messages.columns.value.subarray(start, start + centres.length);
        draw(centres, drawn, { half, middle, scale }, stream);
      }
      messages.count = values.length;
    },
    density: (output, input) => density(output, centreOf(input)),
    mean: (input) => middle + scale * meanOf(centreOf(input), half),
    variance: (input) => scale * scale * varianceOf(centreOf(input), half),
    calibrate,
    estimateMean(messages) {
      const average = averageMessage(messages);
      return correction === 'average' ? calibrate(average) : middle + (average - middle) / shrinkage;
    },
    /** Of the mechanism on the whole range; correction 'user' with a smaller shrinkage uses a part of it. */
    amplification() {
      const law: OutputLaw = {
        inputRange: range,
        mass: (input, from, to) =>
          laplaceMass(input, scale, Math.max(from, range.low), Math.min(to, range.high)) /
          normaliser((input - middle) / scale, half),
        logRatio: (output) => (2 * (middle - clampTo(range, output))) / scale,
      };
      const edges = cellsAround(middle, range.low, range.high, cellCount(epsilon0));
      return endpointProfile(law, edges, localRatios(epsilon0, Real.tanh(epsilon0 / 4)), {
        typed: () => exponentialInputs({ width: epsilon0, isClipped: true }),
      });
    },
  } satisfies ClipLaplace);
}

/**
 * The ratio of the largest mean to the largest value: no message has a larger mean. Falls to 0 as epsilon0
 * does.
 *
 * @example largestShrinkage(1) // 0.163953
 */
export function largestShrinkage(epsilon0: number): number {
  return meanOf(epsilon0 / 2, epsilon0 / 2) / (epsilon0 / 2);
}

/** Where a value stands in its range: from the middle, in units of the scale. */
function offsetOf(range: InputRange, value: number, scale: number): number {
  return (clampTo(range, value) - middleOf(range)) / scale;
}

/** Of every value; a loop of its own, since a mechanism is made for every user and its closures stay cold. */
function writeOffsets(values: Float64Array, out: Float64Array, range: InputRange, scale: number): void {
  for (let i = 0; i < values.length; i++) out[i] = offsetOf(range, values[i]!, scale);
}

function shrinkageOf(
  { epsilon0, shrinkage }: ClipLaplaceParameters,
  correction: ClipLaplaceCorrection,
): number {
  if (correction === 'average') {
    if (shrinkage !== undefined)
      throw new ParameterError('shrinkage', shrinkage, "absent with correction 'average'");
    return 1;
  }
  const largest = largestShrinkage(epsilon0);
  const chosen = shrinkage ?? largest;
  if (!(chosen > 0 && chosen <= largest)) throw new ParameterError('shrinkage', chosen, `in (0, ${largest}]`);
  return chosen;
}
