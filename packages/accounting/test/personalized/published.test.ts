/**
 * The published bounds for personal budgets against what the papers print and what their programs compute.
 */
import { describe, expect, it } from 'vitest';
import {
  confoundingProbabilities,
  evaluatePersonalizedBound,
  evaluatePersonalizedBounds,
  expectedEchoes,
  personalizedBounds,
  userLevelEpsilon,
  type EvaluatedBound,
  type PersonalizedSetting,
} from '@shuffle-dp/accounting';
import type { Target } from '@shuffle-dp/core';
import { normalTail, RandomStream, sampleGaussian } from '@shuffle-dp/core';

/** Quantiles of a uniform distribution: one user each. */
function uniform(low: number, high: number, users: number): Float64Array {
  return Float64Array.from({ length: users }, (_, i) => low + ((high - low) * (i + 0.5)) / users);
}

function setting(
  budgets: Float64Array,
  mechanism: PersonalizedSetting['mechanism'],
  localDelta = 0,
): PersonalizedSetting {
  return { budgets, mechanism, localDelta, clip: 0.1 };
}

function byName(of: PersonalizedSetting, target: Target): ReadonlyMap<string, EvaluatedBound> {
  return new Map(evaluatePersonalizedBounds(of, target).map((bound) => [bound.name, bound]));
}

function one(name: string, of: PersonalizedSetting, target: Target): EvaluatedBound {
  return evaluatePersonalizedBound(
    personalizedBounds.find((bound) => bound.name === name)!,
    of,
    target,
  );
}

function epsilonOf(name: string, of: PersonalizedSetting, delta: number): number {
  return one(name, of, { delta }).epsilon!;
}

describe('Echo of Neighbors, 10,000 users at delta 1e-8', () => {
  const uniform2 = setting(uniform(0.05, 1, 10_000), 'clip-laplace');

  it('prints 0.057 and 0.069 in Table 3, which are the numerical forms', () => {
    expect(epsilonOf('eon', uniform2, 1e-8)).toBeCloseTo(0.05714, 5);
    expect(epsilonOf('uni-shuffle', uniform2, 1e-8)).toBeCloseTo(0.06888, 5);
  });

  it('gives three times as much by its theorem', () => {
    expect(epsilonOf('eon-closed', uniform2, 1e-8)).toBeCloseTo(0.2015, 4);
    expect(epsilonOf('uni-shuffle-closed', uniform2, 1e-8)).toBeCloseTo(0.2408, 4);
  });

  it('agrees for the other distributions of Table 2', () => {
    const uniform1 = setting(uniform(0.05, 0.5, 10_000), 'clip-laplace');
    expect(epsilonOf('eon', uniform1, 1e-8)).toBeCloseTo(0.0251, 4);
    const stream = RandomStream.fromSeed('clipped normal budgets');
    const gauss2 = Float64Array.from({ length: 10_000 }, () =>
      Math.min(1, Math.max(0.05, 0.2 + sampleGaussian(stream))),
    );
    expect(Math.abs(epsilonOf('eon', setting(gauss2, 'clip-laplace'), 1e-8) / 0.0538 - 1)).toBeLessThan(0.01);
  });

  it('reaches the user level of Table 3 with all coordinates within 5 %, at the total delta of Table 4', () => {
    const dimension = { epsilon: 0.05714, delta: 1e-8 * Math.tanh(0.5) };
    const apes = userLevelEpsilon(dimension, 7850, 7850 * dimension.delta + dimension.delta);
    expect(Math.abs(apes / 57.6 - 1)).toBeLessThan(0.05);
    const sparse = userLevelEpsilon(dimension, 2 * 1570, 3.6e-5);
    expect(Math.abs(sparse / 25.6 - 1)).toBeLessThan(0.05);
    expect(userLevelEpsilon(dimension, 7850, 3e-5)).toBe(Infinity);
  });

  it('counts echoes as the double sum over users does', () => {
    const budgets = Float64Array.of(0.7, 0.05, 1.3, 0.2, 0.2, 2.5, 0.9);
    const spread = (e: number): number => e / (1 - Math.exp(-e));
    let sum = 0;
    for (const [i, own] of budgets.entries()) {
      if (i === 5) continue;
      for (const other of budgets) sum += (spread(own) / spread(other)) * Math.exp(-Math.max(own, other));
    }
    expect(expectedEchoes(budgets)).toBeCloseTo(sum / budgets.length, 13);
  });
});

