/**
 * Mechanisms of numbers on grids: what an average of neighbours is above or below, by the laws themselves.
 */
import { describe, expect, test } from 'vitest';
import { normalPdf, type TypedPair } from '@shuffle-dp/core';
import { exponentialGridPairs } from '../../src/exponential-noise/exponential-grid.ts';
import { averageDeficit, gaussianInputs, narrower } from '../../src/numbers/gaussian-inputs.ts';
import { piecewiseInputs } from '../../src/numbers/piecewise-inputs.ts';
import { twoLevelLaw } from '../../src/laws/two-level-law.ts';
import { total } from '../laws/enumeration.ts';

/** The integral of the positive part over the outputs, by midpoints. */
function excess(density: (y: number) => number, [from, to]: readonly [number, number]): number {
  const points = 40_000;
  const step = (to - from) / points;
  let sum = 0;
  for (let i = 0; i < points; i++) sum += Math.max(0, density(from + (i + 0.5) * step)) * step;
  return sum;
}

/**
 * The positive part of a combination of the laws of the victim's values and another user's, over the atoms of
 * a pair.
 */
function excessOfAtoms({ inputs }: TypedPair, k: number, [a, b, c]: readonly number[]): number {
  const { victim0, victim1, own } = inputs[k]!;
  return own.reduce((sum, mass, y) => sum + Math.max(0, a! * victim0[y]! + b! * victim1[y]! + c! * mass), 0);
}

/**
 * In a combination the second value and the other user's law are taken away: atoms tell at least as much as
 * the laws.
 */
const TESTS = [
  [1, -1.03, 0],
  [1, -0.5, -0.5],
  [1, -0.2, -0.9],
] as const;

describe.each([
  { width: 0.5, isClipped: true },
  { width: 1.5, isClipped: true },
  { width: 4, isClipped: false },
])('exponential noise of width $width, clipped: $isClipped', (noise) => {
  const { width, isClipped } = noise;
  const pairs = exponentialGridPairs(noise, 0.03 * width);
  const outputs = isClipped ? ([0, width] as const) : ([-20, width + 20] as const);
  const normaliser = (x: number): number => (isClipped ? 2 - Math.exp(-x) - Math.exp(x - width) : 2);
  const density = (y: number, x: number): number => Math.exp(-Math.abs(y - x)) / normaliser(x);

  test('laws of the others have mass 1, the blanket is below them, the first value from above, the second from below', () => {
    for (const { inputs, revealed } of pairs) {
      expect(revealed).toBeLessThan(0.2);
      for (const { victim0, victim1, own, blanket } of inputs) {
        expect(total(own)).toBeCloseTo(1, 12);
        expect(total(victim0)).toBeGreaterThan(1);
        expect(total(victim1)).toBeLessThan(1);
        expect(own.every((mass, y) => mass >= blanket[y]!)).toBe(true);
      }
    }
    const { inputs } = pairs[0]!;
    // The infimum over all values is that of the ends.
    expect(total(inputs[0]!.blanket)).toBeCloseTo(
      excess((y) => Math.min(density(y, 0), density(y, width)), outputs),
      5,
    );
  });

  test('off the grid no test does better than on the worst of the points around', () => {
    // The ends and the points next to them: cells of the grid with the ends in them.
    const ends = pairs[0]!;
    const nextFirst = pairs.find(({ label }) => / and 1 of/.test(label) && label !== ends.label)!;
    const inner = Number(/values ([^ ]+) and/.exec(nextFirst.label)![1]) * width;
    for (const [a, b, c] of TESTS) {
      const corners = [ends, nextFirst].map((pair) => excessOfAtoms(pair, 0, [a, b, c]));
      for (const share of [0.1, 0.5, 0.8]) {
        const x = share * inner;
        const noiseExcess = excess(
          (y) => a * density(y, x) + b * density(y, width) + c * density(y, 0),
          outputs,
        );
        expect(noiseExcess).toBeLessThanOrEqual(Math.max(...corners) + 1e-6);
      }
    }
  });
});

