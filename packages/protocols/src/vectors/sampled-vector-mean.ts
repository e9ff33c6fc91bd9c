/**
 * Mean of the users' vectors by sampled vector randomized response: every user rounds each coordinate at
 * random to a bit with the same expectation, and sends s of the d bits, flipped now and then, through the
 * shuffler (S. Wang et al., "Numerical Composition for the Shuffle Model", 2025, Theorem 1). For vectors of
 * bits nothing is rounded.
 */
import { ParameterError, Real, sampleBinomial, type RandomStream } from '@shuffle-dp/core';
import { vectorRandomizedResponse } from '@shuffle-dp/randomizers';
import {
  localBudget,
  messageStatements,
  type SingleMessageChoice,
  type SingleMessageParameters,
} from '../local-budget.ts';
import {
  integerField,
  LOCAL_BUDGET,
  SINGLE_MESSAGE_ACCOUNTING,
  type VectorProtocolCard,
} from '../protocol-card.ts';
import { checkVectorSetting, type VectorSetting } from '../setting.ts';
import type { VectorProtocol } from '../shuffle-protocol.ts';
import { randomizedAndShuffled } from '../traced-shuffle.ts';
import { checkVectors, countVectors, type VectorData } from './vector-data.ts';

export interface VectorMeanSpec extends SingleMessageChoice {
  readonly kind: 'vector-mean';
  /** Number s of coordinates that a user sends, 1 to 32 and at most the dimensions; default 1. */
  readonly sampled?: number;
}

export type VectorMeanParameters = SingleMessageParameters & {
  /** Coordinates that a user sends. */
  readonly sampled: number;
  /** Range of every coordinate. */
  readonly low: number;
  readonly high: number;
};

/** Its error has a closed form for all data. */
export interface VectorMeanProtocol extends VectorProtocol<VectorMeanParameters> {
  /** Exact expected sum over the coordinates of squared errors against the mean of the data's vectors. */
  expectedError(data: VectorData): number;
}

export const SAMPLED_VECTOR_MEAN: VectorProtocolCard<VectorMeanSpec, VectorMeanParameters> = {
  kind: 'vector-mean',
  title: 'Vector randomized response',
  dataKind: 'vectors',
  task: 'mean',
  setByTarget: 'local budget',
  sharpBound: true,
  fields: [
    integerField('sampled', 1, 'Coordinates that a user sends, as bits; default 1.'),
    LOCAL_BUDGET,
    SINGLE_MESSAGE_ACCOUNTING,
  ],
  create: sampledVectorMean,
};

/**
 * The mean of vectors by sampled vector randomized response, calibrated to the target.
 *
 * @throws ParameterError, also where neither the spec fixes epsilon0 nor the setting an epsilon
 */
export function sampledVectorMean(spec: VectorMeanSpec, setting: VectorSetting): VectorMeanProtocol {
  const { users, dimensions, range } = checkVectorSetting(setting);
  const { sampled = 1, accounting = 'sharpest' } = spec;
  const { low } = range;
  const width = range.high - low;
  const make = (budget: number) => vectorRandomizedResponse({ dimensions, sampled, epsilon0: budget });
  const { epsilon0, by } = localBudget(spec.epsilon0, make, setting, accounting);
  const randomizer = make(epsilon0);
  const flip = 1 / (1 + Real.exp(epsilon0 / sampled));
  /** Probability of a kept bit less that of a flipped one. */
  const gap = Real.tanh(epsilon0 / sampled / 2);
  const scale = dimensions / sampled;
  /**
   * A user's estimate of x in [0, 1] has second moment (d/s) (flips + x), for bits and rounded numbers alike.
   */
  const flips = (flip * (1 - flip)) / (gap * gap);
  const check = (data: VectorData): void => checkVectors(data, { ...setting, range });

  return Object.freeze({
    kind: 'vector-mean',
    name: 'Vector randomized response',
    description: 'A few coordinates of every user, as flipped bits, in one shuffled message.',
    parameters: Object.freeze({ sampled, epsilon0, accounting, low, high: range.high }),
    paths: ['messages', 'aggregated'] as const,
    jointPaths: ['messages', 'aggregated'] as const,
    theoreticalBound: null,
    run: (data, stream, path, trace) => {
      check(data);
      if (path === 'aggregated') {
        const { chosen, ones } = sampleOnes(
          data,
          sampled,
          (value) => flip + (gap * (value - low)) / width,
          stream,
        );
        return ones.map((count, j) => low + (width * scale * (count - flip * chosen[j]!)) / (gap * users));
      }
      const bits = roundToBits(data, low, width, stream.fork('rounding'));
      const shuffled = randomizedAndShuffled('vectors', randomizer, bits, { users, stream, trace });
      return randomizer.estimateMeans(shuffled).map((mean) => low + width * mean);
    },
    ...messageStatements(randomizer, setting, accounting, by),
    expectedError: (data) => {
      check(data);
      let error = 0;
      for (const value of data.values) {
        const x = (value - low) / width;
        error += scale * (flips + x) - x * x;
      }
      return (error * width * width) / (users * users);
    },
    directionsError: () => {
      if (!(low <= -1 && range.high >= 1))
        throw new ParameterError('range', `${low} to ${range.high}`, 'wide enough for the sphere: -1 to 1');
      // Coordinates are 0 on average, and their squares 1/d.
      const x = -low / width;
      const square = x * x + 1 / (dimensions * width * width);
      return (dimensions * (scale * (flips + x) - square) * width * width) / users;
    },
    cost: () => ({ messagesPerUser: 1, bitsPerUser: randomizer.bitsPerMessage }),
  } satisfies VectorMeanProtocol);
}

/** Each coordinate becomes 1 with the probability of its place in the range. */
function roundToBits({ values }: VectorData, low: number, width: number, stream: RandomStream): Uint8Array {
  const bits = new Uint8Array(values.length);
  for (let i = 0; i < values.length; i++) bits[i] = stream.next() * width < values[i]! - low ? 1 : 0;
  return bits;
}

/**
 * How often each coordinate is sent and how often as a 1, drawn for all users with one vector at once.
 * Coordinates are visited in turn; of those users who still have r of the remaining places to choose, a
 * binomial number choose this one with probability r / remaining. Bits are independent given the choice, so
 * the law is that of the messages.
 * @param oneProbability that a sent bit is 1, for a value
 */
function sampleOnes(
  data: VectorData,
  sampled: number,
  oneProbability: (value: number) => number,
  stream: RandomStream,
): { readonly chosen: Float64Array; readonly ones: Float64Array } {
  const { dimensions } = data;
  const { rows, counts } = countVectors(data);
  const chosen = new Float64Array(dimensions);
  const ones = new Float64Array(dimensions);
  const left = new Float64Array(sampled + 1);
  counts.forEach((count, row) => {
    left.fill(0);
    left[sampled] = count;
    for (let j = 0; j < dimensions; j++) {
      let here = 0;
      // Upwards, so that nobody who has just chosen is asked again.
      for (let r = 1; r <= sampled; r++) {
        const choosing = sampleBinomial(left[r]!, Math.min(1, r / (dimensions - j)), stream);
        left[r]! -= choosing;
        left[r - 1]! += choosing;
        here += choosing;
      }
      chosen[j]! += here;
      const probability = Math.min(1, Math.max(0, oneProbability(rows[row * dimensions + j]!)));
      ones[j]! += sampleBinomial(here, probability, stream);
    }
  });
  return { chosen, ones };
}
