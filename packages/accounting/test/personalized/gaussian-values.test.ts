/**
 * The search over the values of a victim with Gaussian noise, against functionals of the kind it is made for,
 * on a grid.
 */
import { describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import { largestValueExcess, type ValueExcess } from '../../src/personalized/blanket/gaussian-values.ts';
import { uniform } from '../../../core/test/uniform.ts';

const GRID = 40;

/**
 * The sum of (R_x - e^epsilon R_1)_+ over points of [from, to]: convex, increasing and homogeneous in
 * R_x - e^epsilon R_1, as every bound is. Its worst value x is one near the points.
 */
function excessOn(deviation: number, from: number, to: number): ValueExcess {
  const points = Array.from({ length: 21 }, (_, i) => from + ((to - from) * i) / 20);
  const law = (x: number, y: number): number => Math.exp(-((y - x) ** 2) / (2 * deviation * deviation));
  return (x, epsilon) =>
    points.reduce((sum, y) => sum + Math.max(0, law(x, y) - Math.exp(epsilon) * law(1, y)), 0) / 1000;
}

function largestOnGrid(excess: ValueExcess, epsilon: number): number {
  return Math.max(...Array.from({ length: GRID + 1 }, (_, i) => excess((0.5 * i) / GRID, epsilon)));
}

describe('the largest excess of all values', () => {
  test('is nowhere below that of a value of the grid', () => {
    fc.assert(
      fc.property(
        fc.record({
          deviation: fc.double({ min: 0.3, max: 10, noNaN: true }),
          // At least 1: no value is excused by the distance of the pair.
          distance: fc.double({ min: 1, max: 8, noNaN: true }),
          from: uniform(-3, 0.6),
          length: fc.double({ min: 0.001, max: 2, noNaN: true }),
        }),
        ({ deviation, distance, from, length }) => {
          const epsilon = distance ** 2 / (2 * deviation * deviation);
          const excess = excessOn(deviation, from * deviation, (from + length) * deviation);
          const truth = largestOnGrid(excess, epsilon);
          const bound = largestValueExcess(excess, deviation, epsilon, 0);
          expect(bound).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
        },
      ),
      { numRuns: 300, seed: 10 },
    );
  });

  test('is that of the end where all outputs count', () => {
    fc.assert(
      fc.property(
        fc.record({
          deviation: fc.double({ min: 0.5, max: 10, noNaN: true }),
          distance: fc.double({ min: 0.05, max: 4, noNaN: true }),
        }),
        ({ deviation, distance }) => {
          const epsilon = distance ** 2 / (2 * deviation * deviation);
          // All outputs: the larger the distance the larger the divergence.
          const excess = excessOn(deviation, -8 * deviation, 8 * deviation + 1);
          const truth = largestOnGrid(excess, epsilon);
          expect(largestValueExcess(excess, deviation, epsilon, 0)).toBeLessThanOrEqual(truth * (1 + 1e-12));
        },
      ),
      { numRuns: 100, seed: 10 },
    );
  });
});
