/** Data sets of hundreds of cells at tiny budgets: both cells' masses are nearly one half. */
import { expect, test } from 'vitest';
import { evaluatePublishedBounds } from '@shuffle-dp/accounting';
import type { LikelihoodAtoms, Target } from '@shuffle-dp/core';
import { laplaceAtoms } from '../atoms/laplace.ts';

function lowerEnd(atoms: LikelihoodAtoms, epsilon0: number, target: Target): number {
  const amplification = { variationRatio: null, blanket: [], homogeneous: [atoms] };
  const bounds = evaluatePublishedBounds({ users: 1, epsilon0, amplification }, target);
  const bound = bounds.find(({ name }) => name === 'variation-ratio-lower')!;
  return ('epsilon' in target ? bound.delta : bound.epsilon)!;
}

const BUDGETS = [1e-9, 1.2197363076256622e-8, 1.964428103832482e-7, 1e-4, 0.1, 1, 30];

test.each(BUDGETS)('one user with Laplace noise of budget %d', (epsilon0) => {
  for (const cells of [100, 516, 2000, 20_000]) {
    const atoms = laplaceAtoms(epsilon0, 'first value', cells);
    for (const share of [0, 0.01, 0.5, 0.9]) {
      const exact = -Math.expm1(((share - 1) * epsilon0) / 2);
      // The likelier half of the outputs, which is one of the merged cells.
      const likelier =
        -Math.expm1(-epsilon0 / 2) - (Math.expm1(share * epsilon0) * Math.exp(-epsilon0 / 2)) / 2;
      const merged = Math.max(0, likelier);
      const stated = lowerEnd(atoms, epsilon0, { epsilon: share * epsilon0 });
      expect(stated).toBeLessThanOrEqual(Math.min(exact, merged) * (1 + 1e-14));
      expect(stated).toBeGreaterThanOrEqual(merged * (1 - 2e-12) - 1e-14);
    }
    expect(lowerEnd(atoms, epsilon0, { delta: 1e-300 })).toBeLessThanOrEqual(epsilon0 * (1 + 1e-14));
  }
});

/** A cell that the others hardly ever show beside one that they show often: they are not to be exchanged. */
test('victims that differ by their rounding, and others by a hundred magnitudes', () => {
  const half = 0.5;
  const atoms = (rise: number): LikelihoodAtoms => ({
    label: 'two outputs',
    victim0: Float64Array.of(half + rise, half - rise),
    victim1: Float64Array.of(half - rise, half + rise),
    others: Float64Array.of(1e-60, 1),
    symmetric: false,
  });
  for (const rise of [2 ** -30, 2 ** -35, 2 ** -38]) {
    const stated = lowerEnd(atoms(rise), 1, { epsilon: 0 });
    expect(stated).toBeLessThanOrEqual(2 * rise);
    expect(stated).toBeGreaterThanOrEqual(2 * rise - 4e-15);
  }
});
