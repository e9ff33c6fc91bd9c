/** Chords through upper ends of a round's curve (docs/composition.md, "The sharp bound in rounds"). */
import { Real } from '@shuffle-dp/core';

/** Upper ends of a curve at every epsilon up to some, and null beyond. */
export type Chords = (epsilon: number) => number | null;

/**
 * Chords in e^epsilon through upper ends of a convex curve, and so above it. It is symmetric, f(x) =
 * 1 - x + x f(1/x): the first point has a mirror image below x = 1, and the chord between the two leads
 * through epsilon = 0.
 * @param knots increasing, above 0
 */
export function chordsThrough(knots: readonly number[], uppers: readonly number[]): Chords {
  const first = knots[0]!;
  // Of small epsilons e^epsilon - 1 keeps its digits.
  const points = [
    { x: Real.expm1(-first), upper: Real.exp(-first) * uppers[0]! - Real.expm1(-first) },
    ...knots.map((knot, i) => ({ x: Real.expm1(knot), upper: uppers[i]! })),
  ];
  return (epsilon) => {
    const next = knots.findIndex((knot) => epsilon <= knot);
    if (next < 0) return null;
    const [from, to] = [points[next]!, points[next + 1]!];
    const along = (Real.expm1(epsilon) - from.x) / (to.x - from.x);
    return Math.min(1, ((1 - along) * from.upper + along * to.upper) * (1 + ROUNDING));
  };
}

const ROUNDING = 1e-12;
