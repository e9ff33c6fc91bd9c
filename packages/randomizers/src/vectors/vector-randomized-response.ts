/**
 * Sampled vector randomized response: of d bits a user sends s, chosen uniformly and openly, each kept with
 * probability r = e^(epsilon0/s) / (1 + e^(epsilon0/s)) and flipped otherwise. Privacy parameters: S. Wang et
 * al., "Numerical Composition for the Shuffle Model", 2025, Theorem 1. Its sum starts at floor(s/2) + 1; the
 * printed s/2 + 1 omits the floor.
 */
import {
  beyond,
  from,
  integer,
  logBinomialCoefficient,
  ParameterError,
  real,
  Real,
  requireInteger,
  requirePositive,
  ROUNDOFF,
  sampleSubset,
  type Given,
  type LocalRandomizer,
  type MechanismCard,
  type MechanismModel,
  type ShuffledMessages,
  setByTarget,
} from '@shuffle-dp/core';
import { fillRandomBits } from '../columns/random-bits.ts';
import { vectorResponseProfile } from './vector-response-profile.ts';

export interface VectorRandomizedResponseParameters {
  /** Number of bits d of a user's vector, at least 1. */
  readonly dimensions: number;
  /** Number of bits s that are sent, 1 to 32 and at most d. */
  readonly sampled: number;
  /** Local budget in nats of the whole message, positive. */
  readonly epsilon0: number;
}

/**
 * `bits` holds the s sent bits, the first in the lowest place; `coordinate0`, `coordinate1`, … (Uint32Array)
 * say, increasing, where they belong. Without sampling (s = d) there are no coordinates.
 */
export type VectorColumns = { readonly bits: Uint32Array; readonly [coordinate: string]: Uint32Array };

export interface VectorRandomizedResponse extends LocalRandomizer<Uint8Array, VectorColumns> {
  readonly dimensions: number;
  readonly sampled: number;
  /** Probability r that a sent bit is the user's. */
  readonly keep: number;
  /** Unbiased estimates of the fractions of users whose bit is 1, by coordinate; may leave [0, 1]. */
  estimateMeans(messages: ShuffledMessages<VectorColumns>): Float64Array;
  /**
   * Exact variance of the estimate of a coordinate that is 1 for the fraction `frequency` of `users` users.
   */
  variance(users: number, frequency: number): number;
  /** log Pr[message | row of d bits]; the message is the bits, then the coordinates. */
  logProbability(message: readonly number[], row: ArrayLike<number>): number;
}

export const VECTOR_RR: MechanismCard = {
  name: 'vector-rr',
  title: 'Vector randomized response',
  holds: 'a vector',
  description:
    'A vector of bits, each kept or flipped independently; with sampling, only the bits that are sent.',
  source: 'Warner, JASA 1965, on every bit',
  citation: 'warner1965',
  parameters: [
    integer('bits', from(1), from(32), 'bits in a message'),
    setByTarget(
      real('keepProbability', beyond(0.5, '1/2'), beyond(1), 'probability r that a bit is sent as it is'),
      0.5,
      1,
    ),
  ],
  ratios: { p: '(r / (1 - r))^s', beta: 'Pr[Bin(s, r) > s/2] - Pr[Bin(s, r) < s/2]', q: 'p' },
  estimator: 'per bit (C / n - (1 - r)) / (2 r - 1)',
  example: { bits: 8, keepProbability: 0.6 },
  model: modelOfBits,
};

function modelOfBits(given: Given<'bits' | 'keepProbability'>): MechanismModel {
  const { bits, keepProbability: keep } = given;
  // Both differences are exact, and the logarithm keeps its digits where the ratio is near 1.
  const budget = bits * Real.log1p((2 * keep - 1) / (1 - keep));
  // A quotient, a logarithm and a product round by up to four roundoffs: no loss is above.
  const epsilon0 = budget * (1 + 8 * ROUNDOFF);
  // Not by way of the budget, whose rounding would be that of another probability.
  return {
    epsilon0,
    amplification: vectorResponseProfile(bits, bits, epsilon0, keep, 1 - keep),
    parameters: given,
  };
}

