/** The inequalities of docs/worst-pairs.md on grids, from the densities alone. */
import { describe, expect, it } from 'vitest';

const GRID = 401;
const REACH = 12;

type Density = (output: number, value: number) => number;

/** A function of the output at the points of the grid. */
const onGrid = (reach: number, of: (output: number) => number): Float64Array =>
  Float64Array.from({ length: GRID }, (_, i) => of(reach * ((2 * (i + 0.5)) / GRID - 1)));

/** Mean of (R_x - e R_x' - t w)_+ over a grid: the stop-loss transform of G under w, divided by its width. */
function stopLoss(
  [first, second]: readonly [Float64Array, Float64Array],
  w: Float64Array,
  e: number,
  t: number,
): number {
  let sum = 0;
  for (let i = 0; i < GRID; i++) sum += Math.max(0, first[i]! - e * second[i]! - t * w[i]!);
  return sum / GRID;
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

/** From one end of the range to the other. */
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
        const w = onGrid(reach, blanketOf(law(reference)));
        const laws = VALUES.map((value) => onGrid(reach, (y) => law(victim)(y, value)));
        const width = 2 * reach;
        for (const e of [1, 1.02, 1.3, 2.5857]) {
          for (const t of THRESHOLDS) {
            const ends = width * stopLoss([laws[0]!, laws.at(-1)!], w, e, t);
            let excess = -Infinity;
            for (const first of laws) {
              for (const second of laws) {
                // Where no output favours x by more than e, the divergence is 0 whatever hides the victim.
                if (stopLoss([first, second], w, e, 0) === 0) continue;
                excess = Math.max(excess, width * stopLoss([first, second], w, e, t) - ends);
              }
            }
            expect(excess).toBeLessThan(2e-3 * (1 + Math.abs(t)));
          }
        }
      }
    }
  });
});
