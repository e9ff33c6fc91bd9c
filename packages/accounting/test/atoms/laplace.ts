import type { LikelihoodAtoms } from '@shuffle-dp/core';

/**
 * Laplace noise of scale 1/epsilon0 on inputs 0 and 1 in `cells` cells between them; the others' mass is the
 * pointwise minimum, or the law of input 0. Outside [0, 1] all ratios are constant.
 */
export function laplaceAtoms(
  epsilon0: number,
  others: 'blanket' | 'first value',
  cells = 1000,
): LikelihoodAtoms {
  const far = Math.exp(-epsilon0);
  // Masses of [a, b] inside [0, 1] under inputs 0 and 1.
  const mass0 = (a: number, b: number): number =>
    (Math.exp(-epsilon0 * a) * -Math.expm1(-epsilon0 * (b - a))) / 2;
  const mass1 = (a: number, b: number): number => mass0(1 - b, 1 - a);
  const blanket = others === 'blanket';
  const rows = [[0.5, far / 2, blanket ? far / 2 : 0.5]];
  const ends: [number, number][] = [[0, 0]];
  for (let i = 0; i < cells; i++) {
    const a = i / cells;
    const b = (i + 1) / cells;
    const w = blanket ? (a + b < 1 ? mass1(a, b) : mass0(a, b)) : mass0(a, b);
    rows.push([mass0(a, b), mass1(a, b), w]);
    ends.push([a, b]);
  }
  rows.push([far / 2, 0.5, far / 2]);
  ends.push([1, 1]);
  const column = (i: number): Float64Array => Float64Array.from(rows, (row) => row[i]!);
  const ratio = (input: 0 | 1, end: 0 | 1): Float64Array =>
    Float64Array.from(ends, (cell) => {
      const z = cell[end];
      const exponents = [-epsilon0 * z, -epsilon0 * (1 - z)];
      return Math.exp(exponents[input]! - (blanket ? Math.min(exponents[0]!, exponents[1]!) : exponents[0]!));
    });
  return {
    label: others,
    victim0: column(0),
    victim1: column(1),
    others: column(2),
    symmetric: blanket,
    cellEnds: {
      ratio0Start: ratio(0, 0),
      ratio0End: ratio(0, 1),
      ratio1Start: ratio(1, 0),
      ratio1End: ratio(1, 1),
    },
  };
}
