import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { Axis } from '../../src/search/axis.ts';
import { calibrate, type QuickSearch } from '../../src/search/calibrate.ts';
import { uniform } from '../../../core/test/uniform.ts';

const LOGARITHMS: Axis = {
  valueAt: (position) => Math.min(100, Math.exp(position)),
  mostPrivate: Math.log(0.01),
  leastPrivate: Math.log(100),
};

/**
 * A bound that grows like value^slope and meets the target up to `root`; what is beyond `jump` is much worse.
 */
function growing(root: number, slope: number, jump = Infinity) {
  const excess = (value: number): number => slope * Math.log(value / root) + (value > jump ? 3 : 0);
  return { excess, meets: (value: number): boolean => excess(value) <= 0 };
}

const QUICK = { start: LOGARITHMS.mostPrivate, step: 0.35, tolerance: 1e-5 };

function quickly(excess: QuickSearch['excess']): QuickSearch {
  return { excess, ...QUICK };
}

describe('a calibration by one bound', () => {
  it('ends where its bound meets the target, and a step further does not', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 90, noNaN: true }),
        fc.double({ min: 0.3, max: 40, noNaN: true }),
        (root, slope) => {
          const { excess, meets } = growing(root, slope);
          const { value, next } = calibrate(LOGARITHMS, quickly(excess))!;
          expect(meets(value)).toBe(true);
          expect(meets(next!)).toBe(false);
          expect(Math.log(next! / value)).toBeLessThanOrEqual(1.01e-5);
        },
      ),
    );
  });

  it('counts a value that meets the target exactly as one that does', () => {
    const steps = (value: number): number => (value <= 8 ? 0 : 1);
    const axis: Axis = { valueAt: (position) => position, mostPrivate: 1, leastPrivate: 16 };
    const { value, next } = calibrate(axis, { excess: steps, start: 1, step: 1, tolerance: 1e-6 })!;
    expect(value).toBeLessThanOrEqual(8);
    expect(next!).toBeGreaterThan(8);
    expect(next! - value).toBeLessThan(2e-6);
  });

  it('tells the end of the range, and that nothing meets the target', () => {
    expect(
      calibrate(
        LOGARITHMS,
        quickly(() => -1),
      ),
    ).toEqual({ value: 100, next: null });
    expect(
      calibrate(
        LOGARITHMS,
        quickly(() => -Infinity),
      ),
    ).toEqual({ value: 100, next: null });
    expect(
      calibrate(
        LOGARITHMS,
        quickly(() => 0.1),
      ),
    ).toBeNull();
  });

  it('ends at the same place from two guesses, right or wrong', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.02, max: 90, noNaN: true }),
        uniform(-3, 3),
        fc.double({ min: 0.1, max: 3, noNaN: true }),
        (root, offset, width) => {
          const { excess, meets } = growing(root, 2);
          const tried: number[] = [];
          const recording = (value: number): number => {
            tried.push(Math.log(value));
            return excess(value);
          };
          const start = Math.log(root) + offset;
          const guesses = { start, beyond: start + width };
          const { value, next } = calibrate(LOGARITHMS, { ...quickly(recording), ...guesses })!;
          expect(meets(value)).toBe(true);
          expect(meets(next!)).toBe(false);
          expect(Math.log(next! / value)).toBeLessThanOrEqual(1.01e-5);
          // Nothing is tried between the ends before both are on their sides.
          const inside = tried.findIndex((position) => meets(Math.exp(position)));
          expect(
            tried.slice(0, inside).every((position) => position <= Math.max(start, QUICK.start) + 1e-12),
          ).toBe(true);
        },
      ),
    );
  });

  it('tells the end of the range from two guesses', () => {
    const guesses = { ...QUICK, start: 0, beyond: 1 };
    expect(calibrate(LOGARITHMS, { ...guesses, excess: () => 1 })).toBeNull();
    expect(calibrate(LOGARITHMS, { ...guesses, excess: () => -1 })).toEqual({ value: 100, next: null });
  });

  it('comes ever closer to a position by steps that shrink', () => {
    const tried: number[] = [];
    const axis: Axis = { valueAt: (position) => position, mostPrivate: 0, leastPrivate: 1 };
    const excess = (value: number): number => {
      tried.push(value);
      return Math.log(value / 0.01);
    };
    calibrate(axis, { excess, start: 1, step: 0.25, growth: 0.75, tolerance: 1e-7 });
    const down = tried.findIndex((value) => value <= 0.01);
    expect(tried.slice(0, down + 1)).toEqual(Array.from({ length: down + 1 }, (_, i) => 0.75 ** i));
  });

  it('takes longer steps towards privacy where told', () => {
    const { excess } = growing(0.02, 1);
    let evaluations = 0;
    const counted = (value: number): number => (evaluations++, excess(value));
    const search = { excess: counted, start: Math.log(50), step: 0.01, tolerance: 1e-3 };
    const { value } = calibrate(LOGARITHMS, { ...search, growth: 2 })!;
    expect(value).toBeCloseTo(0.02, 4);
    expect(evaluations).toBeLessThan(30);
  });
});

