import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { twoSampleChiSquare, zTest } from '@shuffle-dp/core/testkit';
import type { VectorSetting } from '../../src/setting.ts';
import { sampledVectorMean } from '../../src/vectors/sampled-vector-mean.ts';
import { averageVector, type VectorData } from '../../src/vectors/vector-data.ts';

/** Each check of this file raises a false alarm with at most this probability; seeds are fixed. */
const SIGNIFICANCE = 1e-6;

function vectors(rows: readonly (readonly number[])[], copies: number): VectorData {
  const dimensions = rows[0]!.length;
  const values = Float64Array.from(Array.from({ length: copies }, () => rows.flat()).flat());
  return { kind: 'vectors', users: rows.length * copies, dimensions, values };
}

const bits = vectors(
  [
    [1, 0, 1, 1],
    [1, 0, 0, 1],
    [0, 0, 1, 1],
  ],
  4,
);
const numbers = vectors(
  [
    [-1, 0.5, 2.9, 0],
    [3, -0.25, 1, -1],
    [0, 0.5, 2.9, 3],
  ],
  4,
);
const setting = (data: VectorData): VectorSetting => ({
  users: data.users,
  dimensions: data.dimensions,
  delta: 1e-6,
  ...(data === numbers ? { range: { low: -1, high: 3 } } : {}),
});

const cases = [
  ['bits, 2 of 4', bits, 2],
  ['bits, all', bits, 4],
  ['numbers, 1 of 4', numbers, 1],
  ['numbers, 3 of 4', numbers, 3],
] as const;

describe.each(cases)('the mean of vectors of %s', (_, data, sampled) => {
  const protocol = sampledVectorMean({ kind: 'vector-mean', sampled, epsilon0: 2 }, setting(data));
  const truth = averageVector(data);
  const root = RandomStream.fromSeed(`vector mean ${sampled}`);

  it.each(protocol.paths)('is unbiased with the expected error, by %s', (path) => {
    const moments = Array.from(truth, () => new RunningMoments());
    const errors = new RunningMoments();
    for (let trial = 0; trial < 2000; trial++) {
      const estimate = protocol.run(data, root.fork(path).fork(trial), path);
      estimate.forEach((value, j) => moments[j]!.add(value));
      errors.add(estimate.reduce((sum, value, j) => sum + (value - truth[j]!) ** 2, 0));
    }
    moments.forEach(({ mean, variance, count }, j) => {
      expect(zTest(mean, truth[j]!, Math.sqrt(variance / count)), `coordinate ${j}`).toBeGreaterThan(
        SIGNIFICANCE,
      );
    });
    const standardError = Math.sqrt(errors.variance / errors.count);
    expect(zTest(errors.mean, protocol.expectedError(data), standardError)).toBeGreaterThan(SIGNIFICANCE);
  });

  it('has one law on both paths, coordinates together', () => {
    // Few flips, which would hide how coordinates compete for the places of a message.
    const clear = sampledVectorMean({ kind: 'vector-mean', sampled, epsilon0: 12 }, setting(data));
    const deviation = Math.sqrt(clear.expectedError(data) / data.dimensions);
    const [a, b] = clear.paths.map((path) => {
      const table = new Float64Array(64);
      for (let trial = 0; trial < 3000; trial++) {
        const estimate = clear.run(data, root.fork(`law ${path}`).fork(trial), path);
        const step = (j: number): number =>
          Math.max(0, Math.min(7, Math.floor(4.5 + (2 * (estimate[j]! - truth[j]!)) / deviation)));
        table[8 * step(0) + step(3)]!++;
      }
      return table;
    });
    expect(twoSampleChiSquare(a!, b!).pValue).toBeGreaterThan(SIGNIFICANCE);
  });
});

describe('the mean of vectors', () => {
  it('meets its central target by the largest local budget', () => {
    const users = 10_000;
    const make = (epsilon0?: number) =>
      sampledVectorMean(
        { kind: 'vector-mean', sampled: 2, ...(epsilon0 === undefined ? {} : { epsilon0 }) },
        { users, dimensions: 16, delta: 1e-6, epsilon: 0.2 },
      );
    const protocol = make();
    const [statement] = protocol.privacy();
    expect(statement!.status).toBe('certified');
    expect(statement!.epsilon.upper).toBeLessThanOrEqual(0.2);
    expect(statement!.epsilon.upper).toBeGreaterThan(0.1999);
    const larger = protocol.parameters.epsilon0 * 1.01;
    expect(make(larger).certifiedPrivacy()[0]!.epsilon.upper).toBeGreaterThan(0.2);
  });

  it('gives the same estimates for the same stream, and shows one shuffle', () => {
    const protocol = sampledVectorMean({ kind: 'vector-mean', sampled: 2, epsilon0: 1 }, setting(bits));
    const stages: string[] = [];
    const run = (seed: string) =>
      protocol.run(bits, RandomStream.fromSeed(seed), 'messages', ({ stage }) => stages.push(stage));
    expect(run('a')).toEqual(run('a'));
    expect(run('a')).not.toEqual(run('b'));
    expect(stages).toEqual(['vectors', 'vectors', 'vectors', 'vectors']);
  });

  it('refuses what does not fit', () => {
    const make = (changes: Partial<VectorSetting>, sampled = 2) =>
      sampledVectorMean({ kind: 'vector-mean', sampled, epsilon0: 1 }, { ...setting(bits), ...changes });
    expect(() => make({}, 5)).toThrow('sampled = 5: must be an integer from 1 to 4');
    expect(() => make({ range: { low: 1, high: 1 } })).toThrow('range.high - range.low = 0');
    expect(() => make({ delta: 0 })).toThrow('delta = 0');
    expect(() => sampledVectorMean({ kind: 'vector-mean', sampled: 2 }, setting(bits))).toThrow(
      'epsilon = "nothing"',
    );
    const run = (data: VectorData) => make({}).run(data, RandomStream.fromSeed('x'), 'messages');
    expect(() => run({ ...bits, users: 11 })).toThrow('data.users = 11: must be 12');
    expect(() => run({ ...bits, values: bits.values.subarray(1) })).toThrow('values.length = 47');
    expect(() => run(numbers)).toThrow('values[0] = -1: must be in [0, 1]');
    expect(() => run({ ...bits, values: bits.values.map(() => Number.NaN) })).toThrow('values[0] = NaN');
  });
});

describe('directions spread evenly', () => {
  // Both ends of every axis have the sphere's mean and mean square, which are all that the error takes.
  const axes = vectors(
    [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 1, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0, 0, -1],
    ],
    5,
  );
  const made = (low: number, high: number, sampled: number) =>
    sampledVectorMean(
      { kind: 'vector-mean', sampled, epsilon0: 1.5 },
      { users: axes.users, dimensions: 3, delta: 1e-6, range: { low, high } },
    );

  it.each([
    [-1, 1, 1],
    [-1, 1, 3],
    [-2, 5, 2],
  ])('err as the ends of the axes do, in a range from %d to %d', (low, high, sampled) => {
    const protocol = made(low, high, sampled);
    expect(protocol.directionsError() / protocol.expectedError(axes)).toBeCloseTo(1, 12);
  });

  it('do not fit into a range that is too narrow', () => {
    expect(() => made(0, 1, 1).directionsError()).toThrow(
      'range = "0 to 1": must be wide enough for the sphere',
    );
  });
});
