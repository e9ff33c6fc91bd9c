/**
 * Privacy loss distributions on a lattice, from values of the curve e^epsilon -> delta at the lattice's
 * points.
 *
 * A pair of laws is, for all that composition can tell, its curve f(x) = sup over S of P(S) - x Q(S): convex,
 * falling, and every such curve is that of a pair. A larger curve means a pair that dominates, and domination
 * survives adaptive composition (Y. Zhu, J. Dong, Y.-X. Wang, "Optimal Accounting of Differential Privacy via
 * Characteristic Function", AISTATS 2022, Theorem 10). A piecewise linear curve with its knots at x = e^(j
 * step) belongs to a pair whose losses log P/Q are multiples of the step.
 *
 * Pessimistic: chords through upper values ("connect the dots": V. Doroshenko, B. Ghazi, P. Kamath, R. Kumar,
 * P. Manurangsi, PoPETs 2022(4)). Optimistic: the chords lowered until they lie below the curve. Both err by
 * the second power of the step; the proof of the optimistic side is in docs/composition.md.
 */
import { Real } from '@shuffle-dp/core';

/**
 * What is known of one direction P against Q of a pair at losses 0, step, 2 step, …; all arrays but `gap`
 * have one length.
 */
export interface LatticeCurve {
  /** Upper bounds of f(e^(j step)); the last one bounds the mass of all larger losses as well. */
  readonly upper: Float64Array;
  /** Lower bounds of the same. */
  readonly lower: Float64Array;
  /** How far f can lie below its chord between the points j and j + 1: upper bounds; one less than points. */
  readonly gap: Float64Array;
  /** Lower bound of the mass of losses that are infinite, or as good as that. */
  readonly infinite: number;
}

export type Side = 'pessimistic' | 'optimistic';

/** The law of the privacy loss log P/Q under P, on a lattice. The masses and `infinite` sum to 1. */
export interface PrivacyLossDistribution {
  /** Whether its pair dominates the pair described, or is dominated by it. */
  readonly side: Side;
  /** In nats. */
  readonly step: number;
  /** The loss of the first mass, in steps. */
  readonly offset: number;
  readonly masses: Float64Array;
  /** Mass of the loss +infinity. */
  readonly infinite: number;
}

/**
 * The distribution of a pair whose two directions have these curves; for a symmetric pair pass one curve
 * twice. Never wrong on its side, whatever the step; a step too coarse to see anything gives the trivial
 * pair.
 * @throws RangeError for steps of hundreds, whose exponentials leave the doubles
 */
export function privacyLossDistribution(
  forward: LatticeCurve,
  backward: LatticeCurve,
  step: number,
  side: Side,
): PrivacyLossDistribution {
  const heights = side === 'pessimistic' ? upperHeights(forward, backward) : lowerHeights(forward, backward);
  if (heights === null) return { side, step, offset: 0, masses: Float64Array.of(1), infinite: 0 };
  const [ahead, behind] = convexPair(heights[0], heights[1], step);
  const offset = -(behind.knots.at(-1) ?? 0);
  const masses = new Float64Array((ahead.knots.at(-1) ?? 0) - offset + 1);
  // The bend of the curve at a knot is the mass under Q; the mass under P is e^loss times that.
  ahead.knots.forEach((j, i) => {
    if (i > 0) masses[j - offset] = (slopeAfter(ahead, i) - ahead.slopes[i - 1]!) * Real.exp(j * step);
  });
  behind.knots.forEach((j, i) => {
    if (i > 0) masses[-j - offset] = slopeAfter(behind, i) - behind.slopes[i - 1]!;
  });
  masses[-offset] = Math.max(0, bendAtZero(ahead, behind));
  const infinite = ahead.heights.at(-1)!;
  requireLaw(masses, infinite);
  return { side, step, offset, masses, infinite };
}

/** What rounding may take of all mass, by far. */
const LOST = 1e-6;

/**
 * @throws RangeError where losses leave the doubles: of a law that lacks mass every delta would be too small
 */
function requireLaw(masses: Float64Array, infinite: number): void {
  const total = masses.reduce((sum, mass) => sum + mass, infinite);
  if (!(Math.abs(total - 1) < LOST)) throw new RangeError(`losses have a mass of ${total} together`);
}

