/** Laws of one message of users with budgets of their own, on shared cells, by their formulas. */
import type { BudgetGroup, CellLaw } from '@shuffle-dp/accounting';
import { normalTail } from '@shuffle-dp/core';

interface Continuous {
  density(z: number): number;
  /** Mass of [a, b]. */
  mass(a: number, b: number): number;
  /** Minus the second derivative of the log density; 0 if absent. */
  readonly curvature?: number;
}

function onCells(law: Continuous, edges: readonly number[]): CellLaw {
  const cells = edges.slice(1).map((end, i): [number, number] => [edges[i]!, end]);
  const { curvature = 0 } = law;
  return {
    masses: Float64Array.from(cells, ([a, b]) => law.mass(a, b)),
    densities: {
      start: Float64Array.from(cells, ([a]) => law.density(a)),
      end: Float64Array.from(cells, ([, b]) => law.density(b)),
      bend: Float64Array.from(cells, ([a, b]) => (curvature === 0 ? 0 : (curvature * (b - a) ** 2) / 8)),
    },
  };
}

function evenly(from: number, to: number, cells: number): number[] {
  return Array.from({ length: cells + 1 }, (_, i) => from + ((to - from) * i) / cells);
}

/** factor e^(-rate |z - at|). */
function exponential(factor: number, rate: number, at: number): Continuous {
  // Of [0, x] measured from `at`.
  const half = (x: number): number => (factor * -Math.expm1(-rate * x)) / rate;
  const piece = (near: number, far: number): number =>
    (factor * Math.exp(-rate * near) * -Math.expm1(-rate * (far - near))) / rate;
  return {
    density: (z) => factor * Math.exp(-rate * Math.abs(z - at)),
    mass: (a, b) => {
      if (a >= at) return piece(a - at, b - at);
      if (b <= at) return piece(at - b, at - a);
      return half(at - a) + half(b - at);
    },
  };
}

/** The smaller of two laws that cross once, the first being the smaller above `at`. */
function lowerOf(first: Continuous, second: Continuous, at: number): Continuous {
  return {
    density: (z) => Math.min(first.density(z), second.density(z)),
    mass: (a, b) => (a >= at ? first.mass(a, b) : second.mass(a, b)),
    curvature: first.curvature ?? 0,
  };
}

/** Clip-Laplace noise on values in [-1, 1], outputs in [-1, 1]. */
export function clipLaplaceGroup(budget: number, users: number, cells = 400): BudgetGroup {
  const edges = evenly(-1, 1, cells);
  const rate = budget / 2;
  const factor = rate / -Math.expm1(-budget);
  const atLeft = exponential(factor, rate, -1);
  const atRight = exponential(factor, rate, 1);
  const atMiddle = exponential(rate / (2 * -Math.expm1(-rate)), rate, 0);
  const [first, second, middle] = [atLeft, atRight, atMiddle].map((law) => onCells(law, edges));
  return {
    budget,
    users,
    blanket: onCells(lowerOf(atLeft, atRight, 0), edges),
    pairs: [{ first: first!, second: second!, symmetric: true }],
    held: [first!.masses, second!.masses, middle!.masses],
  };
}

/** Edges for unbounded noise on [0, 1]: even inside, wider and wider outside up to `reach`; then one cell to infinity. */
function unboundedEdges(reach: number, inside: number, outside: number): number[] {
  const right = Array.from({ length: outside }, (_, i) => reach * ((i + 1) / outside) ** 1.5);
  const left = right.map((x) => -x).reverse();
  return [-Infinity, ...left, ...evenly(0, 1, inside), ...right.map((x) => 1 + x), Infinity];
}

function twoEnded(
  budget: number,
  users: number,
  edges: readonly number[],
  law: (at: number) => Continuous,
): BudgetGroup {
  const first = onCells(law(0), edges);
  const second = onCells(law(1), edges);
  return {
    budget,
    users,
    blanket: onCells(lowerOf(law(0), law(1), 0.5), edges),
    pairs: [{ first, second, symmetric: true }],
    held: [first.masses, second.masses],
  };
}

/** Laplace noise of scale 1/budget on values in [0, 1]; cells up to `reach` beyond the range. */
export function laplaceGroup(budget: number, users: number, reach = 100, cells = 400): BudgetGroup {
  const edges = unboundedEdges(reach, cells, cells);
  return twoEnded(budget, users, edges, (at) => exponential(budget / 2, budget, at));
}

/** Gaussian noise of this deviation on values in [0, 1]. */
export function gaussianGroup(sigma: number, users: number, reach = 100, cells = 400): BudgetGroup {
  const tail = (z: number): number => normalTail(z / sigma);
  return twoEnded(Infinity, users, unboundedEdges(reach, cells, cells), (at) => ({
    density: (z) => Math.exp(-((z - at) ** 2) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI)),
    mass: (a, b) => (a >= at ? tail(a - at) - tail(b - at) : tail(at - b) - tail(at - a)),
    curvature: 1 / (sigma * sigma),
  }));
}

/** Generalised randomized response over `domain` values; other users may hold any of them. */
export function grrGroup(budget: number, users: number, domain: number): BudgetGroup {
  const p = Math.exp(budget);
  const law = (value: number): Float64Array =>
    Float64Array.from({ length: domain }, (_, y) => (y === value ? p : 1) / (p + domain - 1));
  return {
    budget,
    users,
    blanket: { masses: new Float64Array(domain).fill(1 / (p + domain - 1)) },
    pairs: [{ first: { masses: law(0) }, second: { masses: law(1) }, symmetric: true }],
    held: Array.from({ length: domain }, (_, value) => law(value)),
  };
}
