import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { certifiedEpsilon, evaluateBound, originalBound } from '@shuffle-dp/accounting';
import { fixedPointResponse } from '@shuffle-dp/randomizers';
import { createNumberProtocol } from '../../src/index.ts';
import { describeNumberLaws, randomNumbers } from '../laws/number-laws.ts';

const setting = { users: 800, delta: 1e-5, epsilon: 1 };

describe.each([
  ['on [0, 1]', setting, {}],
  ['on [-5, 3], three steps', { ...setting, range: { low: -5, high: 3 } }, { steps: 3 }],
  ['a fixed budget', { users: 800, delta: 1e-5 }, { epsilon0: 2, steps: 4 }],
] as const)('fixed-point randomized response, %s', (_name, given, spec) => {
  const protocol = createNumberProtocol({ kind: 'fixed-point-mean', ...spec }, given);
  describeNumberLaws({
    protocol,
    data: randomNumbers('fixed point', given.users, 'range' in given ? given.range : { low: 0, high: 1 }),
    trials: 400,
    stages: ['levels'],
  });
});

describe('fixed-point randomized response', () => {
  it('has the exact variance, and the largest of all', () => {
    for (const [epsilon0, steps] of [
      [0.5, 1],
      [2, 5],
      [5, 8],
      [4, 3],
    ] as const) {
      const randomizer = fixedPointResponse({ epsilon0, steps, inputRange: { low: 0, high: 1 } });
      const levels = Array.from({ length: steps + 1 }, (_, y) => randomizer.message(y));
      let largest = 0;
      for (let i = 0; i <= 4000; i++) {
        const x = i / 4000;
        largest = Math.max(largest, randomizer.variance(x));
        if (i % 400 !== 100) continue;
        const masses = levels.map((output) => randomizer.density(output, x));
        const sum = (power: number): number =>
          masses.reduce((total, mass, y) => total + mass * levels[y]! ** power, 0);
        expect(sum(0)).toBeCloseTo(1, 12);
        expect(sum(1)).toBeCloseTo(x, 12);
        expect((sum(2) - x * x) / randomizer.variance(x)).toBeCloseTo(1, 10);
        const place = steps * x;
        const law = masses.map((_, y) => 1 + Math.expm1(epsilon0) * Math.max(0, 1 - Math.abs(y - place)));
        const total = law.reduce((a, b) => a + b);
        masses.forEach((mass, y) => expect(mass).toBeCloseTo(law[y]! / total, 12));
      }
      expect(randomizer.largestVariance).toBeGreaterThanOrEqual(largest * (1 - 1e-12));
      expect(randomizer.largestVariance).toBeLessThan(largest * (1 + 1e-5));
    }
  });

  it.each([
    // k and worst error by hand: a grid of k levels, randomized response at the largest certified budget.
    [10_000, 1, 1e-6, 7, 1.5142e-6],
    [10_000, 0.5, 1e-6, 5, 3.3287e-6],
  ])('chooses the grid of least worst error: n = %d, epsilon %d', (users, epsilon, delta, steps, error) => {
    const at = (k?: number) =>
      createNumberProtocol(
        { kind: 'fixed-point-mean', ...(k === undefined ? {} : { steps: k }) },
        { users, delta, epsilon },
      );
    const best = at();
    expect(best.parameters['steps']).toBe(steps);
    expect(best.worstError).toBeCloseTo(error, 9);
    expect(at(steps - 1).worstError!).toBeGreaterThan(best.worstError!);
    expect(at(steps + 1).worstError!).toBeGreaterThan(best.worstError!);
    const certified = best.certifiedPrivacy()[0]!.epsilon;
    expect(certified.upper).toBeLessThanOrEqual(epsilon);
    expect(certified.lower).toBeGreaterThan(0.999 * epsilon);
  });

  it('errs by the power 5/6 of the number of users, as its authors say', () => {
    const error = (users: number): number =>
      createNumberProtocol({ kind: 'fixed-point-mean' }, { users, delta: 1e-6, epsilon: 1 }).worstError!;
    const power = Math.log(error(3000) / error(300_000)) / Math.log(100);
    expect(power).toBeGreaterThan(1.63);
    expect(power).toBeLessThan(1.7);
  }, 20_000);

  it('the original analysis holds, and asks for several times as many uniform levels', () => {
    for (const [levels, users, epsilon0, delta] of [
      [9, 10_000, 3.5, 1e-6],
      [4, 2000, 1, 1e-3],
      [3, 100_000, 5, 1e-6],
      [2, 700, 0.1, 0.5],
    ] as const) {
      const randomizer = fixedPointResponse({ epsilon0, steps: levels - 1 });
      const amplification = randomizer.amplification();
      const bound = originalBound('fixed-point', { epsilon0, steps: levels - 1 })!;
      const { epsilon } = evaluateBound(bound, { users, epsilon0, amplification }, { delta });
      expect(epsilon).not.toBeNull();
      expect(epsilon!).toBeLessThanOrEqual(1);
      const certified = certifiedEpsilon(amplification, users, delta, { epsilon0 });
      expect(certified.upper).toBeLessThan(epsilon!);
    }
  });

  it('the original analysis says nothing beyond epsilon = 1', () => {
    const bound = originalBound('fixed-point', { epsilon0: 5, steps: 8 })!;
    const randomizer = fixedPointResponse({ epsilon0: 5, steps: 8 });
    const setting5 = { users: 1000, epsilon0: 5, amplification: randomizer.amplification() };
    expect(evaluateBound(bound, setting5, { delta: 1e-6 }).reason).toContain(
      'needs epsilon <= 1, but epsilon =',
    );
  });

  it('takes numbers of a billion users by their counts', () => {
    const users = 1e9;
    const protocol = createNumberProtocol(
      { kind: 'fixed-point-mean', steps: 100, epsilon0: 14 },
      { users, delta: 1e-10 },
    );
    const counts = { points: Float64Array.of(0.123, 0.9), holders: Float64Array.of(4e8, 6e8) };
    const data = { kind: 'numbers', users, counts } as const;
    const errors = new RunningMoments();
    const root = RandomStream.fromSeed('a billion');
    for (let trial = 0; trial < 300; trial++)
      errors.add((protocol.run(data, root.fork(trial), 'aggregated')[0]! - 0.5892) ** 2);
    // Mean of 300 squares of normal errors: within 5 deviations.
    expect(Math.abs(errors.mean / protocol.expectedError(data)! - 1)).toBeLessThan(5 * Math.sqrt(2 / 300));
    expect(() => protocol.run(data, root, 'messages')).toThrow("'aggregated' for data that are only counted");
  });

  it('refuses what is no setting', () => {
    const make =
      (given: object, spec: object = {}) =>
      () =>
        createNumberProtocol({ kind: 'fixed-point-mean', ...spec }, { ...setting, ...given });
    expect(make({ users: 0 })).toThrow('users = 0');
    expect(make({ range: { low: 1, high: 1 } })).toThrow('range.high - range.low = 0');
    expect(make({ epsilon: undefined })).toThrow('epsilon = "nothing": must be given');
    expect(make({}, { steps: 0 })).toThrow('steps = 0');
  });
});
