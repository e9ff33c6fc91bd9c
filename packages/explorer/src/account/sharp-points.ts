/** Points of a curve, and the sharp ones that take the place of some. */
import type { CurvePoint } from './contract.ts';

/** A factor between two ends below which a chart shows one line. */
const SEEN = 1.005;

/**
 * Every point, those that are known sharp in their sharp form. None is left out between sharp ones: a curve
 * may bend either way there, and their chord lies beyond what is certified.
 */
export function withSharp(points: readonly CurvePoint[], sharp: readonly CurvePoint[]): CurvePoint[] {
  const known = new Set(sharp.map(({ x }) => x));
  return [...points.filter(({ x }) => !known.has(x)), ...sharp].toSorted((a, b) => a.x - b.x);
}

/** Where sharpening will be seen: the values beside a sharp point that has gained by it. */
export function gainingValues(points: readonly CurvePoint[], sharp: readonly CurvePoint[]): number[] {
  const loose = new Map(points.map((point) => [point.x, point]));
  const known = sharp
    .map((point) => ({ x: point.x, hasGained: hasGained(loose.get(point.x), point) }))
    .toSorted((a, b) => a.x - b.x);
  return points
    .map(({ x }) => x)
    .filter((x) => {
      const [before, after] = [known.findLast((point) => point.x <= x), known.find((point) => point.x >= x)];
      return before?.x !== x && (before?.hasGained === true || after?.hasGained === true);
    });
}

function hasGained(loose: CurvePoint | undefined, { bracket }: CurvePoint): boolean {
  if (loose === undefined) return true;
  return bracket.upper * SEEN < loose.bracket.upper || loose.bracket.lower * SEEN < bracket.lower;
}
