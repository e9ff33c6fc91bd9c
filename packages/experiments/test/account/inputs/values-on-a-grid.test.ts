/**
 * Bounds by grids of values against listing everything: mixed data, values off the grid, outputs told by
 * cells.
 */
import { expect, it } from 'vitest';
import { sharpestDelta } from '@shuffle-dp/accounting';
import {
  clipLaplace,
  gaussianMechanism,
  laplaceMechanism,
  piecewiseMechanism,
} from '@shuffle-dp/randomizers';
import { exhaustiveDivergence } from '../../../../accounting/test/oracle/exhaustive-divergence.ts';

/** Cells of outputs, by midpoints. */
function cellMasses(density: (y: number) => number, edges: readonly number[]): number[] {
  const points = 4000;
  const masses = edges.slice(1).map((to, i) => {
    const step = (to - edges[i]!) / points;
    let sum = 0;
    for (let k = 0; k < points; k++) sum += density(edges[i]! + (k + 0.5) * step) * step;
    return sum;
  });
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  return masses.map((mass) => mass / total);
}

const UNIT = { low: 0, high: 1 };

it.each([
  ['clip-laplace', clipLaplace({ epsilon0: 2, inputRange: UNIT, correction: 'average' }), [0, 0.2, 0.6, 1]],
  ['laplace', laplaceMechanism({ epsilon0: 3, inputRange: UNIT }), [-6, 0.1, 0.5, 7]],
  ['gaussian', gaussianMechanism({ sigma: 1, inputRange: UNIT }), [-7, 0, 0.7, 8]],
  ['piecewise', piecewiseMechanism({ epsilon0: 0.7, inputRange: UNIT }), [-2.4, 0, 0.8, 3.4]],
] as const)('%s: no mixed data of five users exceed the bound', (_, mechanism, edges) => {
  const values = [0, 0.07, 0.55, 1];
  const matrix = values.map((value) => cellMasses((y) => mechanism.density(y, value), edges));
  for (const epsilon of [0.2]) {
    const worst = exhaustiveDivergence(matrix, 5, epsilon).delta;
    expect(worst).toBeGreaterThan(1e-3);
    const { upper } = sharpestDelta(mechanism.amplification(), 5, epsilon, { epsilon0: mechanism.epsilon0 });
    expect(upper).toBeGreaterThanOrEqual(worst * (1 - 1e-6));
  }
});
