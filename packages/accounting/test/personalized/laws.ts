/**
 * Laws of one message of users with budgets of their own, on shared cells, from their definitions: a mass is
 * a difference of the distribution function, or of its complement on the right; a blanket is the smallest of
 * the laws of the two ends.
 */
import type { BudgetGroup, CellLaw } from '@shuffle-dp/accounting';

/** A law on the line, symmetric around 0. */
interface Noise {
  density(z: number): number;
  /** Pr[noise > z] for z >= 0. */
  tail(z: number): number;
  /** Pr[a < noise <= b] for 0 <= a <= b, where their difference would lose digits that a test needs. */
  between?(a: number, b: number): number;
  /** Minus the second derivative of the log density. */
  readonly curvature: number;
}

function laplaceNoise(scale: number): Noise {
  return {
    density: (z) => Math.exp(-Math.abs(z) / scale) / (2 * scale),
    tail: (z) => Math.exp(-z / scale) / 2,
    // Cells of the tail have one likelihood ratio: tests of their messages need to see that.
    between: (a, b) => (Math.exp(-a / scale) * (b === Infinity ? 1 : -Math.expm1((a - b) / scale))) / 2,
    curvature: 0,
  };
}

function gaussianNoise(sigma: number): Noise {
  return {
    density: (z) => Math.exp(-0.5 * (z / sigma) ** 2) / Math.sqrt(2 * Math.PI * sigma * sigma),
    tail: (z) => complementaryError(z / (sigma * Math.SQRT2)) / 2,
    curvature: 1 / (sigma * sigma),
  };
}

/** erfc(x) for x >= 0: the Taylor series of erf below 2, Laplace's continued fraction above. */
export function complementaryError(x: number): number {
  if (x === Infinity) return 0;
  if (x < 2) {
    let sum = 0;
    let term = x;
    for (let k = 0; k < 60; k++) {
      sum += term / (2 * k + 1);
      term *= -(x * x) / (k + 1);
    }
    return 1 - (2 / Math.sqrt(Math.PI)) * sum;
  }
  let fraction = x;
  for (let k = 120; k > 0; k--) fraction = x + k / 2 / fraction;
  return Math.exp(-x * x) / (Math.sqrt(Math.PI) * fraction);
}

/** Mass of [a, b] under `at` plus noise. */
function massOf(
  { tail, between = (a, b) => tail(a) - tail(b) }: Noise,
  at: number,
  a: number,
  b: number,
): number {
  if (a >= at) return between(a - at, b - at);
  if (b <= at) return between(at - b, at - a);
  return 1 - tail(at - a) - tail(b - at);
}

/** The law of `at` plus noise given that it is between the outermost edges. */
function messageLaw(noise: Noise, at: number, edges: readonly number[]): CellLaw {
  const total = massOf(noise, at, edges[0]!, edges.at(-1)!);
  const starts = edges.slice(0, -1);
  const ends = edges.slice(1);
  return {
    masses: Float64Array.from(starts, (a, y) => massOf(noise, at, a, ends[y]!) / total),
    densities: {
      start: Float64Array.from(starts, (a) => noise.density(a - at) / total),
      end: Float64Array.from(ends, (b) => noise.density(b - at) / total),
      bend: Float64Array.from(starts, (a, y) =>
        noise.curvature === 0 ? 0 : (noise.curvature * (ends[y]! - a) ** 2) / 8,
      ),
    },
  };
}

/** The infimum over the values between two: it is attained at one of them. The middle must be an edge. */
function smallest(first: CellLaw, second: CellLaw): CellLaw {
  const least = (a: Float64Array, b: Float64Array): Float64Array => a.map((x, y) => Math.min(x, b[y]!));
  return {
    masses: least(first.masses, second.masses),
    densities: {
      start: least(first.densities!.start, second.densities!.start),
      end: least(first.densities!.end, second.densities!.end),
      bend: first.densities!.bend,
    },
  };
}

function evenly(from: number, to: number, cells: number): number[] {
  return Array.from({ length: cells + 1 }, (_, i) => from + ((to - from) * i) / cells);
}

/** Clip-Laplace noise on values in [-1, 1], outputs in [-1, 1]; others may hold `held`. */
export function clipLaplaceGroup(
  budget: number,
  users: number,
  cells = 400,
  held: readonly number[] = [-1, 1, 0],
): BudgetGroup {
  const edges = evenly(-1, 1, cells);
  const law = (at: number): CellLaw => messageLaw(laplaceNoise(2 / budget), at, edges);
  return {
    budget,
    users,
    blanket: smallest(law(-1), law(1)),
    pairs: [{ first: law(-1), second: law(1), symmetric: true }],
    held: held.map((at) => law(at).masses),
  };
}

/**
 * Edges for unbounded noise on [0, 1]: even inside, wider and wider outside up to `reach`; then one cell to
 * infinity.
 */
function unboundedEdges(reach: number, inside: number, outside: number): number[] {
  const right = Array.from({ length: outside }, (_, i) => reach * ((i + 1) / outside) ** 1.5);
  const left = right.map((x) => -x).reverse();
  return [-Infinity, ...left, ...evenly(0, 1, inside), ...right.map((x) => 1 + x), Infinity];
}

/**
 * Laplace noise of scale 1/budget on values in [0, 1]; cells up to `reach` beyond the range; others may hold
 * `held`.
 */
export function laplaceGroup(
  budget: number,
  users: number,
  reach = 100,
  cells = 400,
  held: readonly number[] = [0, 1],
): BudgetGroup {
  const edges = unboundedEdges(reach, cells, cells);
  const law = (at: number): CellLaw => messageLaw(laplaceNoise(1 / budget), at, edges);
  return {
    budget,
    users,
    blanket: smallest(law(0), law(1)),
    pairs: [{ first: law(0), second: law(1), symmetric: true }],
    held: held.map((at) => law(at).masses),
  };
}

/** Gaussian noise of this deviation on values in [0, 1]; others may hold `held`. */
export function gaussianGroup(
  sigma: number,
  users: number,
  reach = 100,
  cells = 400,
  held: readonly number[] = [0, 1],
): BudgetGroup {
  const edges = unboundedEdges(reach, cells, cells);
  const law = (at: number): CellLaw => messageLaw(gaussianNoise(sigma), at, edges);
  const pair = { first: law(0), second: law(1), symmetric: true, gaussian: { deviation: sigma, law } };
  return {
    budget: Infinity,
    users,
    blanket: smallest(law(0), law(1)),
    pairs: [pair],
    held: held.map((at) => law(at).masses),
  };
}

/** Generalised randomized response over `domain` values; other users may hold any of them. */
export function grrGroup(budget: number, users: number, domain: number): BudgetGroup {
  const lie = 1 / (Math.exp(budget) + domain - 1);
  const laws = Array.from({ length: domain }, (_, value) =>
    new Float64Array(domain).fill(lie).fill(1 - (domain - 1) * lie, value, value + 1),
  );
  return {
    budget,
    users,
    blanket: { masses: new Float64Array(domain).fill(lie) },
    pairs: [{ first: { masses: laws[0]! }, second: { masses: laws[1]! }, symmetric: true }],
    held: laws,
  };
}
