import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { atomsOf } from './atom-rows.ts';

/** Atoms of local hashing with fully random hashes onto `range` values. */
export function localHashingAtoms(
  range: number,
  epsilon0: number,
  others: 'blanket' | 'third value',
): LikelihoodAtoms {
  const p = Math.exp(epsilon0);
  const c = 1 / (p + range - 1);
  const e = 1 / range;
  // (share, P, Q): the hashes of the victim's values differ or agree, and the report is one of them or not.
  const shares: [number, number, number][] = [
    [(1 - e) * c, p, 1],
    [(1 - e) * c, 1, p],
    [(1 - e) * (range - 2) * c, 1, 1],
    [e * c, p, p],
    [e * (range - 1) * c, 1, 1],
  ];
  const rows = shares.flatMap(([share, first, second]): [number, number, number][] =>
    others === 'blanket'
      ? [[share * first, share * second, share]]
      : [
          // The third value's hash is independent: it is the report's with probability 1/range.
          [share * e * first, share * e * second, share * e * p],
          [share * (1 - e) * first, share * (1 - e) * second, share * (1 - e)],
        ],
  );
  return atomsOf(others, rows);
}
