/** Pairs of the victim's inputs that have no types: their blankets bound them (F2). */
import type { TypedInputs } from '@shuffle-dp/core';
import { certifiedDelta, type CertifiedOptions } from '../one-round.ts';

/** Upper bound of their divergence; 0 where there are none. */
export function restDelta(
  { rest = [] }: TypedInputs,
  users: number,
  epsilon: number,
  hints?: CertifiedOptions,
): number {
  if (rest.length === 0) return 0;
  return certifiedDelta({ variationRatio: null, blanket: rest, homogeneous: [] }, users, epsilon, hints)
    .upper;
}