function upperHeights(forward: LatticeCurve, backward: LatticeCurve): readonly [Float64Array, Float64Array] {
  const heights = [forward.upper.slice(), backward.upper.slice()] as const;
  // delta(0) is the total variation in either direction.
  heights[0][0] = heights[1][0] = Math.min(forward.upper[0]!, backward.upper[0]!);
  return heights;
}

/** Null where the lowered chords leave nothing of the curve. */
function lowerHeights(
  forward: LatticeCurve,
  backward: LatticeCurve,
): readonly [Float64Array, Float64Array] | null {
  const heights = [lowered(forward), lowered(backward)] as const;
  const atZero = Math.min(heights[0][0]!, heights[1][0]!);
  if (!(atZero > Math.max(forward.infinite, backward.infinite))) return null;
  heights[0][0] = heights[1][0] = atZero;
  return heights;
}

function lowered({ lower, gap, infinite }: LatticeCurve): Float64Array {
  const heights = new Float64Array(lower.length).fill(infinite);
  for (let j = 0; j < lower.length; j++) {
    const height = lower[j]! - Math.max(gap[j] ?? 0, gap[j - 1] ?? 0);
    if (!(height >= infinite)) {
      // A knot raised to the floor would raise the chord before it: the knot before goes down as well.
      if (j > 0) heights[j - 1] = infinite;
      break;
    }
    // Nothing is known beyond the last knot but the floor.
    if (j < lower.length - 1) heights[j] = height;
  }
  return heights;
}

/**
 * The lower convex hull of heights over x = e^(j step), up to its least height: the points it keeps and the
 * slopes between.
 */
interface Hull {
  readonly knots: readonly number[];
  readonly heights: readonly number[];
  readonly slopes: readonly number[];
}

/** The curve does not fall beyond its last knot. */
function slopeAfter({ slopes }: Hull, i: number): number {
  return slopes[i] ?? 0;
}

/**
 * Both halves of the hull of a whole curve. The backward half is kept in its own coordinates, f(x) =
 * 1 - x + x g(1/x): a projective map, which keeps lines and convexity.
 */
function convexPair(forward: Float64Array, backward: Float64Array, step: number): readonly [Hull, Hull] {
  let ahead = lowerHull(forward, step);
  let behind = lowerHull(backward, step);
  while (bendAtZero(ahead, behind) < 0 && ahead.knots.length + behind.knots.length > 2) {
    // The point at zero lies above the line through its neighbours: put it there, which may bring out others.
    const before = forward[0]!;
    const steep = [ahead, behind].flatMap((hull) => (hull.knots.length > 1 ? [hull] : []));
    let weights = 1;
    let total = 1;
    for (const { knots, heights } of steep) {
      const distance = Real.expm1(knots[1]! * step);
      total += heights[1]! / distance;
      weights += 1 / distance;
    }
    forward[0] = backward[0] = Math.min(before, total / weights);
    ahead = lowerHull(forward, step);
    behind = lowerHull(backward, step);
    if (forward[0] === before) break;
  }
  return [ahead, behind];
}

/** The mass at loss 0: how much the slope of the whole curve changes at x = 1. */
function bendAtZero(ahead: Hull, behind: Hull): number {
  return slopeAfter(ahead, 0) + slopeAfter(behind, 0) + 1 - ahead.heights[0]!;
}

function lowerHull(points: Float64Array, step: number): Hull {
  const knots: number[] = [0];
  const heights: number[] = [points[0]!];
  const slopes: number[] = [];
  for (let j = 1; j < points.length; j++) {
    let slope = slopeBetween(knots.at(-1)!, heights.at(-1)!, j, points[j]!, step);
    while (slopes.length > 0 && slope <= slopes.at(-1)!) {
      knots.pop();
      heights.pop();
      slopes.pop();
      slope = slopeBetween(knots.at(-1)!, heights.at(-1)!, j, points[j]!, step);
    }
    knots.push(j);
    heights.push(points[j]!);
    slopes.push(slope);
  }
  // A curve that falls is no higher than it was: a rise can only be one of rounding, or of a bound that is
  // not as near.
  while (slopes.length > 0 && slopes.at(-1)! > 0) {
    knots.pop();
    heights.pop();
    slopes.pop();
  }
  return { knots, heights, slopes };
}

function slopeBetween(i: number, yi: number, j: number, yj: number, step: number): number {
  return (yj - yi) / (Real.exp(i * step) * Real.expm1((j - i) * step));
}
