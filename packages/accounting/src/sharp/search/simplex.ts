/**
 * The least value of a function of a few numbers by a simplex that moves downhill (J. Nelder and R. Mead, "A
 * Simplex Method for Function Minimization", The Computer Journal 7, 1965). It follows valleys and edges
 * across the axes, where steps along one number at a time get stuck.
 */

interface Vertex {
  readonly at: readonly number[];
  readonly value: number;
}

/** When a descent ends. */
export interface SimplexEnd {
  /** Evaluations at most. */
  readonly most: number;
  /** A difference of the vertices' values below which nothing is gained. */
  readonly enough: number;
  /** After so many evaluations the value is to have fallen by `gain`, or there is little to find. */
  readonly promising?: { readonly after: number; readonly gain: number };
  /** A value that will do. */
  readonly goal?: number;
}

/**
 * @param valueOf may be infinite; @param steps from `start` to the other vertices
 */
export function simplexDescent(
  valueOf: (at: readonly number[]) => number,
  start: Vertex,
  steps: readonly number[],
  { most, enough, promising, goal = -Infinity }: SimplexEnd,
): Vertex {
  let evaluations = 0;
  const vertexAt = (at: readonly number[]): Vertex => {
    evaluations++;
    return { at, value: valueOf(at) };
  };
  let vertices = [
    start,
    ...steps.map((step, axis) => vertexAt(start.at.map((x, i) => (i === axis ? x + step : x)))),
  ];
  // Every round takes one evaluation at least.
  for (let round = 0; round < most; round++) {
    if (evaluations >= most) break;
    vertices.sort((a, b) => a.value - b.value);
    const [best, worst] = [vertices[0]!, vertices.at(-1)!];
    if (worst.value - best.value <= enough || best.value <= goal) break;
    if (promising && evaluations >= promising.after && !(best.value <= start.value - promising.gain)) break;
    const others = vertices.slice(0, -1);
    const centre = start.at.map((_, i) => others.reduce((sum, { at }) => sum + at[i]!, 0) / others.length);
    const along = (share: number): Vertex =>
      vertexAt(centre.map((middle, i) => middle + share * (worst.at[i]! - middle)));
    const mirrored = along(-1);
    if (mirrored.value < best.value) {
      const further = along(-2);
      vertices[vertices.length - 1] = further.value < mirrored.value ? further : mirrored;
    } else if (mirrored.value < others.at(-1)!.value) {
      vertices[vertices.length - 1] = mirrored;
    } else {
      const nearer = along(mirrored.value < worst.value ? -0.5 : 0.5);
      if (nearer.value < Math.min(mirrored.value, worst.value)) vertices[vertices.length - 1] = nearer;
      else {
        vertices = [
          best,
          ...vertices.slice(1).map(({ at }) => vertexAt(at.map((x, i) => (x + best.at[i]!) / 2))),
        ];
      }
    }
  }
  return vertices.reduce((least, vertex) => (vertex.value < least.value ? vertex : least));
}
