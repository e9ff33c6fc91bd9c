import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { createNumberProtocol } from '../../src/index.ts';
import { describeNumberLaws, randomNumbers } from '../laws/number-laws.ts';

const setting = { users: 300, delta: 1e-6, epsilon: 1 };

describe.each([
  ['on [0, 1]', setting, {}],
  [
    'on [-5, 3], four steps, half honest',
    { ...setting, range: { low: -5, high: 3 } },
    { steps: 4, honest: 0.5 },
  ],
] as const)('split and mix, %s', (_name, given, spec) => {
  const protocol = createNumberProtocol({ kind: 'split-and-mix', ...spec }, given);
  const range = 'range' in given ? given.range : { low: 0, high: 1 };
  describeNumberLaws({
    protocol,
    data: randomNumbers('split and mix', given.users, range),
    trials: 300,
    stages: ['shares'],
  });

  it('meets the target, its distance counted', () => {
    const colluding = 'honest' in spec ? 1 - spec.honest : 0;
    const { epsilon } = protocol.threatenedPrivacy!({ colluding })[0]!;
    expect(protocol.certifiedPrivacy()[0]!.epsilon.upper).toBeLessThanOrEqual(1);
    expect(epsilon.upper).toBeLessThanOrEqual(1);
    expect(epsilon.lower).toBeGreaterThan(0.99);
    const fewer = (protocol.parameters['shares'] as number) - 1;
    const [less] = createNumberProtocol(
      { kind: 'split-and-mix', ...spec, shares: fewer },
      given,
    ).certifiedPrivacy();
    expect(less!.epsilon.upper).toBe(Infinity);
  });
});

describe('split and mix', () => {
  it('errs as the central model does, but for rounding', () => {
    const protocol = createNumberProtocol(
      { kind: 'split-and-mix' },
      { users: 10_000, delta: 1e-6, epsilon: 1 },
    );
    // Of the sum: at most 1/4 of rounding, and discrete Laplace noise on steps of 1/100, of variance next to
    // 2.
    const ofSum = protocol.worstError! * 1e8;
    expect(ofSum).toBeGreaterThan(2.24);
    expect(ofSum).toBeLessThan(2.2501);
    // (m - 2) log2 n >= 2 sigma + log2 q - 2 + log2(m! / m^m) with sigma = 21.8 bits and q of 20: 66 >= 54 at
    // 7, 53 < 56 at 6.
    expect(protocol.cost().messagesPerUser).toBe(7);
  });

  it.each(['messages', 'aggregated'] as const)('reads sums below zero as such, by %s', (path) => {
    const users = 40;
    const protocol = createNumberProtocol({ kind: 'split-and-mix' }, { ...setting, users });
    const data = { kind: 'numbers', users, values: new Float64Array(users) } as const;
    const root = RandomStream.fromSeed('noise below zero');
    const estimates = Array.from({ length: 200 }, (_, i) => protocol.run(data, root.fork(i), path)[0]!);
    const moments = new RunningMoments();
    for (const estimate of estimates) moments.add(estimate);
    expect(estimates.some((estimate) => estimate < 0)).toBe(true);
    expect(zTest(moments.mean, 0, Math.sqrt(protocol.expectedError(data)! / 200))).toBeGreaterThan(1e-4);
  });

  it.each([
    [1, 40],
    [10, 400],
  ])('adds next to no noise in %d steps at a budget of %d', (steps, epsilon) => {
    const protocol = createNumberProtocol({ kind: 'split-and-mix', steps }, { ...setting, epsilon });
    const data = { kind: 'numbers', users: 300, values: new Float64Array(300).fill(1) } as const;
    for (const path of protocol.paths)
      expect(protocol.run(data, RandomStream.fromSeed('no noise'), path)[0]).toBe(1);
  });

  it('refuses what cannot be', () => {
    const make =
      (spec: object, given: object = {}) =>
      () =>
        createNumberProtocol({ kind: 'split-and-mix', ...spec }, { ...setting, ...given });
    expect(make({ honest: 0 })).toThrow('honest = 0: must be in (0, 1]');
    expect(make({ steps: 1e15 })).toThrow('steps = 1000000000000000: must be smaller');
    expect(make({}, { epsilon: 800 })).toThrow('epsilon = 800: must be smaller');
    expect(make({}, { epsilon: undefined })).toThrow('epsilon = "nothing"');
    expect(make({}, { users: 2, delta: 1e-300 })).toThrow('delta = 1e-300: must be larger');
  });
});
