import { describe, expect, it } from 'vitest';
import { RandomStream, RunningMoments } from '@shuffle-dp/core';
import { zTest } from '@shuffle-dp/core/testkit';
import { aggregateGradients } from '../../src/learning/gradient-aggregation.ts';
import type { GradientSource } from '../../src/learning/gradient-source.ts';
import { bitLevels } from '../../src/learning/sampled-bits.ts';

const TRUTH = [0.05, -0.02, 0.037, 0.1, -0.3, 0.09];
const CLIPPED = TRUTH.map((value) => Math.max(-0.1, Math.min(0.1, value)));
const USERS = 20;
const source: GradientSource = {
  users: USERS,
  dimensions: TRUTH.length,
  writeInto: (_, row) => row.set(TRUTH),
};

describe('gradients as sampled bits', () => {
  it('splits a budget over levels whose weights add up to one, a coarse digit more than a fine one', () => {
    const levels = bitLevels(1000, { messageBudget: 8, levels: 4 });
    expect(levels.map(({ weight }) => weight)).toEqual([1 / 2, 1 / 4, 1 / 8, 1 / 8]);
    const budgets = levels.map(({ randomizer }) => randomizer.epsilon0);
    expect(budgets.reduce((sum, budget) => sum + budget, 0)).toBeCloseTo(8, 12);
    // 4^(-k/3), with the last level like the one before.
    expect(budgets[1]! / budgets[0]!).toBeCloseTo(4 ** (-1 / 3), 12);
    expect(budgets[3]).toBeCloseTo(budgets[2]!, 12);
    expect(levels.map(({ randomizer }) => randomizer.sampled)).toEqual([3, 2, 1, 1]);
  });

  it('sends one bit a nat at one level, as the paper has it', () => {
    const [{ randomizer, weight }, ...others] = bitLevels(1000, { messageBudget: 4 }) as [
      ReturnType<typeof bitLevels>[number],
    ];
    expect(others).toEqual([]);
    expect(weight).toBe(1);
    expect(randomizer.sampled).toBe(4);
    expect(1 - randomizer.keep).toBeCloseTo(1 / (Math.E + 1), 12);
  });

  // Eighteen tests at a false alarm rate of 1e-6 each.
  it.each([1, 2, 5])('is unbiased for clipped gradients at %i levels, with the variance of its bits', (m) => {
    const spec = { kind: 'vector-rr', clipBound: 0.1, messageBudget: 6, levels: m } as const;
    const moments = TRUTH.map(() => new RunningMoments());
    for (let trial = 0; trial < 400; trial++) {
      const stream = RandomStream.fromSeed(`bits ${m} ${trial}`);
      aggregateGradients(source, new Float64Array(), spec, stream).forEach((value, j) =>
        moments[j]!.add(value),
      );
    }
    CLIPPED.forEach((truth, j) => {
      const { mean, variance, count } = moments[j]!;
      expect(zTest(mean, truth, Math.sqrt(variance / count)), `dimension ${j}`).toBeGreaterThan(1e-6);
    });
    // At the upper end of the range every digit is 1, and nothing is rounded.
    const expected = bitLevels(TRUTH.length, spec).reduce(
      (sum, { weight, randomizer }) => sum + (0.2 * weight) ** 2 * randomizer.variance(USERS, 1),
      0,
    );
    // A sum of 400 squares has a relative deviation of 7 %.
    expect(Math.abs(moments[3]!.variance / expected - 1)).toBeLessThan(0.35);
  });

  it('writes the digits of the whole range, at the ends too', () => {
    // So large a budget flips nothing, and all coordinates are sent.
    const spec = { kind: 'vector-rr', clipBound: 1, messageBudget: 4000, levels: 3 } as const;
    const values = [-1, -0.5, 0, 0.5, 1];
    const digits: GradientSource = { users: 3, dimensions: 5, writeInto: (_, row) => row.set(values) };
    const average = aggregateGradients(digits, new Float64Array(), spec, RandomStream.fromSeed('digits'));
    average.forEach((value, j) => expect(value).toBeCloseTo(values[j]!, 12));
  });

  it('refuses budgets and levels out of range', () => {
    expect(() => bitLevels(10, { messageBudget: 0 })).toThrow(/messageBudget = 0/u);
    expect(() => bitLevels(10, { messageBudget: 1, levels: 17 })).toThrow(/levels = 17/u);
    const spec = { kind: 'vector-rr', clipBound: 1 } as const;
    expect(() => aggregateGradients(source, new Float64Array(), spec, RandomStream.fromSeed('x'))).toThrow(
      /messageBudget = NaN/u,
    );
  });
});
