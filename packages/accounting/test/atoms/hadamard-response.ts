import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { atomsOf } from './atom-rows.ts';

/** Atoms of Hadamard response; the 'sum' user holds the value whose row is the sum of the victim's two. */
export function hadamardResponseAtoms(epsilon0: number, others: 'blanket' | 'sum'): LikelihoodAtoms {
  const p = Math.exp(epsilon0);
  const c = 1 / (2 * (p + 1));
  return atomsOf(
    others,
    [
      [p * c, c, c],
      [c, p * c, c],
      [p * c, p * c, others === 'sum' ? p * c : c],
      [c, c, others === 'sum' ? p * c : c],
    ],
    true,
  );
}
