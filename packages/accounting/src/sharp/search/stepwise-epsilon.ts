/**
 * The epsilon of a pair where estimates mislead: with parameters that suit the inputs for which estimates are
 * the largest another input may be far worse. Steps by the bound itself, for all inputs, find such that suit
 * them together, at a few epsilons.
 */
import type { TypedPair } from '@shuffle-dp/core';
import { isSpent } from '../../allowance.ts';
import type { SharpParameters } from '../input-bound.ts';
import { pairDelta } from '../pair-bound.ts';
import type { SharpBound } from '../pair-inputs.ts';
import { pairEpsilon } from './pair-epsilon.ts';
import type { SharpEpsilonOptions } from './pair-estimate.ts';

/** Beyond the epsilon that estimates give, by so much of it. */
const BEYOND = [0.02, 0.05, 0.1, 0.2];
/** An upper end is to gain so much, relative to it. */
const GAIN = 0.02;

/**
 * Upper bound of the smallest epsilon: the first of a few at which the bound meets delta, or a smaller one
 * that a search from its parameters finds; `upper` where none does.
 * @param near what estimates give
 */
export function stepwiseEpsilon(
  pair: TypedPair,
  all: number,
  delta: number,
  near: number,
  { lower, upper, work }: SharpEpsilonOptions,
): SharpBound {
  let known: SharpParameters | undefined;
  for (const share of BEYOND) {
    const epsilon = near * (1 + share);
    if (!(epsilon < upper * (1 - GAIN)) || isSpent(work)) break;
    const bound = pairDelta(pair, all, epsilon, delta, { known, ...(work && { work }) });
    known = bound.parameters ?? known;
    if (bound.value > delta) continue;
    const closer = pairEpsilon(pair, all, delta, { lower, upper: epsilon, work }, { known });
    return closer.value < epsilon ? closer : { ...bound, value: epsilon };
  }
  return { value: upper, parameters: null, worst: pair.label };
}
