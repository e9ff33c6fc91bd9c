/**
 * A rough bound of E e^(weight * sum of the gains) F(mean of the ratios) over a buffer, without a transform
 * (docs/sharp-bound.md). F(r) = E e^(rX) for some X, and so it is E e^(phi(X)) with phi(x) the logarithm of a
 * buffer's generating function, which is convex: between two knots below its chord, beyond the last below a
 * line of the smallest or largest ratio. The exponentials of all these lines together are above e^phi
 * everywhere, and e^(a + bX) has the expectation e^a F(b).
 */
import { Real } from '@shuffle-dp/core';
import { drawMoments, type BufferLaw } from './buffer.ts';

/**
 * Knots are so far apart that phi leaves its chord by about an eighth of this, ever more further out, and no
 * further than this.
 */
const [BEND, GROWTH, FURTHEST] = [3, 1.4, 20];
const MOST_KNOTS = 40;
/** What is left out at either end is this small in the logarithm, or closed by one line. */
const NEGLIGIBLE = -3;

/** log of the bound. @param slope where X is about, over `size` */
export function chordBound(
  draws: BufferLaw,
  weight: number,
  size: number,
  slope: number,
  logF: (ratio: number) => number,
): number {
  const phi = (x: number): { value: number; bend: number } => {
    const { log, variance } = drawMoments(draws, weight, x / size);
    return { value: size * log, bend: variance / size };
  };
  const [least, most] = [draws.smallestPoint * draws.step, draws.largestPoint * draws.step];
  let total = -Infinity;
  const add = (x: number, value: number, ratio: number): void => {
    total = logAddUp(total, value - ratio * x + logF(ratio));
  };
  const start = slope * size;
  const middle = phi(start);
  if (most - least <= 1e-12 * most || middle.bend === 0) return middle.value - start + logF(1);
  for (const [side, end] of [
    [1, most],
    [-1, least],
  ] as const) {
    let [x, at] = [start, middle];
    for (let knot = 0; ; knot++) {
      const closing = at.value - end * x + logF(end);
      if (closing <= total + NEGLIGIBLE || knot === MOST_KNOTS) {
        total = logAddUp(total, closing);
        break;
      }
      const next = x + side * Math.min(FURTHEST, Math.sqrt((BEND * Real.power(GROWTH, knot)) / at.bend));
      const there = phi(next);
      add(x, at.value, Math.min(most, Math.max(least, (there.value - at.value) / (next - x))));
      [x, at] = [next, there];
    }
  }
  return total + 1e-9 + 1e-12 * Math.abs(total);
}

export function logAddUp(a: number, b: number): number {
  const top = Math.max(a, b);
  return top === -Infinity ? top : top + Real.log1p(Real.exp(Math.min(a, b) - top));
}
