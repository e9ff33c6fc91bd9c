import type { RandomizerMatrix } from './exhaustive-divergence.ts';

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}

/** Scales rows to sum to 1. */
function normalised(weights: readonly (readonly number[])[]): number[][] {
  return weights.map((row) => {
    const total = row.reduce((sum, weight) => sum + weight, 0);
    return row.map((weight) => weight / total);
  });
}

export function randomizedResponseMatrix(domain: number, epsilon0: number): RandomizerMatrix {
  const values = range(domain);
  return normalised(values.map((x) => values.map((y) => (x === y ? Math.exp(epsilon0) : 1))));
}

export function subsetSelectionMatrix(domain: number, size: number, epsilon0: number): RandomizerMatrix {
  const subsets = range(1 << domain).filter(
    (set) => range(domain).filter((x) => (set >> x) & 1).length === size,
  );
  const values = range(domain);
  return normalised(values.map((x) => subsets.map((set) => ((set >> x) & 1 ? Math.exp(epsilon0) : 1))));
}

/** Rows 1 to 3 of the Hadamard matrix of order 4. */
export function hadamardResponseMatrix(epsilon0: number): RandomizerMatrix {
  const p = Math.exp(epsilon0);
  return normalised([
    [p, 1, p, 1],
    [p, p, 1, 1],
    [p, 1, 1, p],
  ]);
}

/** Symmetric unary encoding of three values: words of three bits. */
export function unaryEncodingMatrix(epsilon0: number): RandomizerMatrix {
  const root = Math.exp(epsilon0 / 2);
  const words = range(8);
  return normalised(
    [0, 1, 2].map((x) =>
      words.map((word) =>
        [0, 1, 2].reduce((mass, bit) => mass * (((word >> bit) & 1) === (bit === x ? 1 : 0) ? root : 1), 1),
      ),
    ),
  );
}
