import { describe, expect, it } from 'vitest';
import type { AmplificationProfile } from '@shuffle-dp/core';
import { evaluatePublishedBounds } from '../../src/published/catalogue.ts';
import { cloneBounds } from '../../src/published/clones.ts';
import { metricCloneBound } from '../../src/published/metric-clone.ts';
import { variationRatioDivergence } from '../../src/variation-ratio/variation-ratio.ts';

/** A metric randomizer by its published parameters alone. */
function profileAt(separation: number, reach: number): AmplificationProfile {
  const p = Math.exp(separation);
  const variationRatio = { p, beta: Math.tanh(separation / 2), q: Math.exp(reach) };
  return { variationRatio, blanket: [], homogeneous: [] };
}
const settingAt = (separation: number, reach: number, users: number) => ({
  users,
  epsilon0: reach,
  amplification: profileAt(separation, reach),
});

/**
 * Divergence of the messages of a victim by binary randomized response at `separation` among users who copy
 * one of both outputs with probability 2r, alike often, and else send a third output.
 */
function divergenceOfCopies(separation: number, r: number, others: number, epsilon: number): number {
  const tell = Math.exp(separation) / (1 + Math.exp(separation));
  const law = (first: number): Map<string, number> => {
    let counts = new Map([['0,0', 1]]);
    const users = [[first, 1 - first, 0], ...Array.from({ length: others }, () => [r, r, 1 - 2 * r])];
    for (const [a, b, none] of users) {
      const next = new Map<string, number>();
      for (const [key, mass] of counts) {
        const [left, right] = key.split(',').map(Number) as [number, number];
        for (const [to, share] of [
          [`${left + 1},${right}`, a!],
          [`${left},${right + 1}`, b!],
          [key, none!],
        ] as const)
          next.set(to, (next.get(to) ?? 0) + mass * share);
      }
      counts = next;
    }
    return counts;
  };
  const [one, other] = [law(tell), law(1 - tell)];
  let sum = 0;
  for (const [key, mass] of one) sum += Math.max(0, mass - Math.exp(epsilon) * (other.get(key) ?? 0));
  return sum;
}

describe('clones of users at distances', () => {
  it.each([
    [0.5, 1, 6],
    [1, 2, 9],
    [2, 2.5, 5],
  ])(
    'at separation %f and reach %f are copies that %i users send now and then',
    (separation, reach, users) => {
      for (const epsilon of [0, 0.1, 0.4]) {
        const { value } = metricCloneBound.at(settingAt(separation, reach, users), { epsilon });
        const exact = divergenceOfCopies(separation, Math.exp(-reach) / 2, users - 1, epsilon);
        expect(value!).toBeGreaterThanOrEqual(exact * (1 - 1e-12));
        expect(value!).toBeLessThan(exact * 1.01 + 1e-12);
      }
    },
  );

  it('are those of local privacy where the reach is hardly more than the separation', () => {
    const clone = cloneBounds.find(({ name }) => name === 'clone')!;
    const target = { delta: 1e-6 };
    const metric = metricCloneBound.at(settingAt(1, 1 + 1e-9, 10_000), target).value!;
    expect(metric / clone.at(settingAt(1, 1, 10_000), target).value!).toBeCloseTo(1, 2);
  });

  it('give away no less than the variation-ratio pair with its larger clone probability', () => {
    for (const [separation, reach] of [
      [0.5, 1],
      [1, 3],
    ] as const) {
      const setting = settingAt(separation, reach, 1000);
      const ours = variationRatioDivergence(setting.amplification.variationRatio!, 1000, 0.05).lower;
      expect(metricCloneBound.at(setting, { epsilon: 0.05 }).value!).toBeGreaterThan(ours);
    }
  });

  it('are listed for metrics alone, and say why they do not apply', () => {
    const names = (separation: number, reach: number): string[] =>
      evaluatePublishedBounds(settingAt(separation, reach, 1000), { delta: 1e-6 }).map(({ name }) => name);
    expect(names(1, 2)).toContain('metric-clone');
    expect(names(1, 1)).not.toContain('metric-clone');
    const { value, conditions } = metricCloneBound.at(settingAt(1, 400, 1000), { delta: 1e-6 });
    expect(value).toBeNull();
    expect(conditions.some(({ holds }) => !holds)).toBe(true);
  });
});
