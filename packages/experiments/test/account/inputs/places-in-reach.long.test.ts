// @module-tag long
/**
 * The bound of planar Laplace noise against listing everything: mixed data, outputs told by quarters of the
 * plane.
 */
import { expect, it } from 'vitest';
import { sharpestDelta } from '@shuffle-dp/accounting';
import { planarLaplaceProfile } from '@shuffle-dp/randomizers';
import { exhaustiveDivergence } from '../../../../accounting/test/oracle/exhaustive-divergence.ts';

/** Masses of the four quarters around a point, by midpoints of squares. */
function quarterMasses(from: readonly [number, number], around: readonly [number, number]): number[] {
  const [cells, reach] = [400, 14];
  const step = (2 * reach) / cells;
  const masses = [0, 0, 0, 0];
  for (let i = 0; i < cells; i++) {
    for (let k = 0; k < cells; k++) {
      const [x, y] = [around[0] - reach + (i + 0.5) * step, around[1] - reach + (k + 0.5) * step];
      masses[Number(x > around[0]) + 2 * Number(y > around[1])]! += Math.exp(
        -Math.hypot(x - from[0], y - from[1]),
      );
    }
  }
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / total);
}

it('planar-laplace: no mixed data of five users within reach exceed the bound', () => {
  const places = [
    [-0.5, 0],
    [0.5, 0],
    [0, Math.sqrt(3.75)],
    [1.2, 0.7],
  ] as const;
  const matrix = places.map((place) => quarterMasses(place, [0, 0.3]));
  const isVictim = (x: number): boolean => x < 2;
  for (const epsilon of [0.05, 0.2]) {
    // Neighbours hold one of the first two places.
    const worst = exhaustiveDivergence(matrix, 5, epsilon, () => true, isVictim).delta;
    expect(worst).toBeGreaterThan(1e-2);
    const { upper } = sharpestDelta(planarLaplaceProfile({ separation: 1, reach: 2 }), 5, epsilon);
    expect(upper).toBeGreaterThanOrEqual(worst * (1 - 1e-6));
  }
});
