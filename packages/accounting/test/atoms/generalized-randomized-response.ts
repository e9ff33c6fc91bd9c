import type { LikelihoodAtoms } from '@shuffle-dp/core';

/** Atoms of randomized response over `domain` values, others as the blanket or as the law of one value. */
export function randomizedResponseAtoms(
  domain: number,
  epsilon0: number,
  others: 'blanket' | 'third value' | 'first value',
): LikelihoodAtoms {
  const p = Math.exp(epsilon0);
  const a = 1 / (p + domain - 1);
  const rest = domain - 2;
  const rows =
    others === 'third value'
      ? [
          [p * a, a, a],
          [a, p * a, a],
          [a, a, p * a],
          [(rest - 1) * a, (rest - 1) * a, (rest - 1) * a],
        ]
      : [
          [p * a, a, others === 'blanket' ? a : p * a],
          [a, p * a, a],
          [rest * a, rest * a, rest * a],
        ];
  const kept = rows.filter((row) => row[0]! > 0);
  const column = (i: number): Float64Array => Float64Array.from(kept, (row) => row[i]!);
  return {
    label: others,
    victim0: column(0),
    victim1: column(1),
    others: column(2),
    symmetric: others !== 'first value',
  };
}
