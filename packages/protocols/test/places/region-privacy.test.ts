// The blanket of a whole region against every data set of two users, whose messages are seen by cells: a
// coarser view is less told apart.
import { blanketDivergence } from '@shuffle-dp/accounting';
import { gridMasses, regionLaplace } from '@shuffle-dp/randomizers';
import { describe, expect, it } from 'vitest';

const region = { x: { low: 0, high: 4 }, y: { low: 0, high: 3 } };
const SIDE = 5;
const CELLS = SIDE * SIDE;

/**
 * The largest divergence over all places of the victim and of the one other user, the middles of the cells.
 */
function worstOfTwo(epsilonPerUnit: number, epsilon: number): number {
  const masses = gridMasses(region, SIDE, epsilonPerUnit);
  const rows = Array.from({ length: CELLS }, (_, s) => masses.subarray(s * CELLS, (s + 1) * CELLS));
  const factor = Math.exp(epsilon);
  let worst = 0;
  // Cells of a quarter stand for all others, by reflection.
  for (const [s, first] of rows.entries()) {
    if (s % SIDE > 2 || s > 3 * SIDE) continue;
    for (const second of rows)
      for (const other of rows) {
        let divergence = 0;
        for (let a = 0; a < CELLS; a++) {
          const gap = first[a]! - factor * second[a]!;
          divergence += Math.max(0, gap * other[a]!);
          for (let b = 0; b < a; b++)
            divergence += Math.max(0, gap * other[b]! + (first[b]! - factor * second[b]!) * other[a]!);
        }
        worst = Math.max(worst, divergence);
      }
  }
  return worst;
}

describe('what hides every two places of a region', () => {
  it.each([
    [1, 0],
    [1, 0.3],
    [3, 0.5],
    [3, 2],
    [6, 3],
  ])('bounds all data sets of two users at local budget %d, epsilon %d', (epsilon0, epsilon) => {
    const { blanket } = regionLaplace(epsilon0, region).amplification();
    const bound = blanketDivergence(blanket[0]!, 2, epsilon).upper;
    const worst = worstOfTwo(epsilon0 / 5, epsilon);
    expect(worst).toBeGreaterThan(0);
    expect(worst).toBeLessThanOrEqual(bound);
  });

  it('is a law of mass one, with ratios between the ends', () => {
    const [atoms] = regionLaplace(3, region).amplification().blanket;
    const sum = (masses: Float64Array): number => masses.reduce((total, mass) => total + mass, 0);
    expect(sum(atoms!.victim0)).toBeCloseTo(1, 14);
    expect(sum(atoms!.others)).toBeCloseTo(Math.exp(-1.5), 14);
    for (let i = 0; i < 3; i++) {
      const ratio = (atoms!.victim0[i]! / atoms!.others[i]!) * Math.exp(-1.5);
      expect(Math.abs(Math.log(ratio))).toBeCloseTo(1.5, 12);
    }
  });
});
