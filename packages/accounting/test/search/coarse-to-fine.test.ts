import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { refinedEpsilon, type DivergenceEnd } from '../../src/search/coarse-to-fine.ts';

const search = { epsilonMax: 700, relativeTolerance: 1e-9 };

/** delta(epsilon) = start e^(-rate epsilon^power), which is known to be `delta` at `root`. */
const curve =
  (start: number, rate: number, power: number): DivergenceEnd =>
  (epsilon) =>
    start * Math.exp(-rate * epsilon ** power);
const root = (start: number, rate: number, power: number, delta: number): number =>
  (Math.log(start / delta) / rate) ** (1 / power);

function counted(bound: DivergenceEnd): { bound: DivergenceEnd; calls: () => number } {
  let calls = 0;
  return { bound: (epsilon) => (calls++, bound(epsilon)), calls: () => calls };
}

const shapes = [
  fc.double({ min: 0.1, max: 1, noNaN: true }),
  fc.double({ min: 0.01, max: 1e4, noNaN: true }),
  fc.double({ min: 0.7, max: 2, noNaN: true }),
] as const;

test('the narrow gap is reached in a few steps, and on the side that proves', () => {
  fc.assert(
    fc.property(...shapes, fc.constantFrom('upper' as const, 'lower' as const), (start, rate, power, end) => {
      const delta = 1e-6;
      const loss = end === 'upper' ? 1.004 : 1 / 1.004;
      const truth = root(start, rate, power, delta);
      fc.pre(truth < 300);
      const fine = counted(curve(start, rate, power));
      const found = refinedEpsilon(
        { fine: fine.bound, coarse: curve(loss * start, rate, power) },
        delta,
        end,
        search,
      );
      expect(Math.abs(found / truth - 1)).toBeLessThan(3e-9);
      if (end === 'upper') expect(curve(start, rate, power)(found)).toBeLessThanOrEqual(delta);
      else expect(curve(start, rate, power)(found)).toBeGreaterThan(delta);
      expect(fine.calls()).toBeLessThanOrEqual(5);
    }),
  );
});

test('where the wide gap proves more, its own root is the answer', () => {
  fc.assert(
    fc.property(...shapes, fc.constantFrom('upper' as const, 'lower' as const), (start, rate, power, end) => {
      const delta = 1e-6;
      const gain = end === 'upper' ? 1 / 1.05 : 1.05;
      const truth = root(gain * start, rate, power, delta);
      fc.pre(truth < 300);
      const coarse = curve(gain * start, rate, power);
      const fine = counted(curve(start, rate, power));
      const found = refinedEpsilon({ fine: fine.bound, coarse }, delta, end, search);
      expect(Math.abs(found / truth - 1)).toBeLessThan(3e-9);
      expect(fine.calls()).toBe(1);
    }),
  );
});

test('a wide gap that tells nothing leaves all to the narrow one', () => {
  const truth = root(0.5, 3, 1, 1e-6);
  const fine = curve(0.5, 3, 1);
  expect(refinedEpsilon({ fine, coarse: () => 0 }, 1e-6, 'lower', search)).toBeCloseTo(truth, 7);
  expect(refinedEpsilon({ fine, coarse: () => 1 }, 1e-6, 'upper', search)).toBeCloseTo(truth, 7);
});

test('a curve that jumps is still answered by a value that proves', () => {
  const jump: DivergenceEnd = (epsilon) => (epsilon < 2 ? 1e-3 : 1e-9) * Math.exp(-epsilon);
  const coarse: DivergenceEnd = (epsilon) => (epsilon < 2.001 ? 1.1e-3 : 1.1e-9) * Math.exp(-epsilon);
  const upper = refinedEpsilon({ fine: jump, coarse }, 1e-6, 'upper', { ...search, slowTolerance: 1e-4 });
  expect(jump(upper)).toBeLessThanOrEqual(1e-6);
  expect(upper).toBeGreaterThanOrEqual(2);
  expect(upper).toBeLessThan(2.01);
});

test('a lower end that breaks off at the wide gap goes on at the narrow one', () => {
  const fine = curve(0.5, 1, 1);
  const coarse: DivergenceEnd = (epsilon) => (epsilon < 8 ? fine(epsilon) : 0);
  const found = refinedEpsilon({ fine, coarse }, 1e-6, 'lower', search);
  expect(found).toBeCloseTo(root(0.5, 1, 1, 1e-6), 7);
});
