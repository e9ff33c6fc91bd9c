import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { atomsOf, choose } from './atom-rows.ts';

/**
 * Atoms of k-subset selection: by membership of the victim's two values, and of the others' third where it is
 * held.
 */
export function subsetSelectionAtoms(
  domain: number,
  size: number,
  epsilon0: number,
  others: 'blanket' | 'third value',
): LikelihoodAtoms {
  const p = Math.exp(epsilon0);
  const total = p * choose(domain - 1, size - 1) + choose(domain - 1, size);
  const rows: [number, number, number][] = [];
  for (const first of [0, 1]) {
    for (const second of [0, 1]) {
      for (const third of others === 'blanket' ? [0] : [0, 1]) {
        const left = domain - (others === 'blanket' ? 2 : 3);
        const share = choose(left, size - first - second - third) / total;
        rows.push([share * (first ? p : 1), share * (second ? p : 1), share * (third ? p : 1)]);
      }
    }
  }
  return atomsOf(others, rows);
}