describe('the hypothesis-testing bound', () => {
  it("gives Table 2 with its program's noise, and less with the right noise", () => {
    const uniform2 = setting(uniform(0.5, 2, 10_000), 'gaussian', 1e-10);
    const rows = [
      [0.01, 0.0083, 0.0042, 0.0007],
      [0.03, 0.0029, 0.0007, 2.36e-6],
      [0.05, 0.0008, 5e-5, 2.93e-10],
      [0.08, 6e-5, 3e-7, 1.2e-18],
      [0.1, 1e-5, 3e-9, 9.5e-26],
    ] as const;
    for (const [epsilon, fv, ccc, hps] of rows) {
      const deltaOf = (name: string): number => one(name, uniform2, { epsilon }).delta!;
      const against = (name: string, printed: number): number => Math.abs(Math.log2(deltaOf(name) / printed));
      expect(against('largest-budget-stronger-clone', fv), `FV at ${epsilon}`).toBeLessThan(1);
      expect(against('ccc-hps', ccc), `CCC at ${epsilon}`).toBeLessThan(0.3);
      expect(against('hps-program', hps), `HPS at ${epsilon}`).toBeLessThan(0.05);
      expect(deltaOf('hps')).toBeLessThan(deltaOf('hps-program'));
    }
  });

  it('gives the values of its program for Laplace noise', () => {
    // Uniform1 and Uniform2 of the paper at delta 1e-5; the program draws the budgets.
    expect(epsilonOf('hps', setting(uniform(0.5, 2, 10_000), 'laplace'), 1e-5)).toBeCloseTo(0.0539, 3);
    expect(epsilonOf('hps', setting(uniform(0.05, 1, 10_000), 'laplace'), 1e-5)).toBeCloseTo(0.0302, 3);
    expect(epsilonOf('ccc-hps', setting(uniform(0.5, 2, 10_000), 'laplace'), 1e-5)).toBeCloseTo(0.061, 3);
  });

  it('has the largest clone probability near budget 1 for a victim of budget 3 (Figure 3b)', () => {
    const budgets = uniform(0.05, 3.05, 60);
    const probabilities = confoundingProbabilities(setting(budgets, 'laplace'));
    const largest = budgets[probabilities.indexOf(Math.max(...probabilities))]!;
    expect(largest).toBeGreaterThan(0.8);
    expect(largest).toBeLessThan(1.2);
  });

  it('has clone probabilities that integrate the overlaps', () => {
    const density = (z: number, at: number, budget: number): number =>
      (budget / 2) * Math.exp(-budget * Math.abs(z - at));
    const step = 1e-4;
    for (const own of [0.4, 1.7]) {
      let same = 0;
      let across = 0;
      for (let z = -40 + step / 2; z < 40; z += step) {
        const mass = density(z, 0, own) * step;
        if (z < 0.5 && density(z, 0, own) <= density(z, 0, 2.5)) same += mass;
        if (z > 0.5 && density(z, 0, own) <= density(z, 1, 2.5)) across += mass;
      }
      const [probability] = confoundingProbabilities(setting(Float64Array.of(own, 2.5), 'laplace'));
      expect(probability).toBeCloseTo(Math.min(same, across), 3);
    }
    const sigma = Math.sqrt(2 * Math.log(1.25e6)) * 0.1;
    const [, equal] = confoundingProbabilities(setting(Float64Array.of(0.5, 1), 'gaussian', 1e-6));
    expect(equal).toBeCloseTo(normalTail(0.05 / sigma) - 5e-7, 12);
  });
});

describe('every published bound', () => {
  it('refuses what is out of range, by name', () => {
    const target = { delta: 1e-6 };
    expect(() => evaluatePersonalizedBounds(setting(Float64Array.of(1, -1), 'laplace'), target)).toThrow(
      'budgets[1] = -1: must be a positive number',
    );
    expect(() => evaluatePersonalizedBounds(setting(Float64Array.of(1), 'gaussian'), target)).toThrow(
      'localDelta = 0: must be in (0, 1) for Gaussian noise',
    );
  });

  it('falls as delta grows and as users join, and says why where it has no value', () => {
    const few = setting(uniform(0.5, 2, 500), 'laplace');
    const many = setting(
      Float64Array.from({ length: 5000 }, (_, i) => few.budgets[i % 500]!),
      'laplace',
    );
    const strict = byName(few, { delta: 1e-8 });
    const loose = byName(few, { delta: 1e-4 });
    const crowd = byName(many, { delta: 1e-8 });
    for (const [name, bound] of strict) {
      if (bound.epsilon === null) {
        expect(bound.reason, `bound ${name}`).toMatch(/needs|no value/);
        continue;
      }
      expect(loose.get(name)!.epsilon!, `bound ${name}`).toBeLessThanOrEqual(bound.epsilon);
      expect(crowd.get(name)!.epsilon!, `bound ${name}`).toBeLessThan(bound.epsilon * (1 + 1e-12));
    }
  });

  it('has no epsilon at a delta of 0 where losses have no bound', () => {
    const laplace = byName(setting(uniform(0.5, 2, 500), 'laplace'), { delta: 0 });
    for (const name of ['ccc', 'ccc-hps', 'hps'])
      expect(laplace.get(name)).toMatchObject({ epsilon: null, reason: 'needs delta > 0, but delta = 0' });
    const gaussian = setting(uniform(0.5, 2, 500), 'gaussian', 1e-6);
    expect(one('hps-program', gaussian, { delta: 0 }).epsilon).toBeNull();
  });

  it('turns epsilon into delta and back', () => {
    const of = setting(uniform(0.2, 1.5, 2000), 'laplace');
    for (const name of ['eon', 'ccc', 'hps', 'uni-shuffle']) {
      const { epsilon } = one(name, of, { delta: 1e-7 });
      const { delta } = one(name, of, { epsilon: epsilon! });
      expect(Math.abs(delta! / 1e-7 - 1), `bound ${name}`).toBeLessThan(1e-5);
    }
  });
});
