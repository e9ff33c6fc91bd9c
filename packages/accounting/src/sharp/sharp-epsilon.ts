/** The smallest epsilon that the sharp bound allows at a delta. */
import { requireInteger, requireProbability, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { blanketEpsilon } from '../one-round.ts';
import type { SharpParameters } from './input-bound.ts';
import {
  boundAt,
  FEWEST_USERS,
  hidingUsers,
  pairHolds,
  preparedInputs,
  type SharpBound,
} from './pair-bound.ts';
import { searchParameters } from './parameter-search.ts';

/** How near the end of the search comes to the smallest epsilon, relative to it. */
const TOLERANCE = 2e-6;
const MOST_STEPS = 12;
/** Parameters are chosen anew where epsilon has moved by this much of itself since they were. */
const SEARCH_AGAIN = 0.004;
/** By this much, and they are looked for as if nothing were known. */
const SEARCH_WIDELY = 0.1;

export interface SharpEpsilonOptions {
  /** Some proved lower and upper end of epsilon: where the search starts, and where it is given up. */
  readonly lower: number;
  readonly upper: number;
}

/**
 * Upper bound of the smallest epsilon at `delta`: the worst pair's; `upper` where the bound is not below it.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 */
export function sharpEpsilon(
  { pairs, rest = [] }: TypedInputs,
  users: number,
  delta: number,
  { lower, upper }: SharpEpsilonOptions,
): SharpBound {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  let found: SharpBound | undefined;
  for (const pair of pairs) {
    if (found?.parameters && pairHolds(pair, users, found.value, delta, found.parameters)) continue;
    found = pairEpsilon(
      pair,
      users,
      delta,
      { lower: found?.value ?? lower, upper },
      found?.parameters ?? undefined,
    );
    if (found.value >= upper) break;
  }
  const useless: SharpBound = { value: upper, parameters: null, worst: 'the blanket' };
  if (!found || found.value >= upper) return useless;
  if (rest.length === 0) return found;
  const ofRest = blanketEpsilon(rest, users, delta).upper;
  if (ofRest <= found.value) return found;
  return ofRest < upper ? { ...found, value: ofRest, worst: rest[0]!.label } : useless;
}

function pairEpsilon(
  pair: TypedPair,
  all: number,
  delta: number,
  { lower, upper }: SharpEpsilonOptions,
  known?: SharpParameters,
): SharpBound {
  const useless: SharpBound = { value: upper, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, delta);
  const { users } = hiding;
  if (users < FEWEST_USERS || delta === 0 || !(lower < upper)) return useless;
  // The bound is a few percent above the lower end at most; beyond, its own slope leads on.
  const ahead = known === undefined ? 1.005 : 1.001;
  let epsilon = lower > 0 ? Math.min(lower * ahead, (lower + upper) / 2) : upper / 2;
  let parameters: SharpParameters | undefined;
  let best = useless;
  let worst = '';
  let searchedAt = NaN;
  let above = lower;
  let previous: readonly [epsilon: number, log: number] | null = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    const inputs = preparedInputs(pair, users, epsilon);
    if (inputs === null) return useless;
    const prepared = inputs.map((input) => input.prepared);
    const at = (tried: SharpParameters | undefined): SharpBound | null =>
      tried === undefined ? null : boundAt(inputs, hiding, tried, delta, worst);
    let bound: SharpBound | null;
    if (Math.abs(epsilon - searchedAt) <= SEARCH_AGAIN * epsilon) bound = at(parameters);
    else {
      // Searches compare estimates: the parameters before may be the better ones.
      bound = better(at(searchParameters(prepared, users, delta, parameters) ?? undefined), at(parameters));
      if (parameters && Math.abs(epsilon - searchedAt) > SEARCH_WIDELY * epsilon)
        bound = better(at(searchParameters(prepared, users, delta) ?? undefined), bound);
      if (bound?.parameters !== parameters) [above, previous] = [lower, null];
      parameters = bound?.parameters ?? undefined;
      searchedAt = epsilon;
    }
    const log = bound === null ? Infinity : Math.log(bound.value / delta);
    worst = bound?.worst ?? worst;
    if (log <= 0) {
      if (epsilon < best.value) best = { ...bound!, value: epsilon };
    } else above = Math.max(above, epsilon);
    if (best.value - above <= TOLERANCE * best.value || above === upper) break;
    const next = nextEpsilon(epsilon, log, previous, above, best.value, best === useless);
    if (Number.isFinite(log)) previous = [epsilon, log];
    epsilon = next;
  }
  return best;
}

function better(a: SharpBound | null, b: SharpBound | null): SharpBound | null {
  return a === null || (b !== null && b.value < a.value) ? b : a;
}

function nextEpsilon(
  epsilon: number,
  log: number,
  previous: readonly [epsilon: number, log: number] | null,
  above: number,
  below: number,
  isUpper: boolean,
): number {
  const middle = (above + below) / 2;
  // Of the end that is given it is not known yet whether the bound holds there.
  const beyond = isUpper ? below : middle;
  if (!Number.isFinite(log)) return beyond;
  const steepness = previous === null ? NaN : -(log - previous[1]) / (epsilon - previous[0]);
  // A Gaussian tail falls like e^(-c epsilon^2): steepness of its logarithm 2 |log| / epsilon, with log about 14 at 1e-6.
  const slope = steepness > 0 ? steepness : 25 / epsilon;
  // A hair beyond the root, so that the far end comes near as well.
  const next = epsilon + (log + 2e-5 * Math.sign(log) + 1e-5) / slope;
  if (next >= below) return beyond;
  return next > above ? next : middle;
}
