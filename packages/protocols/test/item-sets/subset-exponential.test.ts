import { describe, expect, it } from 'vitest';
import { subsetExponentialLocal, subsetExponentialShuffled } from '../../src/item-sets/subset-exponential.ts';
import type { SetValuedSetting } from '../../src/setting.ts';
import { describeProtocolLaws } from '../laws/protocol-laws.ts';
import { randomSets } from '../laws/random-data.ts';

const setting: SetValuedSetting = {
  users: 600,
  domain: 8,
  items: 2,
  delta: 1e-4,
  levels: [0.5, 2],
  shares: [0.5, 0.5],
};
const data = randomSets('subset exponential', 600, 8, 2, setting.shares);

describe('subset exponential in the local model', () => {
  const protocol = subsetExponentialLocal({ kind: 'subexp-local' }, setting);
  describeProtocolLaws({ protocol, data, trials: 300, stages: ['data messages'] });

  it('is at the largest level, for certain', () => {
    expect(protocol.parameters.epsilon0).toBe(2);
    expect(protocol.privacy()[0]).toMatchObject({ delta: 0, epsilon: { upper: 2 }, status: 'certified' });
  });
});

describe('subset exponential, shuffled', () => {
  const published = subsetExponentialShuffled({ kind: 'subexp-shuffled' }, setting);
  const certified = subsetExponentialShuffled({ kind: 'subexp-shuffled', accounting: 'blanket' }, setting);
  describeProtocolLaws({ protocol: published, data, trials: 300, stages: ['data messages'] });

  it('meets the smallest level by the accounting asked for', () => {
    for (const protocol of [published, certified]) {
      const [statement] = protocol.privacy();
      expect(statement!.epsilon.upper).toBeLessThanOrEqual(0.5);
      expect(statement!.epsilon.upper).toBeGreaterThan(0.4999);
      expect(protocol.parameters.epsilon0).toBeGreaterThan(0.5);
    }
    expect(published.privacy()[0]!.sound).toBe(false);
    expect(certified.privacy()[0]!.sound).toBe(true);
  });

  it('gives less error than the smallest level would locally', () => {
    const local = subsetExponentialLocal({ kind: 'subexp-local', epsilon0: 0.5 }, setting);
    expect(certified.theoreticalBound!).toBeLessThan(local.theoreticalBound!);
  });
});
