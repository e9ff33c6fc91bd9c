// Moments over trials with fixed seeds, by z tests at 4.5 standard errors: false-alarm rate of the file below
// 1e-4.
import { RandomStream, RunningMoments, sampleGaussian, type ShuffleTrace } from '@shuffle-dp/core';
import { expect, it } from 'vitest';
import { averageVector, createVectorProtocol, type VectorData } from '../../src/index.ts';

const USERS = 50;
const DIMENSIONS = 5;
const stream = RandomStream.fromSeed('directions');
const values = new Float64Array(USERS * DIMENSIONS);
for (let u = 0; u < USERS; u++) {
  const row = Array.from({ length: DIMENSIONS }, (_, j) => sampleGaussian(stream) + (j === 0 ? 2 : 0));
  row.forEach((value, j) => (values[u * DIMENSIONS + j] = value / Math.hypot(...row)));
}
const data: VectorData = { kind: 'vectors', users: USERS, dimensions: DIMENSIONS, values };
const setting = { users: USERS, dimensions: DIMENSIONS, range: { low: -1, high: 1 }, delta: 1e-6 };
const protocol = createVectorProtocol({ kind: 'priv-unit', epsilon0: 3 }, setting);

it('estimates the mean without bias, with the error of its formula', () => {
  const truth = averageVector(data);
  const coordinates = Array.from(truth, () => new RunningMoments());
  const squares = new RunningMoments();
  const root = RandomStream.fromSeed('priv-unit');
  for (let trial = 0; trial < 3000; trial++) {
    let square = 0;
    protocol.run(data, root.fork(trial), 'messages').forEach((estimate, j) => {
      coordinates[j]!.add(estimate - truth[j]!);
      square += (estimate - truth[j]!) ** 2;
    });
    squares.add(square);
  }
  for (const errors of coordinates) expect(Math.abs(errors.mean) / errors.standardError).toBeLessThan(4.5);
  const expected = protocol.expectedError(data)!;
  // A direction's error is that of any other.
  expect(protocol.directionsError()).toBe(expected);
  expect(Math.abs(squares.mean - expected) / squares.standardError).toBeLessThan(4.5);
  expect(4.5 * squares.standardError).toBeLessThan(0.1 * expected);
});

it('shows both sides of the shuffle, of which the estimate sees one', () => {
  const looks: ShuffleTrace[] = [];
  protocol.run(data, RandomStream.fromSeed('look'), 'messages', (look) => looks.push(look));
  expect(looks).toHaveLength(1);
  expect(looks[0]).toMatchObject({ stage: 'directions', messages: USERS });
  expect(looks[0]!.before).not.toEqual(looks[0]!.after);
});

it('meets its target, as certified', () => {
  const met = createVectorProtocol({ kind: 'priv-unit' }, { ...setting, users: 2000, epsilon: 0.5 });
  const { upper } = met.certifiedPrivacy()[0]!.epsilon;
  expect(upper).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
  expect(upper).toBeGreaterThan(0.499);
});

it('refuses vectors that are no directions, and what does not fit', () => {
  const longer = { ...data, values: values.map((value) => value / 2) };
  expect(() => protocol.expectedError(longer)).toThrow(/the length of vector 0 = 0\.5.*: must be 1/u);
  expect(() => protocol.run(data, RandomStream.fromSeed('x'), 'aggregated')).toThrow("must be 'messages'");
  expect(() => protocol.expectedError({ ...data, dimensions: 4 })).toThrow('data.dimensions = 4');
  expect(() => createVectorProtocol({ kind: 'priv-unit', epsilon0: 1, cap: 0.7 }, setting)).toThrow(
    'cap = 0.7',
  );
});
