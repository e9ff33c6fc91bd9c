/**
 * Places of the others for planar Laplace noise: that they cover the lens, and that their atoms tell no less
 * than the plane does.
 */
import { describe, expect, test } from 'vitest';
import { RandomStream } from '@shuffle-dp/core';
import type { Place } from '../../src/places/elliptic-cells.ts';
import { PlanarCells } from '../../src/places/planar-cells.ts';
import {
  CLOSELY,
  planarLaplacePair,
  triangleCorners,
  WIDELY,
  type TriangleCorner,
} from '../../src/places/planar-inputs.ts';
import { planarPairProfile } from '../../src/places/planar-laplace.ts';
import { total } from '../laws/enumeration.ts';

const LENSES = [
  { separation: 1, reach: 2 },
  { separation: 0.05, reach: 0.1 },
] as const;

const BOTH_WAYS = LENSES.flatMap((lens) => [
  { ...lens, layout: CLOSELY },
  { ...lens, layout: WIDELY },
]);

describe.each(BOTH_WAYS)('others within $reach of two places $separation apart', (lens) => {
  const { separation, reach, layout } = lens;
  const half = separation / 2;
  const corners = triangleCorners(separation, reach, layout);

  test('are in a triangle of corners that allow for its sides', () => {
    const stream = RandomStream.fromSeed(`lens ${separation} ${reach}`);
    const height = Math.sqrt(reach * reach - half * half);
    for (let found = 0; found < 60;) {
      const place = { x: stream.next() * (reach - half), y: stream.next() * height };
      if (Math.hypot(place.x + half, place.y) > reach) continue;
      found++;
      expect(isCovered(place, corners)).toBe(true);
    }
    // Also the places furthest from the victim's first one.
    for (let i = 0; i <= 50; i++) {
      const angle = (Math.atan2(height, half) * i) / 50;
      const place = { x: reach * Math.cos(angle) - half, y: reach * Math.sin(angle) };
      expect(isCovered({ x: Math.max(0, place.x), y: place.y * (1 - 1e-9) }, corners)).toBe(true);
    }
  });

  test('have laws of mass one with what they hide', () => {
    const pair = planarLaplacePair('places', { separation, reach }, layout);
    // The larger of the two densities has the mass one and the distance in variation.
    const { beta } = planarPairProfile({ separation, reach }).variationRatio!;
    for (const { victim0, victim1, own, hidden, blanket } of pair.inputs) {
      expect(Math.abs(total(victim0) - 1)).toBeLessThan(1e-11);
      expect(Math.abs(total(victim1) - 1)).toBeLessThan(1e-11);
      expect(total(own) + hidden!).toBeGreaterThan(1);
      expect(total(own) + hidden!).toBeLessThan(1 + 1e-6);
      expect(total(blanket) * Math.exp(reach)).toBeCloseTo(1 + beta, 9);
    }
  });
});

function isCovered(place: Place, corners: readonly TriangleCorner[]): boolean {
  // Of a triangle with a place in it no corner is further than its longest side.
  const near = corners.filter((corner) => distance(corner, place) <= corner.widest * (1 + 1e-9));
  return near.some((a, i) =>
    near.some(
      (b, j) => j > i && near.some((c, k) => k > j && isTriangle([a, b, c]) && isInside(place, a, b, c)),
    ),
  );
}

function isTriangle(corners: readonly TriangleCorner[]): boolean {
  const sides = corners.map((corner, i) => distance(corner, corners[(i + 1) % 3]!));
  return corners.every(({ widest }) => Math.max(...sides) <= widest * (1 + 1e-9));
}

function isInside(place: Place, a: Place, b: Place, c: Place): boolean {
  const turn = (p: Place, q: Place): number => (q.x - p.x) * (place.y - p.y) - (q.y - p.y) * (place.x - p.x);
  const turns = [turn(a, b), turn(b, c), turn(c, a)];
  return turns.every((t) => t >= -1e-12) || turns.every((t) => t <= 1e-12);
}

function distance(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Convex homogeneous functions of the two victims' densities and the third's. */
const CONVEX: readonly ((p: number, q: number, own: number) => number)[] = [
  (p, q, own) => ((p - q) * (p - q)) / own,
  (p, q, own) => (own * own) / Math.max(p, q),
  (p, q, own) => Math.max(0, p - 1.1 * q - 0.3 * own),
  (p, q, own) => Math.max(0, q - p + 0.5 * own),
  (p, q, own) => Math.max(0, own - 0.7 * p - 0.4 * q),
  (p, q, own) => own * Math.exp((0.6 * (p - 1.05 * q)) / own),
];
/** Those without a kink, which tell how much wider the atoms are. */
const SMOOTH = new Set([0, 1, 5]);

test.each([
  [1, { x: 0, y: Math.sqrt(3.75) }, 1],
  [1, { x: 0, y: Math.sqrt(3.75) }, 2],
  [1, { x: 0.63, y: 0.4 }, 1],
  [1, { x: 0.5, y: 0 }, 1],
  [0.1, { x: 0.02, y: 0.1 }, 1],
  [2, { x: 0.9, y: 0.2 }, 2],
] as const)(
  'places %d apart, others at %j, coarseness %d: integrals over the plane',
  (separation, third, coarseness) => {
    const half = separation / 2;
    const [left, right] = new PlanarCells(separation, coarseness).atomsOf(third);
    // Squares around the middle, by midpoints; beyond there is e^-12.
    const [cells, reach] = [640, 14];
    const step = (2 * reach) / cells;
    const truths = CONVEX.map(() => 0);
    for (let i = 0; i < cells; i++) {
      for (let k = 0; k < cells; k++) {
        const at = { x: -reach + (i + 0.5) * step, y: -reach + (k + 0.5) * step };
        const density = (place: Place): number => Math.exp(-distance(at, place)) / (2 * Math.PI);
        const [p, q, own] = [density({ x: -half, y: 0 }), density({ x: half, y: 0 }), density(third)];
        CONVEX.forEach((f, j) => (truths[j]! += f(p, q, own) * step * step));
      }
    }
    CONVEX.forEach((f, j) => {
      const sum =
        left.near.reduce((all, near, i) => all + f(near, left.far[i]!, left.own[i]!), 0) +
        right.near.reduce((all, near, i) => all + f(right.far[i]!, near, right.own[i]!), 0);
      expect(sum).toBeGreaterThanOrEqual(truths[j]! * (1 - 5e-4));
      if (SMOOTH.has(j)) expect(sum).toBeLessThan(truths[j]! * (coarseness === 1 ? 1.06 : 1.2));
    });
  },
);
