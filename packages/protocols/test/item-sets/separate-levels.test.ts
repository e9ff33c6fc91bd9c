import { describe, expect, it } from 'vitest';
import { separateLevels } from '../../src/item-sets/separate-levels.ts';
import { levelHistograms } from '../../src/item-sets/level-histograms.ts';
import type { SetValuedSetting } from '../../src/setting.ts';
import { describeProtocolLaws } from '../laws/protocol-laws.ts';
import { randomLevels, randomSets, withoutLevels } from '../laws/random-data.ts';
import { RandomStream } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';

describe('separate protocols per level', () => {
  // Shares 1/4, 1/2, 1/4 of levels 0.5, 1, 2; s = 4, delta = 0.01 / n.
  it.each([
    [17, { kind: 'sep-mm' }, 3.69e-3],
    [17, { kind: 'weighted-sep-mm' }, 2.21e-3],
    [17, { kind: 'weighted-sep-mm', weights: 'inverse' }, 1.83e-3],
    [128, { kind: 'sep-mm' }, 2.2e-2],
    [128, { kind: 'weighted-sep-mm' }, 8.66e-3],
    [128, { kind: 'weighted-sep-mm', weights: 'inverse' }, 7.26e-3],
  ] as const)('d = %d, %j: bound %d', (domain, spec, bound) => {
    const protocol = separateLevels(spec, {
      users: 5000,
      domain,
      items: 4,
      delta: 0.01 / 5000,
      levels: [0.5, 1, 2],
      shares: [0.25, 0.5, 0.25],
    });
    expect(Math.abs(protocol.theoreticalBound! / bound - 1)).toBeLessThan(4e-3);
  });

  const setting: SetValuedSetting = {
    users: 900,
    domain: 6,
    items: 2,
    delta: 1e-4,
    levels: [1, 2],
    shares: [1 / 3, 2 / 3],
  };
  const data = randomSets('separate', 900, 6, 2, setting.shares);
  const { items, users } = levelHistograms(data, 2);

  for (const spec of [
    { kind: 'sep-mm' },
    { kind: 'weighted-sep-mm' },
    { kind: 'sep-mm', blankets: 'negative-binomial', successProbability: 0.4 },
  ] as const) {
    describe(JSON.stringify(spec), () => {
      const protocol = separateLevels(spec, setting);
      const weights = protocol.parameters.weights;
      describeProtocolLaws({
        protocol,
        data,
        trials: 300,
        expectation: Float64Array.from(
          { length: 6 },
          (_, j) => (weights[0]! * items[0]![j]!) / users[0]! + (weights[1]! * items[1]![j]!) / users[1]!,
        ),
        stages: ['data messages', 'data messages'],
      });
    });
  }

  it('expects over assignments what it expects on average of them', () => {
    const protocol = separateLevels({ kind: 'sep-mm' }, setting);
    const stream = RandomStream.fromSeed('separate assignments');
    const given = Array.from({ length: 300 }, () =>
      protocol.expectedError({ ...data, levelOf: randomLevels(stream, 900, setting.shares) })!,
    );
    const mean = given.reduce((sum, error) => sum + error, 0) / given.length;
    const variance = given.reduce((sum, error) => sum + (error - mean) ** 2, 0) / given.length;
    // Fixed seed; false alarm 1e-6.
    expect(
      zTest(mean, protocol.expectedError(withoutLevels(data))!, Math.sqrt(variance / 300)),
    ).toBeGreaterThan(1e-6);
  });

  it('protects each level at its own epsilon', () => {
    const statements = separateLevels({ kind: 'sep-mm' }, setting).privacy();
    expect(statements.map(({ group }) => group)).toEqual(['level 1', 'level 2']);
    statements.forEach(({ epsilon, sound }, k) => {
      expect(sound).toBe(true);
      expect(epsilon.upper).toBeLessThanOrEqual(setting.levels[k]!);
      expect(epsilon.upper).toBeGreaterThan(setting.levels[k]! * 0.999);
    });
  });

  it('refuses data whose groups are not those of the setting', () => {
    const other = { ...data, levelOf: new Uint8Array(900) };
    expect(() =>
      separateLevels({ kind: 'sep-mm' }, setting).run(other, RandomStream.fromSeed('x'), 'aggregated'),
    ).toThrow("users of level 0 = 900: must be 300, by the setting's shares");
    expect(() => separateLevels({ kind: 'sep-mm' }, { ...setting, shares: [0, 1] })).toThrow(
      'shares[0] = 0: must be enough for one user',
    );
  });
});
