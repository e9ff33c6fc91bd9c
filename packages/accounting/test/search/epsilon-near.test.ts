import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { certifiedEpsilon } from '@shuffle-dp/accounting';
import { gaussianDivergence, Real } from '@shuffle-dp/core';
import { generalizedRandomizedResponse, laplaceMechanism } from '@shuffle-dp/randomizers';
import { worstEpsilonNear } from '../../src/search/epsilon-near.ts';

const TOLERANCE = 5e-5;
const search = (near: number) => ({ near, tolerance: TOLERANCE, slack: 0.01, epsilonMax: 50 });

describe('the epsilon near a guess', () => {
  test('is proved at both ends, of the worst of two curves', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.double({ min: 0.02, max: 1, noNaN: true }),
        fc.double({ min: -9, max: -2, noNaN: true }),
        fc.double({ min: 0.9, max: 1.1, noNaN: true }),
        (first, second, logDelta, guess) => {
          const delta = 10 ** logDelta;
          const curves = [first, second].map((mu) => (epsilon: number) => gaussianDivergence(mu, epsilon));
          const worst = (epsilon: number): number => Math.max(...curves.map((curve) => curve(epsilon)));
          // Bisection knows nothing of slopes.
          let [low, high] = [0, 50];
          for (let step = 0; step < 60; step++) {
            const middle = (low + high) / 2;
            if (worst(middle) > delta) low = middle;
            else high = middle;
          }
          for (const end of ['upper', 'lower'] as const) {
            const found = worstEpsilonNear(curves, delta, end, search(guess * high));
            if (found === null) continue;
            expect(worst(found.value) <= delta).toBe(end === 'upper');
            // A root this close to 0 lies where the rounding of the curve puts it: which side is proved,
            // but not how near.
            if (worst(0) < 1.001 * delta) continue;
            const excess = Real.log(worst(found.value) / delta);
            expect(
              Math.abs(found.value / high - 1) < 10 * TOLERANCE || (excess <= 0 && excess >= -0.01),
            ).toBe(true);
            // Of two lower ends within the tolerance the lesser curve's may be the greater: that curve proves
            // it itself.
            const itsOwn = curves[found.index]!(found.value);
            if (end === 'upper') expect(itsOwn / worst(found.value)).toBeCloseTo(1, 9);
            else expect(itsOwn).toBeGreaterThan(delta);
          }
        },
      ),
    );
  });

  test('takes few evaluations, and one where the guess is the answer', () => {
    const curve = vi.fn<(epsilon: number) => number>((epsilon) => gaussianDivergence(0.1, epsilon));
    const { value } = worstEpsilonNear([curve], 1e-6, 'upper', search(0.4))!;
    expect(curve.mock.calls.length).toBeLessThan(7);
    curve.mockClear();
    expect(worstEpsilonNear([curve], 1e-6, 'upper', search(value))).toEqual({ value, index: 0 });
    expect(curve.mock.calls).toEqual([[value]]);
  });

  test('is not told where no few steps tell, nor beyond the largest epsilon', () => {
    const jump = (epsilon: number): number => (epsilon < 1 ? 1e-3 : 1e-9);
    expect(worstEpsilonNear([jump], 1e-6, 'upper', search(0.5))).toBeNull();
    expect(worstEpsilonNear([() => 0], 1e-6, 'upper', search(0.5))).toBeNull();
    const curve = (epsilon: number): number => gaussianDivergence(0.1, epsilon);
    expect(worstEpsilonNear([curve], 1e-6, 'upper', { ...search(0.2), epsilonMax: 0.3 })).toBeNull();
  });
});

test.each([
  ['grr', generalizedRandomizedResponse({ domain: 16, epsilon0: 3 })],
  ['laplace', laplaceMechanism({ epsilon0: 3 })],
])('hints move the ends of %s by no more than they leave open', (_name, randomizer) => {
  const profile = randomizer.amplification();
  const { epsilon0 } = randomizer;
  const told = certifiedEpsilon(profile, 5000, 1e-6, { epsilon0 });
  const relativeGap = 1e-3;
  for (const near of [told.upper, 0.93 * told.upper, 1.08 * told.upper]) {
    const hinted = certifiedEpsilon(profile, 5000, 1e-6, { epsilon0, relativeGap, near });
    expect(hinted.upper).toBeGreaterThanOrEqual(told.upper * (1 - 1e-6));
    expect(hinted.upper).toBeLessThanOrEqual(told.upper * (1 + 3 * relativeGap));
    expect(hinted.lower).toBeLessThanOrEqual(told.lower * (1 + 1e-6));
    expect(hinted.lower).toBeGreaterThanOrEqual(told.lower * (1 - 3 * relativeGap));
  }
});
