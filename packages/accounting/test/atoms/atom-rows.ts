import type { LikelihoodAtoms } from '@shuffle-dp/core';

/** Rows of (P, Q, W); rows without mass are left out. */
export function atomsOf(
  label: string,
  rows: readonly (readonly [number, number, number])[],
  symmetric = true,
): LikelihoodAtoms {
  const kept = rows.filter(([p, q, w]) => p + q + w > 0);
  return {
    label,
    victim0: Float64Array.from(kept, (row) => row[0]),
    victim1: Float64Array.from(kept, (row) => row[1]),
    others: Float64Array.from(kept, (row) => row[2]),
    symmetric,
  };
}

/** C(n, k); 0 outside the triangle. */
export function choose(n: number, k: number): number {
  if (k < 0 || k > n || n < 0) return 0;
  let result = 1;
  for (let i = 1; i <= k; i++) result *= (n - k + i) / i;
  return result;
}
