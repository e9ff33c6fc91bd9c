import { describe, expect, it } from 'vitest';
import { ballsIntoBinsSets } from '../../src/item-sets/balls-into-bins.ts';
import type { SetValuedSetting } from '../../src/setting.ts';
import { describeProtocolLaws, pathsAgree } from '../laws/protocol-laws.ts';
import { randomSets } from '../laws/random-data.ts';

const paper = (users: number, domain: number): SetValuedSetting => ({
  users,
  domain,
  items: 4,
  delta: 0.01 / users,
  levels: [0.5, 1, 2],
  shares: [0.25, 0.5, 0.25],
});

describe('balls into bins', () => {
  it.each([
    [5000, 17, 'group', 6.8, 2.161e-3],
    [5000, 17, 'original', 109.3, 2.267e-2],
    [5000, 128, 'group', 51.2, 1.104e-2],
    [5000, 17, 'exact', 1.644, 1.129e-3],
  ] as const)('n = %d, d = %d, %s: m = %d, bound %d', (users, domain, accounting, blanketRate, bound) => {
    const protocol = ballsIntoBinsSets({ kind: 'balls-into-bins', accounting }, paper(users, domain));
    expect(Math.abs(protocol.parameters.blanketRate / blanketRate - 1)).toBeLessThan(1e-3);
    expect(Math.abs(protocol.theoreticalBound! / bound - 1)).toBeLessThan(1e-3);
  });

  it('is certified at its target, and far within it by the original analysis', () => {
    const setting = paper(5000, 17);
    const [group] = ballsIntoBinsSets({ kind: 'balls-into-bins' }, setting).privacy();
    expect(group!.sound).toBe(true);
    expect(group!.epsilon.upper).toBeLessThanOrEqual(0.5);
    expect(group!.epsilon.upper).toBeGreaterThan(0.4999);
    const original = ballsIntoBinsSets({ kind: 'balls-into-bins', accounting: 'original' }, setting);
    expect(original.privacy()[0]).toMatchObject({ status: 'certified', sound: true });
    expect(original.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThan(0.2);
  });

  it('is not a hair above its target where the search ends next to delta', () => {
    const setting = { users: 3, domain: 3, items: 1, delta: 0.01, levels: [1], shares: [1] };
    const exact = ballsIntoBinsSets({ kind: 'balls-into-bins', accounting: 'exact' }, setting);
    expect(exact.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(1);
  });

  it('has the original analysis only where epsilon per item is at most 1', () => {
    expect(() =>
      ballsIntoBinsSets({ kind: 'balls-into-bins', accounting: 'original', epsilon: 5 }, paper(5000, 17)),
    ).toThrow('epsilon / items <= 1, but it is 1.25');
  });

  const setting: SetValuedSetting = {
    users: 800,
    domain: 6,
    items: 2,
    delta: 1e-4,
    levels: [1, 2],
    shares: [0.5, 0.5],
  };
  it('is certified at its target with negative-binomial blankets, which are accounted for exactly', () => {
    const spec = { kind: 'balls-into-bins', blankets: 'negative-binomial', successProbability: 0.3 } as const;
    const protocol = ballsIntoBinsSets(spec, paper(5000, 17));
    expect(protocol.parameters).toMatchObject({ accounting: 'exact', successProbability: 0.3 });
    // 160 blankets an item, against 484 Poisson ones.
    expect(protocol.parameters.blanketRate).toBeCloseTo((159.8 * 17) / 5000, 3);
    const [stated] = protocol.privacy();
    expect(stated).toMatchObject({ accountant: 'negative-binomial-set', status: 'certified', sound: true });
    expect(stated!.epsilon.upper).toBeLessThanOrEqual(0.5);
    expect(stated!.epsilon.lower).toBeGreaterThan(0.495);
    expect(() => ballsIntoBinsSets({ ...spec, accounting: 'group' }, paper(5000, 17))).toThrow(
      'blankets = "negative-binomial": must be',
    );
  });

  for (const choice of [
    { accounting: 'group' },
    { accounting: 'exact' },
    { blankets: 'negative-binomial' },
  ] as const) {
    describe(`with ${JSON.stringify(choice)}`, () => {
      describeProtocolLaws({
        protocol: ballsIntoBinsSets({ kind: 'balls-into-bins', ...choice }, setting),
        data: randomSets('balls', 800, 6, 2, setting.shares),
        trials: 300,
        stages: ['data messages'],
      });
    });
  }

  it('has one distribution on both paths', () => {
    const small = { ...setting, users: 5, domain: 3, items: 1, levels: [4], shares: [1], delta: 0.2 };
    const protocol = ballsIntoBinsSets({ kind: 'balls-into-bins' }, small);
    const statistic = (estimate: Float64Array): string =>
      [...estimate].map((value) => Math.round(value * 2.5)).join();
    // Fixed seed; false alarm 1e-6.
    expect(pathsAgree(protocol, randomSets('few', 5, 3, 1, [1]), 4000, statistic)).toBeGreaterThan(1e-6);
  });
});