describe('exponential noise between two points', () => {
  const [left, right] = [0.3, 0.7];
  const wide = right - left;

  test.each([0.35, 0.5, 0.66])(
    'a law at %d is the average of its neighbours and a spike, which its own atoms cover',
    (x) => {
      const [a, b] = [Math.sinh(right - x) / Math.sinh(wide), Math.sinh(x - left) / Math.sinh(wide)];
      expect(a + b).toBeGreaterThan(1 / Math.cosh(wide / 2) - 1e-15);
      for (let y = -1; y < 2; y += 0.01) {
        const average = a * Math.exp(-Math.abs(y - left)) + b * Math.exp(-Math.abs(y - right));
        const spike = Math.exp(-Math.abs(y - x)) - average;
        expect(spike).toBeGreaterThan(-1e-12);
        if (y < left || y > right) expect(spike).toBeLessThan(1e-12);
        // Each neighbour with sinh(v) more of its own atom, which lies in the cell as the hyperbolic sine
        // towards the other end does.
        else {
          const own =
            (Math.sinh(wide) * (a * Math.sinh(right - y) + b * Math.sinh(y - left))) / Math.sinh(wide);
          expect(own).toBeGreaterThan(spike - 1e-12);
        }
      }
    },
  );
});

describe('Gaussian noise', () => {
  test.each([0.1, 0.3, 0.8])(
    'contains averages over a cell of %d with less noise, and is below those with more mass',
    (cell) => {
      const deviation = narrower(cell);
      for (const share of [0, 0.2, 0.5, 0.9]) {
        const x = share * cell;
        for (let y = -7; y < 8; y += 0.02) {
          const law = normalPdf(y - x);
          const narrow = (z: number): number => normalPdf((y - z) / deviation) / deviation;
          expect(law).toBeGreaterThanOrEqual(
            deviation * ((1 - share) * narrow(0) + share * narrow(cell)) * (1 - 1e-12),
          );
          const average = (1 - share) * normalPdf(y) + share * normalPdf(y - cell);
          expect(law).toBeLessThanOrEqual(Math.exp((cell * cell) / 8) * average * (1 + 1e-12));
        }
      }
    },
  );

  test.each([
    [1, 0, 0.2],
    [1, 0.7, 0.2],
    [1, 0.99, 0.5],
    [0.5, 0.3, 1],
  ])('by the sines of rate %d, e^(%d y) is above the average of its ends by no more', (rate, slope, half) => {
    let most = 0;
    for (let y = -half; y <= half; y += half / 500) {
      const average =
        (Math.sinh(rate * (half - y)) * Math.exp(-slope * half) +
          Math.sinh(rate * (half + y)) * Math.exp(slope * half)) /
        Math.sinh(2 * rate * half);
      const above = Math.exp(slope * y) / average;
      expect(above).toBeGreaterThan(1 - 1e-12);
      most = Math.max(most, above);
    }
    expect(averageDeficit(rate, slope, half)).toBeGreaterThanOrEqual(most * (1 - 1e-12));
    expect(averageDeficit(rate, slope, half)).toBeLessThan(1 + (most - 1) * 1.01 + 1e-12);
  });

  test('the steeper a law, the less it is above the average', () => {
    for (const [rate, half] of [
      [0.5, 0.1],
      [1, 0.5],
      [2, 1],
    ] as const) {
      const above = Array.from({ length: 101 }, (_, i) => averageDeficit(rate, (rate * i) / 100, half));
      above.slice(1).forEach((value, i) => expect(value).toBeLessThanOrEqual(above[i]! * (1 + 1e-12)));
    }
  });

  test('no test of the ends does better on the noise than on the atoms, and the others keep their mass', () => {
    const pair = gaussianInputs(0.5).pairsNear!(0.017)[0]!;
    const last = pair.inputs.length - 1;
    const density = (y: number, x: number): number => normalPdf(y - x);
    for (const [a, b, c] of TESTS) {
      const noise = excess((y) => a * density(y, 0) + b * density(y, 0.5) + c * density(y, 0.5), [-9, 9]);
      const atoms = excessOfAtoms(pair, last, [a, b, c]);
      expect(atoms).toBeGreaterThan(noise - 1e-7);
      expect(atoms).toBeLessThan(noise + 4e-3);
    }
    for (const { own, blanket } of pair.inputs) {
      expect(total(own)).toBeCloseTo(1, 12);
      expect(own.every((mass, y) => mass >= blanket[y]!)).toBe(true);
    }
    expect(pair.revealed).toBeLessThan(0.01);
    expect(pair.uncovered).toBeLessThan(1e-12);
  });
});

