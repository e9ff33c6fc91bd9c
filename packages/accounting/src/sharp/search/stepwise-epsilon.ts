/**
 * The epsilon of a pair where estimates mislead: with parameters that suit the inputs for which estimates are
 * the largest another input may be far worse. Steps by the bound itself, for all inputs, find such that suit
 * them together, at a few epsilons.
 */
import { Real, type TypedPair } from '@shuffle-dp/core';
import { isSpent } from '../../allowance.ts';
import type { SharpParameters } from '../input-bound.ts';
import { pairDelta } from '../pair-bound.ts';
import type { SharpBound } from '../pair-inputs.ts';
import { USUAL_STEEPNESS } from './estimated-epsilon.ts';
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
    const bound = pairDelta(pair, all, epsilon, delta, { known, work });
    known = bound.parameters ?? known;
    if (bound.value > delta) continue;
    return closerEpsilon({ ...bound, value: epsilon }, pair, all, delta, { lower, upper, work });
  }
  return { value: upper, parameters: null, worst: pair.label };
}

/** By so much the bound is to be below the target at an epsilon for a smaller one to be worth a search. */
const WORTH_A_SEARCH = 0.99;

/**
 * An epsilon at which the bound meets delta, or a smaller one where steps find parameters with which it is
 * well below: a search by estimates among few users may have got stuck.
 */
export function unstuckEpsilon(
  found: SharpBound,
  pair: TypedPair,
  all: number,
  delta: number,
  options: SharpEpsilonOptions,
): SharpBound {
  const known = found.parameters ?? undefined;
  const there = pairDelta(pair, all, found.value, delta, { known, work: options.work });
  if (!(there.value < WORTH_A_SEARCH * delta)) return found;
  return closerEpsilon({ ...there, value: found.value }, pair, all, delta, options);
}

/** Steps to smaller epsilons among few users: how many, and the shortest, relative to epsilon. */
const [MOST_STEPS, LEAST_STEP] = [8, 0.01];

/** An epsilon below one that is known, while the bound itself meets delta there with any parameters. */
export function epsilonAmongFew(
  found: SharpBound,
  pair: TypedPair,
  all: number,
  delta: number,
  options: SharpEpsilonOptions,
): SharpBound {
  const { lower, work } = options;
  let best = found;
  let step = LEAST_STEP;
  for (let steps = 0; steps < MOST_STEPS && !isSpent(work); steps++) {
    const epsilon = best.value * (1 - step);
    if (!(epsilon > lower)) break;
    const known = best.parameters ?? undefined;
    const bound = pairDelta(pair, all, epsilon, delta, { known, work });
    if (bound.value > delta) break;
    best = { ...bound, value: epsilon };
    step = Math.max(LEAST_STEP, Real.log(delta / bound.value) / USUAL_STEEPNESS);
  }
  return best === found ? found : closerEpsilon(best, pair, all, delta, options);
}

/** What a search from the parameters of a bound finds below its epsilon. */
function closerEpsilon(
  bound: SharpBound,
  pair: TypedPair,
  all: number,
  delta: number,
  { lower, work }: SharpEpsilonOptions,
): SharpBound {
  const known = bound.parameters ?? undefined;
  const closer = pairEpsilon(pair, all, delta, { lower, upper: bound.value, work }, { known });
  return closer.value < bound.value ? closer : bound;
}
