/**
 * Every place of the others for planar Laplace noise (docs/sharp-bound.md, "Laplace noise in the plane"):
 * corners of triangles that cover the places within reach of both of the victim's, at (-separation / 2, 0)
 * and (separation / 2, 0). All distances in nats.
 */
import { Real, type OtherInput, type TypedPair } from '@shuffle-dp/core';
import type { MetricPair } from './metric-privacy.ts';
import type { Place } from './elliptic-cells.ts';
import { PlanarCells } from './planar-cells.ts';

/**
 * How much longer sides of triangles are than the next ones further out, and the longest; for a reach up to
 * two.
 */
const [INWARDS, MOST] = [1.3, 0.55];
/**
 * Of the triangles, and how wide cells of outputs are in the places' own scale: what these add to the gains'
 * variance, their square, is what is left open among a million users.
 */
export interface PlanarLayout {
  /** Sides of the triangles at the place furthest from both; for a reach up to two. */
  readonly finest: number;
  /** How they grow with the distance from it along the circle, the more so the further the two are apart. */
  readonly growth: number;
  readonly cells: number;
}
/** Where epsilon is a small share of the separation, and where few users leave more open than the layout. */
export const CLOSELY: PlanarLayout = { finest: 0.11, growth: 0.36, cells: 0.7 };
export const WIDELY: PlanarLayout = { finest: 0.15, growth: 0.5, cells: 0.85 };
/** Longer ones are so far from the worst that ratios need not be told apart as closely. */
const COARSE = 0.3;
/** What integrals over cells may err by, of each atom: such a share of the law is given away. */
const RULE = 1e-7;

/** The victim is at one of the two places, the others anywhere within `reach` of both. */
export function planarLaplacePair(
  label: string,
  { separation, reach }: MetricPair,
  layout: PlanarLayout = CLOSELY,
): TypedPair {
  const [fine, coarse] = [new PlanarCells(separation, layout.cells), new PlanarCells(separation, 2)];
  const least = Real.exp(-reach);
  const inputs = triangleCorners(separation, reach, layout).map(({ x, y, widest }): OtherInput => {
    const cells = widest > COARSE * Math.max(1, reach / 2) ? coarse : fine;
    const sides = cells.atomsOf({ x, y });
    const off = -Real.expm1((-widest * widest) / 8) + RULE;
    return {
      label: `others at (${short(x)}, ${short(y)}) from the middle`,
      victim0: join(sides[0].near, sides[1].far),
      victim1: join(sides[0].far, sides[1].near),
      own: join(sides[0].own, sides[1].own, 1 - off),
      // No less than what it lacks, whichever way the integrals err.
      hidden: off + RULE,
      blanket: join(sides[0].near, sides[1].near, least),
    };
  });
  return { label, inputs, symmetric: false, uncovered: fine.missed };
}

/** The one after the other, times a factor. */
function join(first: Float64Array, second: Float64Array, factor = 1): Float64Array {
  const all = new Float64Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  if (factor !== 1) for (let i = 0; i < all.length; i++) all[i]! *= factor;
  return all;
}

function short(value: number): number {
  return Number(value.toFixed(3));
}

export interface TriangleCorner extends Place {
  /** The longest side of a triangle with this corner. */
  readonly widest: number;
}

/**
 * Corners of triangles that cover a quarter of the lens, right of the middle and above the line through the
 * places: of the disc around the left place what is there. Corners are in rows from the middle line to a
 * little beyond the circle.
 */
export function triangleCorners(
  separation: number,
  reach: number,
  { finest, growth }: Pick<PlanarLayout, 'finest' | 'growth'> = CLOSELY,
): TriangleCorner[] {
  const half = separation / 2;
  const height = Math.sqrt((reach - half) * (reach + half));
  const apexAngle = Real.atan2(height, half);
  const scale = Math.max(1, reach / 2);
  /** At a distance from the apex along the circle. */
  const sideAt = (along: number): number =>
    Math.min(MOST, finest + growth * (separation / reach) * along) * scale;
  const angles = stepsTo(apexAngle, (from) => sideAt(from * reach) / reach).map((step) => apexAngle - step);
  const rows = angles.map((angle, i): Place[] => {
    if (i === 0) return [{ x: 0, y: height }];
    const gap = Math.max(angles[i - 1]! - angle, angle - (angles[i + 1] ?? angle));
    // Then the tangent at the apex and chords elsewhere are outside of the circle.
    const radius = reach / Real.cos(gap);
    const [y, end] = [radius * Real.sin(angle), radius * Real.cos(angle) - half];
    const first = sideAt((apexAngle - angle) * reach);
    const depths = stepsTo(end, (from) => Math.min(MOST * scale, first + (INWARDS - 1) * from));
    return depths.map((depth) => ({ x: end - depth, y }));
  });
  const widest = rows.map((row) => row.map(() => 0));
  for (let i = 1; i < rows.length; i++) stitch(rows, widest, i);
  return rows.flatMap((row, i) => row.map((place, k) => ({ ...place, widest: widest[i]![k]! })));
}

/** From 0 to `end`, each step at most as long as allowed where it begins. */
function stepsTo(end: number, step: (from: number) => number): number[] {
  const steps = [0];
  while (steps.at(-1)! < end) steps.push(steps.at(-1)! + step(steps.at(-1)!));
  const shrink = end / steps.at(-1)!;
  return steps.map((at, i) => (i + 1 === steps.length ? end : at * shrink));
}

/** Triangles between two rows, from the circle inwards, each time by the shorter diagonal. */
function stitch(rows: readonly Place[][], widest: number[][], i: number): void {
  const [before, after] = [rows[i - 1]!, rows[i]!];
  let a = 0;
  let b = 0;
  while (a + 1 < before.length || b + 1 < after.length) {
    const moveA = a + 1 < before.length ? distance(before[a + 1]!, after[b]!) : Infinity;
    const moveB = b + 1 < after.length ? distance(before[a]!, after[b + 1]!) : Infinity;
    const corners: [number, number][] = [
      [i - 1, a],
      [i, b],
    ];
    if (moveA < moveB) corners.push([i - 1, ++a]);
    else corners.push([i, ++b]);
    const places = corners.map(([row, k]) => rows[row]![k]!);
    const side = Math.max(...places.map((place, k) => distance(place, places[(k + 1) % 3]!)));
    for (const [row, k] of corners) widest[row]![k] = Math.max(widest[row]![k]!, side);
  }
}

function distance(a: Place, b: Place): number {
  return Real.hypot(a.x - b.x, a.y - b.y);
}
