/**
 * The sharp bound: an upper bound of the divergence after shuffling for every data set of the other users, within a factor of
 * 1 + O(1 / sqrt(users)) of the worst one in epsilon. Definitions, proofs and how it is evaluated: docs/sharp-bound.md.
 */
import { requireInteger, requireNonNegative, type TypedInputs } from '@shuffle-dp/core';
import { certifiedDelta } from '../one-round.ts';
import { pairDelta, pairHolds, type Served, type SharpBound } from './pair-bound.ts';

/**
 * Upper bound of the divergence at epsilon for every data set (replace-one): the worst pair and the worst input of the others.
 * @param guess about how large the result will be
 * @throws ParameterError for users < 1 or epsilon < 0
 */
export function sharpDelta(
  { pairs, pairsNear, rest = [] }: TypedInputs,
  users: number,
  epsilon: number,
  guess: number = 1e-6,
): SharpBound {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  let worst: SharpBound = { value: 0, parameters: null, worst: 'no pair' };
  const worthIt = pairsNear?.(epsilon) ?? pairs;
  if (worthIt.length === 0) return { ...worst, value: 1 };
  let served: Served | undefined;
  for (const pair of worthIt) {
    if (served) {
      const still = pairHolds(pair, users, epsilon, worst.value, served);
      if (still !== null) {
        served = still;
        continue;
      }
    }
    const bound = pairDelta(pair, users, epsilon, worst.value > 0 ? worst.value : guess);
    if (bound.value > worst.value) worst = bound;
    if (worst.parameters === null) return worst;
    served = { worst: worst.parameters, others: served?.others ?? [] };
  }
  if (rest.length === 0) return worst;
  const ofRest = certifiedDelta(
    { variationRatio: null, blanket: rest, homogeneous: [] },
    users,
    epsilon,
  ).upper;
  return ofRest > worst.value ? { ...worst, value: ofRest, worst: rest[0]!.label } : worst;
}
