/**
 * Where published bounds for personal budgets do not hold: each against an exact test on a concrete data set.
 * A bound that says (epsilon, delta) is refuted by a test that still gains more than delta at that epsilon.
 */
import { describe, expect, it } from 'vitest';
import {
  certifiedEpsilon,
  evaluatePersonalizedBound,
  evaluatePersonalizedBounds,
  personalizedBounds,
  personalizedPrivacy,
  shuffledCountEpsilon,
  type PersonalizedMechanism,
} from '@shuffle-dp/accounting';
import { normalTail } from '@shuffle-dp/core';
import { grr } from '../published/settings.ts';
import { clipLaplaceGroup, laplaceGroup } from './laws.ts';

interface Users {
  readonly budget: number;
  readonly users: number;
}

function claims(
  groups: readonly Users[],
  mechanism: PersonalizedMechanism,
  delta: number,
  localDelta = 0,
): (name: string) => { epsilon: number; sound: unknown } {
  const budgets = Float64Array.from(groups.flatMap(({ budget, users }) => Array<number>(users).fill(budget)));
  const setting = { budgets, mechanism, localDelta, clip: 1 };
  return (name) => {
    const bound = personalizedBounds.find((candidate) => candidate.name === name)!;
    const { epsilon, sound } = evaluatePersonalizedBound(bound, setting, { delta });
    return { epsilon: epsilon!, sound };
  };
}

describe('hypothesis testing (HPS)', () => {
  it.each([
    [1000, 4, 1e-4, 0.458, 1e-3],
    [1000, 5, 1e-6, 0.9635, 1e-4],
    [10_000, 3, 1e-6, 0.1234, 2e-6],
    [10_000, 5, 1e-6, 0.2512, 1e-4],
  ])('is exceeded at equal budgets: %i users of %f at delta %f', (users, budget, delta, claimed, truth) => {
    const { epsilon, sound } = claims([{ budget, users }], 'laplace', delta)('hps');
    expect(sound).toBe(false);
    expect(epsilon).toBeCloseTo(claimed, 3);
    expect(shuffledCountEpsilon([laplaceGroup(budget, users, 20)], 0, truth, epsilon)).toBeGreaterThan(
      epsilon,
    );
  });

  it('is exceeded by the sum of all messages for Gaussian noise', () => {
    const users = 10_000;
    for (const budget of [0.5, 1, 2]) {
      const { epsilon } = claims([{ budget, users }], 'gaussian', 1e-8, 1e-10)('hps');
      // Neighbouring sums differ by 1 in a deviation of sigma sqrt(n).
      const mu = budget / Math.sqrt(2 * Math.log(1.25e10) * users);
      const truth = normalTail(epsilon / mu - mu / 2) - Math.exp(epsilon) * normalTail(epsilon / mu + mu / 2);
      expect(truth).toBeGreaterThan(9e-8);
    }
  });
});

describe('one user of a small budget among larger ones, Laplace noise', () => {
  const groups = [laplaceGroup(0.5, 1), laplaceGroup(2, 9999)];

  it.each([
    ['hps', 0.0626, 7.8e-3],
    ['uni-shuffle', 0.1305, 7.8e-3],
    ['uni-shuffle-closed', 0.4696, 2.3e-4],
    ['ccc', 0.1287, 7.8e-3],
    ['largest-budget-stronger-clone', 0.0957, 7.8e-3],
  ])('stands alone in the tail: %s claims %f', (name, claimed, truth) => {
    const { epsilon, sound } = claims(groups, 'laplace', 1e-5)(name);
    expect(sound).toBe(false);
    expect(Math.abs(epsilon / claimed - 1)).toBeLessThan(0.01);
    expect(shuffledCountEpsilon(groups, 0, truth, epsilon)).toBeGreaterThan(epsilon);
  });
});

describe('Echo of Neighbors, Clip-Laplace noise', () => {
  it.each([
    ['eon', 5, 1000, 0.2475, 3e-6],
    ['eon', 8, 1000, 0.2509, 6e-5],
    ['eon', 5, 10_000, 0.0719, 2e-6],
    ['eon-closed', 20, 400, 0.9648, 1.5e-6],
  ])('%s is exceeded by a user of budget %f among %i', (name, budget, users, claimed, truth) => {
    const groups = [clipLaplaceGroup(budget, 1), clipLaplaceGroup(0.05, users - 1)];
    const { epsilon, sound } = claims(groups, 'clip-laplace', 1e-6)(name);
    expect(sound).toBe(false);
    expect(Math.abs(epsilon / claimed - 1)).toBeLessThan(0.02);
    expect(shuffledCountEpsilon(groups, 0, truth, epsilon)).toBeGreaterThan(epsilon);
  });

  it('is not exceeded inside the budget ranges of its paper', () => {
    const groups = [0.05, 0.25, 0.5, 0.75, 1].map((budget) => clipLaplaceGroup(budget, 400));
    const { epsilon } = claims(groups, 'clip-laplace', 1e-6)('eon');
    expect(personalizedPrivacy(groups, 1e-6).worst.epsilon.upper).toBeLessThan(epsilon);
  });
});

describe('the Gaussian limit with doubled terms', () => {
  it('is exceeded by randomized response on three values', () => {
    const { epsilon, sound } = claims([{ budget: 3, users: 10_000 }], 'grr', 1e-6)('ccc-hps');
    expect(sound).toBe(false);
    expect(epsilon).toBeCloseTo(0.1728, 3);
    const { lower } = certifiedEpsilon(grr(3, 3, 10_000).amplification, 10_000, 1e-6);
    expect(lower).toBeGreaterThan(0.22);
  });
});

describe('bounds that are called sound', () => {
  it('stay above every attack on Clip-Laplace noise of mixed budgets', () => {
    for (const groups of [
      [clipLaplaceGroup(3, 1), clipLaplaceGroup(0.1, 499)],
      [clipLaplaceGroup(0.1, 1), clipLaplaceGroup(3, 499)],
      [clipLaplaceGroup(1, 250), clipLaplaceGroup(2, 250)],
    ]) {
      const budgets = Float64Array.from(
        groups.flatMap(({ budget, users }) => Array<number>(users).fill(budget)),
      );
      const setting = { budgets, mechanism: 'clip-laplace', localDelta: 0, clip: 1 } as const;
      const attack = Math.max(
        ...groups.map(({ budget }, victim) => shuffledCountEpsilon(groups, victim, 1e-5, budget)),
      );
      const sound = evaluatePersonalizedBounds(setting, { delta: 1e-5 }).filter(
        (bound) => bound.sound === true,
      );
      expect(sound.length).toBeGreaterThan(3);
      for (const { name, epsilon } of sound) {
        if (epsilon !== null) expect(epsilon, `bound ${name}`).toBeGreaterThan(attack);
      }
    }
  });
});