/**
 * Values are rows of d bytes, 0 or 1, one row after the other.
 * @throws ParameterError
 * @example vectorRandomizedResponse({ dimensions: 8, sampled: 2, epsilon0: 1 }).epsilon0 // 1
 */
export function vectorRandomizedResponse({
  dimensions,
  sampled,
  epsilon0,
}: VectorRandomizedResponseParameters): VectorRandomizedResponse {
  requireInteger('dimensions', dimensions, 1, 2 ** 31);
  requireInteger('sampled', sampled, 1, Math.min(32, dimensions));
  requirePositive('epsilon0', epsilon0);
  const perBit = epsilon0 / sampled;
  const keep = 1 / (1 + Real.exp(-perBit));
  const flip = 1 / (1 + Real.exp(perBit));
  /** 2r - 1. */
  const gap = Real.tanh(perBit / 2);
  const all = sampled === dimensions;
  const names = Array.from({ length: all ? 0 : sampled }, (_, i) => `coordinate${i}`);
  const coordinatesOf = (columns: VectorColumns): Uint32Array[] => names.map((name) => columns[name]!);
  const scale = dimensions / sampled;
  return Object.freeze({
    name: 'vector-rr',
    epsilon0,
    dimensions,
    sampled,
    keep,
    bitsPerMessage: sampled + (all ? 0 : sampled * Math.ceil(Math.log2(dimensions))),
    allocate: (users: number) => ({
      columns: {
        bits: new Uint32Array(users),
        ...Object.fromEntries(names.map((name) => [name, new Uint32Array(users)])),
      },
      count: 0,
    }),
    randomizeInto(values, messages, stream) {
      const { bits } = messages.columns;
      const users = values.length / dimensions;
      if (!Number.isInteger(users))
        throw new ParameterError('the number of bits', values.length, `a multiple of ${dimensions}`);
      // The flips stand in the column before the user's bits are added.
      fillRandomBits(bits, users, flip, sampled, stream);
      if (all) xorRows(values, bits, users, sampled);
      else {
        const coordinates = coordinatesOf(messages.columns);
        const chosen = new Uint32Array(sampled);
        for (let user = 0; user < users; user++) {
          sampleSubset(sampled, dimensions, chosen, 0, stream);
          let word = 0;
          for (let i = 0; i < sampled; i++) {
            const j = chosen[i]!;
            coordinates[i]![user] = j;
            word |= (values[user * dimensions + j]! & 1) << i;
          }
          bits[user]! ^= word;
        }
      }
      messages.count = users;
    },
    estimateMeans({ columns, count }) {
      requireInteger('the number of messages', count, 1);
      const { bits } = columns;
      const coordinates = coordinatesOf(columns);
      // Ones minus flips expected among the bits sent for each coordinate.
      const sums = new Float64Array(dimensions);
      for (let i = 0; i < sampled; i++) {
        const column = coordinates[i];
        for (let message = 0; message < count; message++) {
          const j = column ? column[message]! : i;
          sums[j]! += ((bits[message]! >>> i) & 1) - flip;
        }
      }
      return sums.map((sum) => (sum * scale) / (gap * count));
    },
    variance: (users, frequency) => (scale * ((keep * flip) / (gap * gap)) + (scale - 1) * frequency) / users,
    logProbability([bits, ...coordinates], row) {
      let flips = 0;
      for (let i = 0; i < sampled; i++)
        flips += (((bits! >>> i) & 1) ^ (row[all ? i : coordinates[i]!]! & 1)) === 1 ? 1 : 0;
      return (
        sampled * Real.log(keep) - flips * perBit - (all ? 0 : logBinomialCoefficient(dimensions, sampled))
      );
    },
    amplification: () => vectorResponseProfile(dimensions, sampled, epsilon0, keep, flip),
  } satisfies VectorRandomizedResponse);
}

function xorRows(values: Uint8Array, bits: Uint32Array, users: number, width: number): void {
  for (let user = 0, place = 0; user < users; user++) {
    let word = 0;
    for (let i = 0; i < width; i++) word |= (values[place++]! & 1) << i;
    bits[user]! ^= word;
  }
}
