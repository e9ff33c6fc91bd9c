/**
 * Gradients as sampled bits (S. Wang et al., "Numerical Composition for the Shuffle Model", 2025, sections
 * 7.2 and 8.1, after A. Girgis and S. Diggavi, "Multi-message shuffled privacy in federated learning", 2024).
 * A coordinate, clipped to [-C, C], is a number z in [0, 1] written in m levels: its first m - 1 binary
 * digits, and a bit that is 1 with the probability of what remains. Of each level's vector of bits a user
 * sends a few, flipped now and then, in a message of its own. Each level passes a shuffler of its own.
 */
import { requireInteger, requirePositive, type RandomStream } from '@shuffle-dp/core';
import { vectorRandomizedResponse, type VectorRandomizedResponse } from '@shuffle-dp/randomizers';
import { shuffle } from '@shuffle-dp/shuffler';
import type { GradientSource } from './gradient-source.ts';

export interface SampledBitsSpec {
  /** C: each coordinate of a gradient is clipped to [-C, C]; positive. */
  readonly clipBound: number;
  /** Local budget in nats of all messages that a user sends in one round, positive. */
  readonly messageBudget: number;
  /** m, the binary levels of a coordinate and messages of a user in one round; 1 to 16, default 1. */
  readonly levels?: number;
}

/** One level of the binary expansion: what its bits count for, and how they are sent. */
export interface BitLevel {
  /** Of a bit in z; the weights of all levels add up to 1. */
  readonly weight: number;
  readonly randomizer: VectorRandomizedResponse;
}

export const MOST_BIT_LEVELS = 16;

/** Users whose rows are randomized together. */
const BLOCK = 32;

/**
 * The levels, the heaviest first. A level of weight w gets a share of the budget in proportion to w^(2/3),
 * which makes the sum of w^2 / budget^2 least: the noise of a level that sends one bit. As many bits are sent
 * as a level has nats, rounded, and at least one.
 * @throws ParameterError
 */
export function bitLevels(
  dimensions: number,
  { messageBudget, levels = 1 }: Omit<SampledBitsSpec, 'clipBound'>,
): readonly BitLevel[] {
  requirePositive('messageBudget', messageBudget);
  requireInteger('levels', levels, 1, MOST_BIT_LEVELS);
  // The last level is a rounded remainder, of the size of the last digit.
  const weights = Array.from({ length: levels }, (_, k) => 2 ** -Math.min(k + 1, levels - 1));
  const shares = weights.map((weight) => Math.cbrt(weight * weight));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return weights.map((weight, k) => {
    const epsilon0 = (messageBudget * shares[k]!) / whole;
    const sampled = Math.max(1, Math.min(32, dimensions, Math.round(epsilon0)));
    return { weight, randomizer: vectorRandomizedResponse({ dimensions, sampled, epsilon0 }) };
  });
}

/**
 * The analyzer's unbiased estimate of the average clipped gradient; its coordinates may leave [-C, C].
 * @throws ParameterError
 */
export function aggregateSampledBits(
  source: GradientSource,
  spec: SampledBitsSpec,
  stream: RandomStream,
): Float64Array {
  const { dimensions, users } = source;
  const clipBound = requirePositive('clipBound', spec.clipBound);
  const levels = bitLevels(dimensions, spec);
  const sent = levels.map(({ randomizer }) => randomizer.allocate(users));
  const blocks = levels.map(({ randomizer }) => randomizer.allocate(BLOCK));
  const rows = levels.map(() => new Uint8Array(BLOCK * dimensions));
  const row = new Float64Array(dimensions);
  for (let first = 0; first < users; first += BLOCK) {
    const count = Math.min(BLOCK, users - first);
    for (let i = 0; i < count; i++) {
      source.writeInto(first + i, row);
      const rounding = stream.fork('rounding').fork(first + i);
      writeDigits(row, clipBound, rows, i * dimensions, rounding);
    }
    levels.forEach(({ randomizer }, level) => {
      const block = blocks[level]!;
      const own = stream.fork(`level ${level}`).fork(first);
      randomizer.randomizeInto(rows[level]!.subarray(0, count * dimensions), block, own);
      for (const [name, column] of Object.entries(block.columns))
        sent[level]!.columns[name]!.set(column.subarray(0, count), first);
    });
  }
  const average = new Float64Array(dimensions);
  levels.forEach(({ randomizer, weight }, level) => {
    const messages = { columns: sent[level]!.columns, count: users };
    const means = randomizer.estimateMeans(shuffle(messages, stream.fork('shuffle').fork(level)));
    for (let j = 0; j < dimensions; j++) average[j]! += weight * means[j]!;
  });
  return average.map((z) => clipBound * (2 * z - 1));
}

/** The bits of one gradient at each level, written from `place` on. */
function writeDigits(
  gradient: Float64Array,
  clipBound: number,
  rows: readonly Uint8Array[],
  place: number,
  stream: RandomStream,
): void {
  const last = rows.length - 1;
  for (let j = 0; j < gradient.length; j++) {
    let rest = (Math.min(clipBound, Math.max(-clipBound, gradient[j]!)) / clipBound + 1) / 2;
    for (let level = 0; level < last; level++) {
      rest *= 2;
      // At z = 1 all digits are 1, and 1 remains.
      const digit = rest >= 1 ? 1 : 0;
      rest -= digit;
      rows[level]![place + j] = digit;
    }
    rows[last]![place + j] = stream.next() < rest ? 1 : 0;
  }
}
