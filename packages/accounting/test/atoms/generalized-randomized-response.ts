import type { LikelihoodAtoms } from '@shuffle-dp/core';
import { atomsOf } from './atom-rows.ts';

/** Atoms of randomized response over `domain` values, others as the blanket or as the law of one value. */
export function randomizedResponseAtoms(
  domain: number,
  epsilon0: number,
  others: 'blanket' | 'third value' | 'first value',
): LikelihoodAtoms {
  const p = Math.exp(epsilon0);
  const a = 1 / (p + domain - 1);
  const rest = (domain - 2) * a;
  if (others === 'third value') {
    const more = (domain - 3) * a;
    return atomsOf(others, [
      [p * a, a, a],
      [a, p * a, a],
      [a, a, p * a],
      [more, more, more],
    ]);
  }
  return atomsOf(
    others,
    [
      [p * a, a, others === 'blanket' ? a : p * a],
      [a, p * a, a],
      [rest, rest, rest],
    ],
    others === 'blanket',
  );
}
