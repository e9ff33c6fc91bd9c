/** What holds of pairs of values with exponential noise, on one grid of the others. */
import { expect, test } from 'vitest';
import type { TypedPair } from '@shuffle-dp/core';
import { exponentialInputs } from '../../src/exponential-noise/exponential-inputs.ts';
import { pairLayout } from '../../src/exponential-noise/pair-layout.ts';
import { range, total } from '../laws/enumeration.ts';

export interface Noise {
  readonly width: number;
  readonly isClipped: boolean;
}

interface Grid extends Noise {
  /** Where a bound takes long there is a sparser grid of the others for curves. */
  readonly isSparse: boolean;
}

/** With grids that take half a second each, or the largest width that is laid out. */
export const QUICK_GRIDS: readonly Grid[] = [
  { width: 0.5, isClipped: true, isSparse: false },
  { width: 2, isClipped: true, isSparse: false },
  { width: 1, isClipped: false, isSparse: false },
  { width: 7.9, isClipped: false, isSparse: false },
  // Laid out as others are.
  { width: 0.51, isClipped: true, isSparse: false },
  { width: 2, isClipped: true, isSparse: true },
];

export const LONG_GRIDS: readonly Grid[] = [
  { width: 4, isClipped: false, isSparse: false },
  { width: 6, isClipped: true, isSparse: false },
  { width: 3.93, isClipped: false, isSparse: false },
  { width: 4, isClipped: false, isSparse: true },
];

/** From its definition, apart from the code under test. */
export function densityOf({ width, isClipped }: Noise): (y: number, x: number) => number {
  return (y, x) => Math.exp(-Math.abs(y - x)) / (isClipped ? 2 - Math.exp(-x) - Math.exp(x - width) : 2);
}

/** The integral of the positive part over the outputs, by midpoints. */
function excess(f: (y: number) => number, [from, to]: readonly [number, number]): number {
  const step = (to - from) / 40_000;
  let sum = 0;
  for (let i = 0; i < 40_000; i++) sum += Math.max(0, f(from + (i + 0.5) * step)) * step;
  return sum;
}

