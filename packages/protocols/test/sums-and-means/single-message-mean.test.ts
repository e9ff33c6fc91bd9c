// Moments over trials with fixed seeds. z tests at 4.5 standard errors: false-alarm rate of the file below
// 1e-4.
import { blanketDivergence } from '@shuffle-dp/accounting';
import { RandomStream, RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import { gaussianMechanism } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';
import { createNumberProtocol, type NumberData } from '../../src/index.ts';
import type { SingleMessageMeanSpec } from '../../src/sums-and-means/mean-spec.ts';
import { singleMessageMean } from '../../src/sums-and-means/single-message-mean.ts';

const USERS = 60;
const range = { low: -20, high: 60 };
const values = Float64Array.from({ length: USERS }, (_, u) => -20 + (80 * ((u * 7) % 11)) / 10);
const data: NumberData = { kind: 'numbers', users: USERS, values };
const mean = values.reduce((sum, value) => sum + value, 0) / USERS;
const setting = { users: USERS, range, delta: 1e-6 };

const UNBIASED: readonly SingleMessageMeanSpec[] = [
  { kind: 'mean', randomizer: 'laplace', epsilon0: 1 },
  { kind: 'mean', randomizer: 'gaussian', sigma: 0.7 },
  { kind: 'mean', randomizer: 'duchi', epsilon0: 1 },
  { kind: 'mean', randomizer: 'piecewise', epsilon0: 1 },
  { kind: 'mean', randomizer: 'clip-laplace', epsilon0: 1 },
];

function momentsOf(spec: SingleMessageMeanSpec, path: SimulationPath, trials = 4000) {
  const protocol = singleMessageMean(spec, setting);
  const root = RandomStream.fromSeed(`mean ${spec.randomizer} ${path}`);
  const errors = new RunningMoments();
  const squares = new RunningMoments();
  for (let trial = 0; trial < trials; trial++) {
    const error = protocol.run(data, root.fork(trial), path)[0]! - mean;
    errors.add(error);
    squares.add(error * error);
  }
  return { protocol, errors, squares, trials };
}

const cases = UNBIASED.flatMap((spec) =>
  singleMessageMean(spec, setting).paths.map((path) => [spec.randomizer, path, spec] as const),
);

describe('an unbiased mean', () => {
  it.each(cases)('of %s on the path %s has the error of its formula', (_, path, spec) => {
    const { protocol, errors, squares, trials } = momentsOf(spec, path);
    expect(Math.abs(errors.mean) / Math.sqrt(errors.variance / trials)).toBeLessThan(4.5);
    const expected = protocol.expectedError(data)!;
    expect(Math.abs(squares.mean - expected) / Math.sqrt(squares.variance / trials)).toBeLessThan(4.5);
    // The test would see a tenth.
    expect(Math.sqrt(squares.variance / trials) * 4.5).toBeLessThan(0.12 * expected);
  });

  it('comes aggregated where the sum of messages has a law of its own', () => {
    const aggregated = UNBIASED.filter((spec) => singleMessageMean(spec, setting).paths.length === 2);
    expect(aggregated.map(({ randomizer }) => randomizer)).toEqual(['laplace', 'gaussian', 'duchi']);
    const piecewise = singleMessageMean(UNBIASED[3]!, setting);
    expect(() => piecewise.run(data, RandomStream.fromSeed('x'), 'aggregated')).toThrow(
      'path = "aggregated": must be \'messages\'',
    );
  });

  it('of numbers outside the range counts the shift to its ends', () => {
    const outside = { ...data, values: values.map((value) => value + 30) };
    const moved = outside.values.map((value) => Math.min(60, value));
    const shift = moved.reduce((sum, value, u) => sum + value - outside.values[u]!, 0) / USERS;
    const protocol = singleMessageMean(UNBIASED[0]!, setting);
    const inside = protocol.expectedError({ ...data, values: moved })!;
    expect(protocol.expectedError(outside)).toBeCloseTo(inside + shift * shift, 9);
  });
});

it('a billion users cost no more than the different numbers', () => {
  const counts = { points: Float64Array.of(-20, 0, 60), holders: Float64Array.of(4e8, 5e8, 1e8) };
  const many: NumberData = { kind: 'numbers', users: 1e9, counts };
  for (const spec of UNBIASED.slice(0, 3)) {
    const protocol = singleMessageMean(spec, { ...setting, users: 1e9 });
    const [estimate] = protocol.run(many, RandomStream.fromSeed('billion'), 'aggregated');
    expect(Math.abs(estimate! - -2) / Math.sqrt(protocol.expectedError(many)!)).toBeLessThan(4.5);
  }
});

it('the average that the analyzer puts right is exact for equal users, and has no formula', () => {
  const spec = { kind: 'mean', randomizer: 'clip-laplace', epsilon0: 3, correction: 'average' } as const;
  const users = 4000;
  const protocol = singleMessageMean(spec, { ...setting, users });
  const equal: NumberData = { kind: 'numbers', users, values: new Float64Array(users).fill(35) };
  const estimates = new RunningMoments();
  const root = RandomStream.fromSeed('equal');
  for (let trial = 0; trial < 200; trial++)
    estimates.add(protocol.run(equal, root.fork(trial), 'messages')[0]!);
  expect(Math.abs(estimates.mean - 35)).toBeLessThan(0.5);
  expect(protocol.expectedError(equal)).toBeNull();
});

describe('calibration', () => {
  it('ends at Gaussian noise that is proved to meet the target, and that less does not meet', () => {
    const users = 2000;
    const target = { users, range, delta: 1e-5, epsilon: 0.8 };
    const protocol = createNumberProtocol({ kind: 'mean', randomizer: 'gaussian' }, target);
    const { sigma } = protocol.parameters;
    // Both gaps are proved, and of heavy tails the wider one may say more.
    const deltaAt = (deviation: number): number =>
      Math.max(
        ...gaussianMechanism({ sigma: deviation })
          .amplification()
          .blanket.map((atoms) =>
            Math.min(
              ...[1e-5, 1e-3].map(
                (relativeGap) => blanketDivergence(atoms, users, 0.8, { relativeGap }).upper,
              ),
            ),
          ),
      );
    expect(deltaAt(sigma!)).toBeLessThanOrEqual(1e-5);
    expect(deltaAt(sigma! * 0.999)).toBeGreaterThan(1e-5);
    expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(0.8 * (1 + 1e-6));
  });

  it('gives every randomizer at most the target', () => {
    for (const randomizer of ['duchi', 'piecewise']) {
      const target = { users: 1000, range, delta: 1e-5, epsilon: 0.5 };
      const { upper } = createNumberProtocol({ kind: 'mean', randomizer }, target).certifiedPrivacy()[0]!
        .epsilon;
      expect(upper).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
      expect(upper).toBeGreaterThan(0.499);
    }
  });
});

describe('refusals', () => {
  it.each([
    [{ randomizer: 'grr', epsilon0: 1 }, 'randomizer = "grr": must be one of laplace, clip-laplace, duchi'],
    [{ randomizer: 'gaussian', epsilon0: 1 }, 'epsilon0 = 1: must be left out for gaussian'],
    [{ randomizer: 'laplace', sigma: 1 }, 'sigma = 1: must be left out for laplace'],
    [{ randomizer: 'duchi', epsilon0: 1, correction: 'user' }, 'correction = "user": must be left out'],
    [{ randomizer: 'laplace' }, 'epsilon = "nothing": must be given'],
    [{ randomizer: 'laplace', epsilon0: -1 }, 'epsilon0 = -1'],
  ] as const)('%o', (given, message) => {
    expect(() => singleMessageMean({ kind: 'mean', ...given }, setting)).toThrow(message);
  });

  it('data of other users, and a range without width', () => {
    const protocol = singleMessageMean(UNBIASED[0]!, setting);
    expect(() => protocol.expectedError({ ...data, users: 61 })).toThrow('data.users = 61');
    expect(() => singleMessageMean(UNBIASED[0]!, { ...setting, range: { low: 1, high: 1 } })).toThrow(
      'range.high - range.low = 0',
    );
  });
});