describe('a calibration that a sharper bound decides', () => {
  const quick = quickly(growing(4, 20).excess);

  it('goes on from where the quick one ends, to the end of the range if need be', () => {
    const far = { excess: growing(20, 1).excess, tolerance: 1e-4 };
    expect(calibrate(LOGARITHMS, quick, far)!.value).toBeCloseTo(20, 2);
    expect(calibrate(LOGARITHMS, quick, { ...far, excess: () => -0.5 })).toEqual({ value: 100, next: null });
  });

  it('holds what it says where the bound jumps, be it with a wider step', () => {
    const { excess, meets } = growing(9, 1.2, 5);
    const { value, next } = calibrate(LOGARITHMS, quick, { excess, tolerance: 5e-5 })!;
    expect(meets(value)).toBe(true);
    expect(meets(next!)).toBe(false);
    expect(value).toBeGreaterThanOrEqual(4);
  });

  it('meets a target that the quick bound does not meet anywhere', () => {
    const { excess, meets } = growing(0.5, 1.2);
    const nowhere = quickly(() => 1);
    const { value, next } = calibrate(LOGARITHMS, nowhere, { excess, tolerance: 5e-5 })!;
    expect(meets(value)).toBe(true);
    expect(meets(next!)).toBe(false);
    expect(calibrate(LOGARITHMS, nowhere, { excess: () => 1, tolerance: 5e-5 })).toBeNull();
  });

  it('takes a few evaluations where the bound hardly depends on the value', () => {
    let evaluations = 0;
    const excess = (value: number): number => (evaluations++, 1e-7 * (value - 50));
    const meetsOnlyLeast = quickly(growing(0.02, 20).excess);
    const { value } = calibrate(LOGARITHMS, meetsOnlyLeast, { excess, tolerance: 1e-4 })!;
    expect(value).toBeLessThanOrEqual(50);
    expect(Math.log(50 / value)).toBeLessThanOrEqual(1.01e-4);
    expect(evaluations).toBeLessThan(40);
  });

  it('ends at neighbouring whole numbers', () => {
    const counts: Axis = {
      valueAt: (position) => Math.ceil(Math.exp(-position)),
      mostPrivate: -Math.log(1e6),
      leastPrivate: 0,
      whole: true,
    };
    const excess = (count: number): number => Math.log(7.5 / count);
    const rough = (count: number): number => 20 * Math.log(9.5 / count);
    const search = { excess: rough, start: 0, step: Math.log(4), tolerance: 1e-4 };
    expect(calibrate(counts, search, { excess, tolerance: 1e-4 })).toEqual({ value: 8, next: 7 });
  });
});
