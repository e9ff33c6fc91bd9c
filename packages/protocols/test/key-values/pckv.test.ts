// Moments over trials with fixed seeds, by z tests at 4.5 standard errors: false-alarm rate of the file below
// 1e-4.
import { RandomStream, RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { createKeyValueProtocol, keyMeans } from '../../src/index.ts';
import { randomPairs } from '../laws/key-values.ts';

const USERS = 3000;
const data = randomPairs('pairs', USERS, 5, 2);
const setting = {
  users: USERS,
  domain: 5,
  items: 2,
  range: { low: -2, high: 6 },
  delta: 1e-6,
};
const frequencies = data.histogram.map((holders) => holders / USERS);
const means = keyMeans(data, 2);

function errorsOf(measure: 'frequencies' | 'means', path: SimulationPath, count: number) {
  const protocol = createKeyValueProtocol({ kind: 'pckv-grr', epsilon0: 4 }, { ...setting, measure });
  const truth = measure === 'means' ? means : frequencies;
  const root = RandomStream.fromSeed(`${measure} ${path}`);
  const keys = Array.from(truth, () => new RunningMoments());
  const squares = new RunningMoments();
  for (let trial = 0; trial < count; trial++) {
    let square = 0;
    protocol.run(data, root.fork(trial), path).forEach((estimate, key) => {
      const error = estimate - truth[key]!;
      keys[key]!.add(error);
      square += error * error;
    });
    squares.add(square);
  }
  return { protocol, keys, squares, expected: protocol.expectedError(data)! };
}

const PATHS = [
  ['messages', 800],
  ['aggregated', 5000],
] as const;

describe('frequencies of keys', () => {
  it.each(PATHS)('are unbiased on the path %s, with the error of their formula', (path, count) => {
    const { keys, squares, expected } = errorsOf('frequencies', path, count);
    for (const errors of keys) expect(Math.abs(errors.mean) / errors.standardError).toBeLessThan(4.5);
    expect(Math.abs(squares.mean - expected) / squares.standardError).toBeLessThan(4.5);
    expect(4.5 * squares.standardError).toBeLessThan(0.2 * expected);
  });
});

describe('means of values', () => {
  it.each(PATHS)('are near the first-order error on the path %s', (path, count) => {
    const { keys, squares, expected } = errorsOf('means', path, count);
    // The ratio is biased, and its variance larger than to first order: both by little at so many users.
    for (const errors of keys) expect(Math.abs(errors.mean)).toBeLessThan(0.1);
    expect(squares.mean / expected).toBeGreaterThan(0.85);
    expect(squares.mean / expected).toBeLessThan(1.2);
  });

  it('of both paths have one law', () => {
    const [messages, aggregated] = [
      errorsOf('means', 'messages', 800),
      errorsOf('means', 'aggregated', 5000),
    ];
    messages.keys.forEach((errors, key) => {
      const other = aggregated.keys[key]!;
      expect(Math.abs(errors.mean - other.mean)).toBeLessThan(
        4.5 * Math.hypot(errors.standardError, other.standardError),
      );
    });
    expect(Math.abs(messages.squares.mean - aggregated.squares.mean)).toBeLessThan(
      4.5 * Math.hypot(messages.squares.standardError, aggregated.squares.standardError),
    );
  });

  it('of keys that are hardly held have no formula, and no estimate that is no number', () => {
    const few = randomPairs('few', 20, 5, 1);
    const protocol = createKeyValueProtocol(
      { kind: 'pckv-grr', epsilon0: 0.1 },
      { ...setting, users: 20, items: 1, measure: 'means' },
    );
    expect(protocol.expectedError(few)).toBeNull();
    for (let trial = 0; trial < 50; trial++)
      for (const mean of protocol.run(few, RandomStream.fromSeed('few').fork(trial), 'messages'))
        expect(Number.isFinite(mean)).toBe(true);
  });
});

it('meets its target, as certified', () => {
  const protocol = createKeyValueProtocol(
    { kind: 'pckv-grr' },
    { ...setting, measure: 'means', epsilon: 0.5 },
  );
  const { upper } = protocol.certifiedPrivacy()[0]!.epsilon;
  expect(upper).toBeLessThanOrEqual(0.5 * (1 + 1e-9));
  expect(upper).toBeGreaterThan(0.499);
  expect(protocol.parameters.epsilon0).toBeGreaterThan(1);
});

it('refuses data and settings that are not its own', () => {
  const protocol = createKeyValueProtocol(
    { kind: 'pckv-grr', epsilon0: 1 },
    { ...setting, measure: 'means' },
  );
  expect(() => protocol.expectedError({ ...data, domain: 6 })).toThrow('data.domain = 6');
  const { counts: _, ...uncounted } = data;
  expect(() => protocol.run(uncounted, RandomStream.fromSeed('x'), 'aggregated')).toThrow(
    "must be 'messages': the values are too many to count",
  );
  const { pairs: __, ...counted } = data;
  expect(() => protocol.run(counted, RandomStream.fromSeed('x'), 'messages')).toThrow("must be 'aggregated'");
  const bad = { ...setting, measure: 'means' as const, items: 6 };
  expect(() => createKeyValueProtocol({ kind: 'pckv-grr', epsilon0: 1 }, bad)).toThrow('items = 6');
});
