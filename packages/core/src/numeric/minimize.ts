/** The minimum of a function with one valley, by golden sections: no derivatives, one evaluation a step. */
export interface Minimum {
  readonly x: number;
  readonly value: number;
}

const GOLDEN = (Math.sqrt(5) - 1) / 2;

/**
 * Stops when the interval is shorter than `tolerance`; the best point seen is returned.
 *
 * @example minimizeUnimodal((x) => (x - 2) ** 2, 0, 5, 1e-8).x // 2
 */
export function minimizeUnimodal(
  f: (x: number) => number,
  low: number,
  high: number,
  tolerance: number,
): Minimum {
  let [a, b] = [low, high];
  let x = b - GOLDEN * (b - a);
  let y = a + GOLDEN * (b - a);
  let [fx, fy] = [f(x), f(y)];
  while (b - a > tolerance) {
    if (fx <= fy) {
      [b, y, fy] = [y, x, fx];
      x = b - GOLDEN * (b - a);
      fx = f(x);
    } else {
      [a, x, fx] = [x, y, fy];
      y = a + GOLDEN * (b - a);
      fy = f(y);
    }
  }
  return fx <= fy ? { x, value: fx } : { x: y, value: fy };
}
