/**
 * Pairs of values with exponential noise: the cells cover them all, their laws lie below the noise, and gains
 * grow as a pair moves outwards.
 */
import { describe, expect, test } from 'vitest';
import type { TypedPair } from '@shuffle-dp/core';
import { exponentialInputs } from '../../src/exponential-noise/exponential-inputs.ts';
import {
  densityOf,
  describeExponentialInputs,
  LONG_GRIDS,
  QUICK_GRIDS,
  type Noise,
} from './exponential-laws.ts';

describe.each(QUICK_GRIDS)('noise of width $width, clipped: $isClipped, sparse: $isSparse', (noise) => {
  describeExponentialInputs(noise);
});

const NOISES = [...QUICK_GRIDS, ...LONG_GRIDS].filter(({ isSparse }) => !isSparse);

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
  noise: Noise,
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
