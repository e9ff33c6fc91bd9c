/** The bound of what a window leaves out, against the exact law of the sum. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { massOutside, type ScoreGroup } from '../../src/personalized/distinguishers/outside-window.ts';

/** The law of the sum by repeated convolution, from its lowest value. */
function exactSum(groups: readonly ScoreGroup[]): { lowest: number; masses: number[] } {
  let masses = [1];
  let lowest = 0;
  for (const { users, law, lowest: least } of groups) {
    const total = law.reduce((sum, mass) => sum + mass, 0);
    for (let user = 0; user < users; user++) {
      const next = Array.from<number>({ length: masses.length + law.length - 1 }).fill(0);
      masses.forEach((mass, i) => law.forEach((own, j) => (next[i + j]! += (mass * own) / total)));
      masses = next;
      lowest += least;
    }
  }
  return { lowest, masses };
}

const group = fc.record({
  users: fc.integer({ min: 1, max: 12 }),
  law: fc
    .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 2, maxLength: 5 })
    .map((masses) => Float64Array.from(masses)),
  lowest: fc.integer({ min: -4, max: 2 }),
});

test('is above the mass outside for any laws and any window', () => {
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: -40, max: 20 }),
      fc.integer({ min: 1, max: 80 }),
      (groups, from, size) => {
        const { lowest, masses } = exactSum(groups);
        const outside = masses.reduce(
          (sum, mass, i) => (lowest + i < from || lowest + i >= from + size ? sum + mass : sum),
          0,
        );
        expect(massOutside(groups, from, size)).toBeGreaterThanOrEqual(outside * (1 - 1e-12));
      },
    ),
    { numRuns: 300, seed: 1 },
  );
});

test('is about Gaussian where the window is many deviations wide, and nothing is lost to rounding', () => {
  const groups = [{ users: 1_000_000, law: Float64Array.of(1, 2, 1), lowest: -1 }];
  // A deviation of sqrt(n / 2) = 707: twelve of them on either side.
  const bound = massOutside(groups, -8485, 2 * 8485);
  expect(Math.log(bound)).toBeCloseTo(Math.log(2) - 72, 1);
});

test('says nothing where the mean is outside', () => {
  expect(massOutside([{ users: 5, law: Float64Array.of(1), lowest: 3 }], 0, 10)).toBe(1);
});