describe('piecewise', () => {
  test.each([0.1, 0.3, 0.36, 0.45])(
    'windows of %d of the outputs: every three are an average of the corners',
    (share) => {
      const law = twoLevelLaw(share, 1);
      const [pair] = piecewiseInputs(law).pairs;
      const { inputs } = pair!;
      expect(pair!.corners).toBe(true);
      // Corners as base measures of the regions, by their three likelihoods.
      const level = (ratio: number): number => (ratio > (law.high / law.low + 1) / 2 ? 1 : 0);
      const corners = inputs.map(({ victim0, victim1, own, blanket }) => {
        const regions = new Float64Array(8);
        blanket.forEach((mass, y) => {
          const region =
            4 * level(victim0[y]! / mass) + 2 * level(victim1[y]! / mass) + level(own[y]! / mass);
          regions[region]! += mass / law.low;
        });
        return regions;
      });
      for (const corner of corners) expect(total(corner)).toBeCloseTo(1, 12);
      const random = lcg(7);
      for (let run = 0; run < 60; run++) {
        const starts = [random(), random(), random()].map((u) => u * (1 - share));
        const regions = new Float64Array(8);
        const edges = [0, 1, ...starts, ...starts.map((start) => start + share)].toSorted((a, b) => a - b);
        edges.slice(1).forEach((to, i) => {
          const middle = (to + edges[i]!) / 2;
          const [x, z, t] = starts.map((start) => (middle > start && middle < start + share ? 1 : 0));
          regions[4 * x! + 2 * z! + t!]! += to - edges[i]!;
        });
        expect(distanceToHull(regions, corners)).toBeLessThan(2e-3);
      }
    },
  );
});

function lcg(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31;
}

/** Frank and Wolfe with steps away from the worst corner: converges fast, and never below the distance. */
function distanceToHull(target: Float64Array, corners: readonly Float64Array[]): number {
  const weights = corners.map(() => 1 / corners.length);
  for (let step = 0; step < 4000; step++) {
    const point = target.map((_, y) => corners.reduce((sum, corner, k) => sum + weights[k]! * corner[y]!, 0));
    const residual = target.map((value, y) => value - point[y]!);
    const gains = corners.map((corner) => corner.reduce((sum, value, y) => sum + value * residual[y]!, 0));
    const best = gains.indexOf(Math.max(...gains));
    const held = gains.map((gain, k) => (weights[k]! > 0 ? gain : Infinity));
    const worst = held.indexOf(Math.min(...held));
    const direction = corners[best]!.map((value, y) => value - corners[worst]![y]!);
    const square = direction.reduce((sum, value) => sum + value * value, 0);
    if (square < 1e-24) break;
    const along = direction.reduce((sum, value, y) => sum + value * residual[y]!, 0);
    const move = Math.min(weights[worst]!, Math.max(0, along / square));
    weights[best]! += move;
    weights[worst]! -= move;
    if (move < 1e-12) break;
  }
  const point = target.map((_, y) => corners.reduce((sum, corner, k) => sum + weights[k]! * corner[y]!, 0));
  return Math.hypot(...target.map((value, y) => value - point[y]!));
}

function looksAt(pairs: readonly TypedPair[]): number {
  return pairs.reduce((sum, pair) => sum + pair.inputs.length, 0);
}

test.each([0.1, 0.03, 0.01, 0.003, 0.001, 1e-4])(
  'grids for an epsilon of %d are small, or there is none',
  (epsilon) => {
    for (const pairs of [
      exponentialGridPairs({ width: 1, isClipped: true }, epsilon),
      exponentialGridPairs({ width: 1.5, isClipped: true }, epsilon),
      exponentialGridPairs({ width: 4.5, isClipped: false }, epsilon),
    ])
      expect(looksAt(pairs)).toBeLessThan(13_000);
    // Twice as much is allowed for the smallest epsilons, where many users leave little else open.
    expect(looksAt(gaussianInputs(1.2).pairsNear!(epsilon))).toBeLessThan(epsilon > 0.002 ? 13_000 : 26_000);
  },
);

// Pr[Z > 7.6] in fourteen digits: 1.4806537490048e-14.
test.each([0.4, 1, 1.2, 2])('outputs that nothing covers are charged, a range of %d deviations', (width) => {
  const pairs = gaussianInputs(width).pairsNear!(0.004);
  expect(pairs.length).toBeGreaterThan(0);
  for (const { uncovered } of pairs) expect(uncovered).toBeGreaterThan(1.4806537490048e-14);
});

test('wide ranges have no pairs from where they say so', () => {
  const inputs = gaussianInputs(1.4);
  const from = inputs.saysNothingFrom!;
  expect(from).toBeGreaterThan(0.05);
  expect(from).toBeLessThan(0.06);
  expect(inputs.pairsNear!(0.99 * from).length).toBeGreaterThan(0);
  expect(inputs.pairsNear!(from)).toEqual([]);
  expect(gaussianInputs(1.2).saysNothingFrom).toBe(Infinity);
});
