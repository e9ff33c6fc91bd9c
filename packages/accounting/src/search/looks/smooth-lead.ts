/**
 * A smooth curve that is dear to evaluate, by polynomials through what is known of it: for leading a search,
 * never for what is told.
 */
import type { Excess } from '../axis.ts';

/** Polynomials through one point more and one less agree to so much of a unit. */
const CLOSE = 1e-4;
/** Points that a polynomial goes through. */
const POINTS = 4;

/** @param exact is asked where four known points do not tell */
export function smoothLead(exact: Excess): Excess {
  const known: (readonly [at: number, value: number])[] = [];
  return (position) => {
    const nearest = known
      .toSorted((a, b) => Math.abs(a[0] - position) - Math.abs(b[0] - position))
      .slice(0, POINTS);
    if (nearest[0]?.[0] === position) return nearest[0][1];
    if (nearest.length === POINTS) {
      const value = polynomialAt(nearest, position);
      if (Math.abs(value - polynomialAt(nearest.slice(1), position)) <= CLOSE) return value;
    }
    const value = exact(position);
    if (Number.isFinite(value)) known.push([position, value]);
    return value;
  };
}

/** Through all the points, by Neville's scheme. */
function polynomialAt(points: readonly (readonly [at: number, value: number])[], position: number): number {
  const values = points.map(([, value]) => value);
  for (let degree = 1; degree < points.length; degree++)
    for (let i = 0; i + degree < points.length; i++) {
      const [left, right] = [points[i]![0], points[i + degree]![0]];
      values[i] = ((position - right) * values[i]! + (left - position) * values[i + 1]!) / (left - right);
    }
  return values[0]!;
}
