/** Gauss-Legendre nodes and weights on [-1, 1], computed once per order by Newton's method. */
import * as Real from './elementary/index.ts';
export interface QuadratureRule {
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

const rules = new Map<number, QuadratureRule>();

/**
 * Nodes and weights of Gauss and Legendre's rule on [-1, 1], which is exact for polynomials of degree 2
 * order - 1.
 *
 * @param order the number of nodes, at least 1
 * @example gaussLegendre(2).weights // [1, 1]
 */
export function gaussLegendre(order: number): QuadratureRule {
  const known = rules.get(order);
  if (known) return known;
  const nodes = new Float64Array(order);
  const weights = new Float64Array(order);
  for (let i = 0; i < order; i++) {
    let x = Real.cos((Math.PI * (i + 0.75)) / (order + 0.5));
    let derivative = 0;
    for (let step = 0; step < 100; step++) {
      let before = 1;
      let value = x;
      for (let j = 2; j <= order; j++)
        [before, value] = [value, ((2 * j - 1) * x * value - (j - 1) * before) / j];
      derivative = (order * (x * value - before)) / (x * x - 1);
      const change = value / derivative;
      x -= change;
      if (Math.abs(change) < 1e-16) break;
    }
    nodes[i] = x;
    weights[i] = 2 / ((1 - x * x) * derivative * derivative);
  }
  const rule = { nodes, weights };
  rules.set(order, rule);
  return rule;
}

/**
 * The integral of a smooth f over [a, b] by one rule of the given order.
 *
 * @example integrateSmooth(Math.sin, 0, Math.PI) // 2
 */
export function integrateSmooth(f: (x: number) => number, a: number, b: number, order = 64): number {
  const { nodes, weights } = gaussLegendre(order);
  const half = (b - a) / 2;
  const middle = (a + b) / 2;
  let sum = 0;
  for (let i = 0; i < order; i++) sum += weights[i]! * f(middle + half * nodes[i]!);
  return sum * half;
}
