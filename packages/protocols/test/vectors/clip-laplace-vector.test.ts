// Moments over trials with fixed seeds, by z tests at 1e-6 a check.
import { certifiedComposedEpsilon } from '@shuffle-dp/accounting';
import { RandomStream, RunningMoments, type ShuffleTrace } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { clipLaplace } from '@shuffle-dp/randomizers';
import { expect, it } from 'vitest';
import { averageVector, createVectorProtocol, type VectorData } from '../../src/index.ts';

const USERS = 60;
const DIMENSIONS = 3;
const range = { low: -1, high: 3 };
const values = Float64Array.from({ length: USERS * DIMENSIONS }, (_, i) => -1 + (4 * ((i * 7) % 11)) / 10);
const data: VectorData = { kind: 'vectors', users: USERS, dimensions: DIMENSIONS, values };
const setting = { users: USERS, dimensions: DIMENSIONS, range, delta: 1e-5 };
const protocol = createVectorProtocol({ kind: 'clip-laplace-vector', epsilon0: 2 }, setting);

it('estimates the mean without bias, with the error of its formula', () => {
  const truth = averageVector(data);
  const coordinates = Array.from(truth, () => new RunningMoments());
  const squares = new RunningMoments();
  const root = RandomStream.fromSeed('clip-laplace vectors');
  for (let trial = 0; trial < 3000; trial++) {
    let square = 0;
    protocol.run(data, root.fork(trial), 'messages').forEach((estimate, j) => {
      coordinates[j]!.add(estimate - truth[j]!);
      square += (estimate - truth[j]!) ** 2;
    });
    squares.add(square);
  }
  for (const errors of coordinates) expect(zTest(errors.mean, 0, errors.standardError)).toBeGreaterThan(1e-6);
  const expected = protocol.expectedError(data)!;
  expect(zTest(squares.mean, expected, squares.standardError)).toBeGreaterThan(1e-6);
  expect(5 * squares.standardError).toBeLessThan(0.1 * expected);
});

it('shuffles every coordinate on its own', () => {
  const looks: ShuffleTrace[] = [];
  protocol.run(data, RandomStream.fromSeed('look'), 'messages', (look) => looks.push(look));
  expect(looks.map(({ stage }) => stage)).toEqual(['coordinate 0', 'coordinate 1', 'coordinate 2']);
  for (const { before, after } of looks) expect(after).not.toEqual(before);
  const orders = new Set(looks.map(({ permutedBy }) => permutedBy));
  expect(orders.size).toBe(3);
});

it('is accounted as so many rounds, and calibrated to whole vectors', { tags: 'long' }, () => {
  const amplification = clipLaplace({ epsilon0: 2, inputRange: range }).amplification();
  const rounds = [{ amplification, users: USERS, count: DIMENSIONS, epsilon0: 2 }];
  const proved = certifiedComposedEpsilon(rounds, 1e-5, { relativeWidth: 0.01 });
  expect(protocol.certifiedPrivacy()[0]!.epsilon).toEqual(proved);

  const target = { ...setting, users: 2000, epsilon: 0.5 };
  const met = createVectorProtocol({ kind: 'clip-laplace-vector' }, target);
  const { epsilon } = met.certifiedPrivacy()[0]!;
  expect(epsilon.upper).toBeLessThanOrEqual(0.5);
  expect(epsilon.upper).toBeGreaterThan(0.48);
  expect(epsilon.lower).toBeGreaterThan(0);
  // One coordinate alone may have more.
  const alone = createVectorProtocol({ kind: 'clip-laplace-vector' }, { ...target, dimensions: 1 });
  expect(alone.parameters.epsilon0).toBeGreaterThan(met.parameters.epsilon0);
});

it('has no formula where the averages are put right, and refuses what it has not', () => {
  const average = createVectorProtocol(
    { kind: 'clip-laplace-vector', epsilon0: 2, correction: 'average' },
    setting,
  );
  expect(average.expectedError(data)).toBeNull();
  expect(() => protocol.run(data, RandomStream.fromSeed('x'), 'aggregated')).toThrow("must be 'messages'");
  expect(() => protocol.expectedError({ ...data, dimensions: 4 })).toThrow('data.dimensions = 4');
  expect(() => createVectorProtocol({ kind: 'clip-laplace-vector' }, setting)).toThrow(
    'epsilon = "nothing": must be given',
  );
});

it.each([1, 2, 3])('expects of %i directions at once the mean of what single ones expect', (dimensions) => {
  const users = 720;
  const sphere = { users, dimensions, range: { low: -1, high: 1 }, delta: 1e-5 };
  const made = createVectorProtocol({ kind: 'clip-laplace-vector', epsilon0: 1 }, sphere);
  // All three laws of a coordinate: the ends, the cosine of an even angle, an even number (Archimedes).
  const coordinate = (u: number): number => {
    if (dimensions === 1) return u % 2 === 0 ? 1 : -1;
    return dimensions === 2 ? Math.cos((2 * Math.PI * u) / users) : (2 * u + 1) / users - 1;
  };
  const even = Float64Array.from({ length: users * dimensions }, (_, i) =>
    coordinate(Math.floor(i / dimensions)),
  );
  const expected = made.expectedError({ kind: 'vectors', users, dimensions, values: even })!;
  expect(made.directionsError() / expected).toBeCloseTo(1, 5);
});
