/**
 * The sharp bound: an upper bound of the divergence after shuffling for every data set of the other users,
 * within a factor of 1 + O(1 / sqrt(users)) of the worst one in epsilon. Definitions, proofs and how it is
 * evaluated: docs/sharp-bound.md.
 */
import { requireInteger, requireNonNegative, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { Allowance, isSpent, SHARP_SINES, type Work } from '../allowance.ts';
import { pairDelta } from './pair-bound.ts';
import type { SharpBound } from './pair-inputs.ts';
import { pairHolds, servedBy, type Served } from './pair-holds.ts';
import { restDelta } from './rest-bound.ts';
import { polishedDelta } from './search/polished-delta.ts';

/**
 * Upper bound of the divergence at epsilon for every data set (replace-one): the worst pair and the worst
 * input of the others.
 * @param guess about how large the result will be
 * @throws ParameterError for users < 1 or epsilon < 0
 */
export function sharpDelta(
  typed: TypedInputs,
  users: number,
  epsilon: number,
  guess: number = 1e-6,
): SharpBound {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  let worst: SharpBound = { value: 0, parameters: null, worst: 'no pair' };
  const worthIt = typed.pairsNear?.(epsilon) ?? typed.pairs;
  if (worthIt.length === 0) return { ...worst, value: 1 };
  const work = new Allowance(SHARP_SINES);
  let served: Served | undefined;
  for (const pair of worthIt) {
    if (served) {
      const still = pairHolds(pair, users, epsilon, worst.value, served).served;
      if (still !== null) {
        served = still;
        continue;
      }
    }
    const target = worst.value > 0 ? worst.value : guess;
    const bound = leastDelta(pair, users, epsilon, target, { served, work });
    if (bound.value > worst.value) worst = bound;
    if (worst.parameters === null) return worst;
    served = { ...servedBy(worst.parameters, served), work };
  }
  const ofRest = restDelta(typed, users, epsilon);
  return ofRest > worst.value ? { ...worst, value: ofRest, worst: typed.rest![0]!.label } : worst;
}

/** By how much more than the worst pair so far a pair may have, for no other start to be tried. */
const NEAR_ENOUGH = 1.002;

/** The least bound of a pair from any of the parameters that served others, and from none. */
function leastDelta(
  pair: TypedPair,
  users: number,
  epsilon: number,
  target: number,
  { served, work }: { readonly served: Served | undefined; readonly work: Work },
): SharpBound {
  let least = pairDelta(pair, users, epsilon, target, { work });
  for (const start of served ? [served.worst, ...served.others] : []) {
    if (least.value <= NEAR_ENOUGH * target || isSpent(work)) break;
    const bound = pairDelta(pair, users, epsilon, target, { known: start, work });
    if (bound.value < least.value) least = bound;
  }
  // What holds for the worst pair so far needs no better parameters.
  if (served && least.value <= target) return least;
  for (let round = 0; round < MOST_POLISHED && least.parameters && !isSpent(work); round++) {
    const before = least.value;
    least = polishedDelta(pair, users, epsilon, target, least);
    if (least.value > WORTH_ANOTHER * before) break;
  }
  return least;
}

/** Rounds of steps from parameters to better ones, each while the one before has gained as much. */
const [MOST_POLISHED, WORTH_ANOTHER] = [3, 0.97];