/** Laws of the pairs of one grid. */
export function describeExponentialInputs(noise: Grid): void {
  const { width, isClipped, isSparse } = noise;
  const density = densityOf(noise);
  const outputs = isClipped ? ([0, width] as const) : ([-25, width + 25] as const);
  const usual = exponentialInputs(noise)!;
  const { pairs, rest } = isSparse ? usual.sparser!() : usual;
  const cells = pairLayout(noise, false).cells!;
  /** The least over so many steps from one end of the outputs to the other. */
  const leastOver = (steps: number, f: (y: number) => number): number =>
    Math.min(...range(steps + 1).map((i) => f(outputs[0] + (i / steps) * (outputs[1] - outputs[0]))));

  test.each([false, true])('every pair is in a cell, or its values are close (closely: %s)', (closely) => {
    const { apart, cells: maybe } = pairLayout(noise, closely);
    const cells = maybe!;
    const steps = 97;
    const missed: [number, number][] = [];
    for (let i = 0; i <= steps; i++) {
      for (let k = i; k <= steps; k++) {
        const [x, z] = [(width * i) / steps, (width * k) / steps];
        const isIn = cells.some(
          (cell) =>
            x >= cell.first && x <= cell.firstInner && z <= cell.second && z >= cell.secondInner - 1e-12,
        );
        if (!isIn && z - x > apart) missed.push([x, z]);
      }
    }
    expect(missed).toEqual([]);
    for (const { firstInner, secondInner } of cells) expect(firstInner).toBeLessThanOrEqual(secondInner);
    if (!closely) expect(pairs).toHaveLength(cells.length);
  });

  test('what counts of the others lies below the law of every value it stands for', () => {
    cells.forEach(({ firstInner, secondInner }, i) => {
      const { inputs, revealed } = pairs[i]!;
      for (const { own, hidden = 0, blanket } of inputs) {
        expect(total(own)).toBeCloseTo(1 - hidden, 12);
        expect(own.every((mass, y) => mass >= blanket[y]! && blanket[y]! > 0)).toBe(true);
      }
      const { hidden = 0 } = inputs.at(-1)!;
      for (const held of [secondInner, (secondInner + width) / 2, width]) {
        const least = leastOver(211, (y) => density(y, held) / density(y, secondInner));
        expect(least * (1 + 1e-12)).toBeGreaterThanOrEqual(1 - hidden);
      }
      // Off the grid an average of two values is all but a share.
      const cell = 2 * Math.acosh(1 / (1 - revealed! / (2 * density(0, 0))));
      const [left, right] = [firstInner, Math.min(secondInner, firstInner + cell)];
      for (const along of [0.2, 0.5]) {
        const x = left + along * (right - left);
        const scale = (v: number): number => density(v, v);
        const alpha = ((Math.sinh(right - x) / Math.sinh(right - left)) * scale(x)) / scale(left);
        const beta = ((Math.sinh(x - left) / Math.sinh(right - left)) * scale(x)) / scale(right);
        expect(alpha + beta).toBeGreaterThanOrEqual(1 - revealed! - 1e-12);
        const average = (y: number): number => alpha * density(y, left) + beta * density(y, right);
        expect(leastOver(97, (y) => density(y, x) / average(y)) * (1 + 1e-12)).toBeGreaterThanOrEqual(1);
      }
    });
  });

  test('every test does as well on the atoms as on the noise, and little better', () => {
    const worst = pairs[0]!;
    const at = ({ inputs }: TypedPair, k: number, [a, b, c]: readonly number[]): number => {
      const { victim0, victim1, own } = inputs[k]!;
      return own.reduce(
        (sum, mass, y) => sum + Math.max(0, a! * victim0[y]! + b! * victim1[y]! + c! * mass),
        0,
      );
    };
    const { secondInner } = cells[0]!;
    const last = worst.inputs.length - 1;
    const seen = 1 - worst.inputs[last]!.hidden!;
    for (const [a, b, c] of [
      [1, -1.03, 0],
      [1, -0.5, -0.5],
      [1, -0.2, -0.9],
    ] as const) {
      const ofNoise = excess(
        (y) => a * density(y, 0) + b * density(y, width) + c * seen * density(y, secondInner),
        outputs,
      );
      const ofAtoms = at(worst, last, [a, b, c]);
      expect(ofAtoms).toBeGreaterThan(ofNoise - 1e-5);
      expect(ofAtoms).toBeLessThan(ofNoise * 1.01 + 1e-3);
    }
  });

  test('in the buffer the first value is from above, the second from below', () => {
    const { firstInner, secondInner } = cells[0]!;
    const { buffer } = pairs[0]!.inputs[0]!;
    const tests = [0.1, 0.6, 1, 1.7];
    const ofAtoms = (masses: Float64Array, sign: number, level: number): number =>
      masses.reduce(
        (sum, mass, y) => sum + Math.max(0, sign * (mass - level * pairs[0]!.inputs[3]!.own[y]!)),
        0,
      );
    for (const share of [0, 0.4, 1]) {
      const first = share * firstInner;
      const second = width - share * (width - secondInner);
      const other = Number(/at ([^ ]+) of/.exec(pairs[0]!.inputs[3]!.label)![1]) * width;
      for (const level of tests) {
        const above = excess((y) => density(y, first) - level * density(y, other), outputs);
        expect(ofAtoms(buffer!.victim0, 1, level)).toBeGreaterThan(above - 0.02 * level);
        const below = excess((y) => level * density(y, other) - density(y, second), outputs);
        expect(ofAtoms(buffer!.victim1, -1, level)).toBeGreaterThan(below - 0.02 * level);
      }
      expect(total(buffer!.victim0)).toBeGreaterThan(1);
      expect(total(buffer!.victim1)).toBeLessThan(1);
    }
    for (const { inputs } of pairs.slice(1)) expect(inputs[0]!.buffer).toBeNull();
  });

  test('close values: the blanket lies below every law, and the cells cover the range', () => {
    rest!.forEach(({ others, victim0, victim1 }) => {
      for (const law of [victim0, victim1]) expect(total(law)).toBeCloseTo(1, 12);
      expect(total(others)).toBeLessThan(1);
    });
    const blankets = rest!.length;
    // In the bulk, where a law of the others is least in its shape: the mass of what hides is below the
    // common part. At both ends of every blanket's values, and between them.
    const common = range(2 * blankets + 1).map((half) => {
      const close = (width * half) / (2 * blankets);
      const parts = [0, width / 3, width].map((held) =>
        excess((y) => Math.min(density(y, held), density(y, close)), outputs),
      );
      return Math.min(...parts);
    });
    rest!.forEach(({ others }, i) => {
      expect(total(others)).toBeLessThan(Math.min(...common.slice(2 * i, 2 * i + 3)) + 1e-6);
    });
  });
}
