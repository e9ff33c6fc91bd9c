// Moments over trials with fixed seeds, by z tests at 4.5 standard errors: false-alarm rate of the file below
// 1e-4.
import { RandomStream, RunningMoments, type SimulationPath } from '@shuffle-dp/core';
import { describe, expect, it } from 'vitest';
import { createFrequencyProtocol, createSetProtocol } from '../../src/index.ts';
import { randomCategories, randomSets } from '../laws/random-data.ts';

const USERS = 60;
const DOMAIN = 6;
const data = randomSets('set oracles', USERS, DOMAIN, 2, [1]);
// A target no message alone is worse than: the searches end at once, at a budget near it.
const setting = { users: USERS, domain: DOMAIN, items: 2, delta: 1e-6, levels: [3], shares: [1] };

/** Errors of all items, and their total square, over trials. */
function trials(
  run: (stream: RandomStream) => Float64Array,
  { histogram, users }: { readonly histogram: Float64Array; readonly users: number },
  { seed, count }: { readonly seed: string; readonly count: number },
) {
  const root = RandomStream.fromSeed(seed);
  const items = Array.from(histogram, () => new RunningMoments());
  const squares = new RunningMoments();
  for (let trial = 0; trial < count; trial++) {
    let square = 0;
    run(root.fork(trial)).forEach((estimate, item) => {
      const error = estimate - histogram[item]! / users;
      items[item]!.add(error);
      square += error * error;
    });
    squares.add(square);
  }
  return { items, squares };
}

describe.each(['wheel', 'collision', 'sampled-rappor'] as const)('%s', (kind) => {
  const protocol = createSetProtocol({ kind }, setting);

  it.each(['messages', 'aggregated'] as const)(
    'estimates without bias on the path %s',
    (path: SimulationPath) => {
      const count = path === 'messages' ? 3000 : 5000;
      const { items, squares } = trials((stream) => protocol.run(data, stream, path), data, {
        seed: `${kind} ${path}`,
        count,
      });
      for (const errors of items) expect(Math.abs(errors.mean) / errors.standardError).toBeLessThan(4.5);
      const expected = protocol.expectedError(data)!;
      expect(Math.abs(squares.mean - expected) / squares.standardError).toBeLessThan(4.5);
      // The test would see a tenth.
      expect(4.5 * squares.standardError).toBeLessThan(0.1 * expected);
    },
  );

  it('gives all users their smallest level, as certified', () => {
    const more = createSetProtocol({ kind }, { ...setting, users: 400, levels: [1, 2], shares: [0.5, 0.5] });
    const [certified] = more.certifiedPrivacy();
    expect(certified!.epsilon.upper).toBeLessThanOrEqual(1 * (1 + 1e-9));
    expect(more.parameters.epsilon0).toBeGreaterThanOrEqual(1);
    expect(more.paths).toEqual(['messages', 'aggregated']);
    // Drawn one by one, counts have no joint law.
    expect(more.jointPaths).toEqual(['messages']);
  });
});

it('options of the oracles are passed on', () => {
  expect(() => createSetProtocol({ kind: 'collision', buckets: 2 }, setting)).toThrow('buckets = 2');
  expect(() => createSetProtocol({ kind: 'wheel', length: 0.6 }, setting)).toThrow('length = 0.6');
});

describe('Hadamard response with blocks', () => {
  const categories = randomCategories('blocks', USERS, 9);
  const protocol = createFrequencyProtocol(
    { kind: 'block-hadamard', epsilon0: 2, blocks: 4 },
    { users: USERS, domain: 9, delta: 1e-6 },
  );

  it.each([0.045, 0.3])(
    'at a target no number of blocks errs less than the default: epsilon %d',
    (epsilon) => {
      const setting = { users: 10_000, domain: 64, epsilon, delta: 1e-6 };
      const histogram = new Float64Array(64).fill(10_000 / 64);
      const even = { kind: 'categories', users: 10_000, domain: 64, histogram } as const;
      const errorWith = (blocks?: number): number =>
        createFrequencyProtocol(
          { kind: 'block-hadamard', accounting: 'blanket', ...(blocks === undefined ? {} : { blocks }) },
          setting,
        ).expectedError(even)!;
      const least = Math.min(...[1, 2, 4, 8, 16, 32, 64].map(errorWith));
      expect(errorWith()).toBeLessThanOrEqual(least * (1 + 1e-9));
    },
  );

  it('estimates without bias, with the error of its formula', () => {
    const { items, squares } = trials((stream) => protocol.run(categories, stream, 'messages'), categories, {
      seed: 'blocks',
      count: 4000,
    });
    for (const errors of items) expect(Math.abs(errors.mean) / errors.standardError).toBeLessThan(4.5);
    const expected = protocol.expectedError(categories)!;
    expect(Math.abs(squares.mean - expected) / squares.standardError).toBeLessThan(4.5);
    expect(4.5 * squares.standardError).toBeLessThan(0.1 * expected);
  });

  it('runs message by message', () => {
    expect(protocol.paths).toEqual(['messages']);
    expect(() => protocol.run(categories, RandomStream.fromSeed('x'), 'aggregated')).toThrow(
      'path = "aggregated": must be \'messages\'',
    );
  });
});
