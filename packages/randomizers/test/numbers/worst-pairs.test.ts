/** The inequalities of docs/worst-pairs.md on grids, from the densities alone. */
import { describe, expect, it } from 'vitest';

const GRID = 401;
const REACH = 12;

type Density = (output: number, value: number) => number;

/** Sum of (R_x - e R_x' - t w)_+ over a grid: the stop-loss transform of G under w. */
function stopLoss(
  law: Density,
  w: (y: number) => number,
  pair: readonly [number, number],
  e: number,
  t: number,
  reach: number,
): number {
  let sum = 0;
  for (let i = 0; i < GRID; i++) {
    const y = (2 * (i + 0.5)) / GRID - 1;
    sum += Math.max(0, law(y * reach, pair[0]) - e * law(y * reach, pair[1]) - t * w(y * reach));
  }
  return (sum * 2 * reach) / GRID;
}

const laplace =
  (rate: number): Density =>
  (y, x) =>
    (rate / 2) * Math.exp(-rate * Math.abs(y - x));
const clipLaplace =
  (rate: number): Density =>
  (y, x) =>
    (rate * Math.exp(-rate * Math.abs(y - x))) / (2 * (1 - Math.exp(-rate) * Math.cosh(rate * x)));
const gaussian =
  (sigma: number): Density =>
  (y, x) =>
    Math.exp(-((y - x) ** 2) / (2 * sigma * sigma)) / sigma;
const blanketOf = (law: Density) => (y: number) => Math.min(law(y, -1), law(y, 1));

const VALUES = [-1, -0.8, -0.45, -0.1, 0.2, 0.5, 0.9, 1];
const THRESHOLDS = [-20, -5, -2, -1, -0.7, -0.3, -0.1, 0, 0.1, 0.5, 1, 3, 10];

describe.each([
  { name: 'laplace', law: laplace, own: [0.25, 0.5, 2], others: [0.25, 0.5, 2], reach: REACH },
  { name: 'clip-laplace', law: clipLaplace, own: [0.25, 0.5, 2], others: [0.25, 0.5, 2], reach: 1 },
  { name: 'gaussian, own blanket', law: gaussian, own: [0.5, 1, 4], others: null, reach: REACH },
])('$name', ({ law, own, others, reach }) => {
  it('has the ends of the range as its worst pair', () => {
    for (const victim of own) {
      for (const reference of others ?? [victim]) {
        const w = blanketOf(law(reference));
        const R = law(victim);
        for (const e of [1, 1.02, 1.3, 2.5857]) {
          for (const t of THRESHOLDS) {
            const ends = stopLoss(R, w, [-1, 1], e, t, reach);
            let excess = -Infinity;
            for (const x of VALUES) {
              for (const other of VALUES) {
                // Where no output favours x by more than e, the divergence is 0 whatever hides the victim.
                if (stopLoss(R, w, [x, other], e, 0, reach) === 0) continue;
                excess = Math.max(excess, stopLoss(R, w, [x, other], e, t, reach) - ends);
              }
            }
            expect(excess).toBeLessThan(2e-3 * (1 + Math.abs(t)));
          }
        }
      }
    }
  });
});
