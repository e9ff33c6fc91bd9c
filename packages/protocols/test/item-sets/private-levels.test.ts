import { expect, it } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import { segmentedProtocol } from '../../src/item-sets/set-valued-protocol.ts';
import { randomSets } from '../laws/random-data.ts';

it('private choices of level add an error that the printed bound does not have, and a bias that is told', () => {
  const given = {
    users: 500,
    domain: 6,
    items: 2,
    delta: 1e-4,
    levels: [0.2, 4],
    shares: [0.8, 0.2],
  };
  const spec = { kind: 'segmented', blanketRate: 0.3 } as const;
  const noisy = segmentedProtocol({ ...spec, levelEpsilon: 0.1 }, given);
  const held = randomSets('noisy levels', 500, 6, 2, given.shares);
  const errors = Array.from({ length: 600 }, (_, trial) => {
    const estimate = noisy.run(held, RandomStream.fromSeed(`noisy levels ${trial}`), 'aggregated');
    return estimate.reduce((sum, value, j) => sum + (value - held.histogram[j]! / 500) ** 2, 0);
  });
  const mean = errors.reduce((sum, error) => sum + error, 0) / 600;
  const variance = errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / 600;
  const known = segmentedProtocol(spec, given);
  // Fixed seed; were the bound one, the mean would be beyond it with a probability of 1e-6 at most.
  expect((mean - known.theoreticalBound!) / Math.sqrt(variance / 600)).toBeGreaterThan(4.76);
  expect(noisy.theoreticalBound).toBeNull();
  expect(noisy.description).toContain('biased');
  expect(known.description).not.toContain('biased');
});
