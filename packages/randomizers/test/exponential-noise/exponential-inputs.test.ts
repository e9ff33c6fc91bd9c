/**
 * Pairs of values with exponential noise: the cells cover them all, their laws lie below the noise, and gains
 * grow as a pair moves outwards.
 */
import { describe, expect, test } from 'vitest';
import type { TypedPair } from '@shuffle-dp/core';
import { exponentialInputs } from '../../src/exponential-noise/exponential-inputs.ts';
import { pairLayout } from '../../src/exponential-noise/pair-layout.ts';
import { total } from '../laws/enumeration.ts';

const NOISES = [
  { width: 0.5, isClipped: true },
  { width: 2, isClipped: true },
  { width: 1, isClipped: false },
  { width: 4, isClipped: false },
  { width: 6, isClipped: true },
  { width: 7.9, isClipped: false },
  // Laid out as others are.
  { width: 0.51, isClipped: true },
  { width: 3.93, isClipped: false },
];

/** From its definition, apart from the code under test. */
function densityOf({ width, isClipped }: (typeof NOISES)[number]): (y: number, x: number) => number {
  return (y, x) => Math.exp(-Math.abs(y - x)) / (isClipped ? 2 - Math.exp(-x) - Math.exp(x - width) : 2);
}

/** The integral of the positive part over the outputs, by midpoints. */
function excess(f: (y: number) => number, [from, to]: readonly [number, number]): number {
  const step = (to - from) / 40_000;
  let sum = 0;
  for (let i = 0; i < 40_000; i++) sum += Math.max(0, f(from + (i + 0.5) * step)) * step;
  return sum;
}

/** Where a bound takes long there is a sparser grid of the others for curves. */
const GRIDS = [
  ...NOISES.map((noise) => ({ ...noise, isSparse: false })),
  { width: 2, isClipped: true, isSparse: true },
  { width: 4, isClipped: false, isSparse: true },
];

describe.each(GRIDS)('noise of width $width, clipped: $isClipped, sparse: $isSparse', (noise) => {
  const { width, isClipped, isSparse } = noise;
  const density = densityOf(noise);
  const outputs = isClipped ? ([0, width] as const) : ([-25, width + 25] as const);
  const usual = exponentialInputs(noise)!;
  const { pairs, rest } = isSparse ? usual.sparser!() : usual;
  const cells = pairLayout(noise, false).cells!;

  test.each([false, true])('every pair is in a cell, or its values are close (closely: %s)', (closely) => {
    const { apart, cells: maybe } = pairLayout(noise, closely);
    const cells = maybe!;
    const steps = 97;
    for (let i = 0; i <= steps; i++) {
      for (let k = i; k <= steps; k++) {
        const [x, z] = [(width * i) / steps, (width * k) / steps];
        const isIn = cells.some(
          (cell) =>
            x >= cell.first && x <= cell.firstInner && z <= cell.second && z >= cell.secondInner - 1e-12,
        );
        expect(isIn || z - x <= apart).toBe(true);
      }
    }
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
        for (let y = outputs[0]; y <= outputs[1]; y += (outputs[1] - outputs[0]) / 211)
          expect(density(y, held) * (1 + 1e-12)).toBeGreaterThanOrEqual(
            (1 - hidden) * density(y, secondInner),
          );
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
        for (let y = outputs[0]; y <= outputs[1]; y += (outputs[1] - outputs[0]) / 97) {
          const average = alpha * density(y, left) + beta * density(y, right);
          expect(density(y, x) * (1 + 1e-12)).toBeGreaterThanOrEqual(average);
        }
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
    rest!.forEach(({ others }, i) => {
      for (const at of [0, 0.5, 1]) {
        const close = (width * (i + at)) / blankets;
        for (const held of [0, width / 3, width]) {
          // In the bulk, where a law of the others is least in its shape: the mass of what hides is below the
          // common part.
          const common = excess((y) => Math.min(density(y, held), density(y, close)), outputs);
          expect(total(others)).toBeLessThan(common + 1e-6);
        }
      }
    });
  });
});

test('sparser grids have fewer inputs of the others, where bounds take long', () => {
  const size = (pairs: readonly TypedPair[]): number =>
    pairs.reduce((sum, { inputs }) => sum + inputs.length, 0);
  for (const noise of NOISES) {
    const { pairs, sparser, takesLong } = exponentialInputs(noise)!;
    expect(sparser !== undefined).toBe(takesLong);
    if (sparser) expect(size(sparser().pairs)).toBeLessThan(0.8 * size(pairs));
    expect(sparser?.().sparser).toBeUndefined();
  }
});

/** E (the sum of two users' gains + shift)_+, outputs by midpoints: apart from all that evaluates bounds. */
function meanPositive(
  density: (y: number, x: number) => number,
  points: readonly number[],
  [x, z]: readonly [number, number],
  others: readonly [number, number],
  [expEpsilon, shift]: readonly [number, number],
): number {
  const [one, two] = others.map((held) => {
    const scale = points.reduce((sum, y) => sum + density(y, held), 0);
    return points.map((y) => ({
      mass: density(y, held) / scale,
      gain: (density(y, x) - expEpsilon * density(y, z)) / density(y, held),
    }));
  });
  let mean = 0;
  for (const a of one!) {
    for (const b of two!) mean += a.mass * b.mass * Math.max(0, a.gain + b.gain + shift);
  }
  return mean;
}

const MOVES = [
  { inner: [0.3, 0.8], outer: [0.3, 1], others: [0.3, 0.8] },
  { inner: [0.3, 0.8], outer: [0.1, 0.8], others: [0.6, 0.8] },
  { inner: [0.2, 0.7], outer: [0, 0.95], others: [0.7, 0.7] },
  { inner: [0.2, 0.7], outer: [0, 0.95], others: [0.2, 0.5] },
] as const;

/** The largest growth of the mean as a pair moves from the outer place to the inner one, relative to it. */
function largestGrowth(
  noise: (typeof NOISES)[number],
  { inner, outer, others }: { readonly [name in keyof (typeof MOVES)[0]]: readonly [number, number] },
): number {
  const { width, isClipped } = noise;
  const density = densityOf(noise);
  const [from, to] = isClipped ? [0, width] : [-7, width + 7];
  const points = Array.from({ length: 200 }, (_, i) => from + ((i + 0.5) * (to - from)) / 200);
  const scaled = ([a, b]: readonly [number, number]): [number, number] => [a * width, b * width];
  let growth = -Infinity;
  for (const [share, shift] of [
    [0.05, 0],
    [0.05, -0.7],
    [0.05, 0.4],
    [0.3, 0],
  ] as const) {
    const at = (pair: readonly [number, number]): number =>
      meanPositive(density, points, scaled(pair), scaled(others), [Math.exp(share * width), shift * width]);
    growth = Math.max(growth, at(inner) / at(outer) - 1);
  }
  return growth;
}

test.each(NOISES)('with others between them values move outwards: $width, clipped: $isClipped', (noise) => {
  for (const move of MOVES) expect(largestGrowth(noise, move)).toBeLessThan(1e-3);
});

test('with others beyond them they do not: those have to count as the value itself', () => {
  const beyond = { inner: [0, 0.9], outer: [0, 1], others: [1, 1] } as const;
  const growths = [3, 6].map((width) => largestGrowth({ width, isClipped: false }, beyond));
  expect(Math.max(...growths)).toBeGreaterThan(1e-3);
});
