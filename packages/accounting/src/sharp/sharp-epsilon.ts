/** The smallest epsilon that the sharp bound allows at a delta. */
import { Real, requireInteger, requireProbability, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { blanketEpsilon } from '../one-round.ts';
import type { PreparedInput, SharpParameters } from './input-bound.ts';
import { boundAt, FEWEST_USERS, evened, hidingUsers, preparedInputs, type SharpBound } from './pair-bound.ts';
import { pairHolds, type Served } from './pair-holds.ts';
import { searchParameters } from './search/parameter-search.ts';

/** How near the end of the search comes to the smallest epsilon, relative to it. */
const TOLERANCE = 2e-6;
const MOST_STEPS = 18;
/** Where no lower end is above zero there is no scale to be near to. */
const STEPS_FROM_ZERO = 5;
/**
 * After so many steps from below, as the worst input changes, each goes twice as far beyond what the slope
 * says.
 */
const PATIENT_STEPS = 4;
/** What an upper end has to gain, relative to it, for the search to go on. */
const LEAST_GAIN = 1e-5;
/** Parameters are chosen anew where epsilon has moved by this much of itself since they were. */
const SEARCH_AGAIN = 0.005;
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
  { pairs, pairsNear, rest = [] }: TypedInputs,
  users: number,
  delta: number,
  { lower, upper }: SharpEpsilonOptions,
): SharpBound {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  let found: SharpBound | undefined;
  let served: Served | undefined;
  for (const pair of pairsNear?.(lower > 0 ? lower : upper / 2) ?? pairs) {
    if (found && served) {
      const still = pairHolds(pair, users, found.value, delta, served);
      if (still !== null) {
        served = still;
        continue;
      }
    }
    found = pairEpsilon(
      pair,
      users,
      delta,
      { lower: found?.value ?? lower, upper },
      found?.parameters ?? undefined,
    );
    if (found.value >= upper) break;
    if (found.parameters) served = { worst: found.parameters, others: served?.others ?? [] };
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
  let parameters = known && evened(known, users);
  let best = useless;
  let first = '';
  let settled = new Set<number>();
  let searchedAt = NaN;
  let above = lower;
  let previous: Look | null = null;
  for (let step = 0; step < (lower > 0 ? MOST_STEPS : STEPS_FROM_ZERO); step++) {
    const inputs = preparedInputs(pair, users, epsilon, delta);
    if (inputs === null) return useless;
    const prepared = (): PreparedInput[] => inputs.map((input) => input.prepared);
    // Outputs that are left out are the same for all inputs of a bound, and differ with epsilon.
    const whole = inputs.every(({ charged }) => charged === 0);
    const isNear = Math.abs(epsilon - searchedAt) <= SEARCH_AGAIN * epsilon;
    if (!isNear || !whole) settled = new Set();
    const at = (tried: SharpParameters | undefined): Tried | null => {
      const low: number[] = [];
      return tried === undefined
        ? null
        : { bound: boundAt(inputs, hiding, tried, delta, { first, settled, low }), low };
    };
    let tried: Tried | null;
    if (isNear) tried = at(parameters);
    else {
      // Searches compare estimates: the parameters before may be the better ones.
      tried = better(at(searchParameters(prepared(), users, delta, parameters)?.parameters), at(parameters));
      if (parameters && Math.abs(epsilon - searchedAt) > SEARCH_WIDELY * epsilon)
        tried = better(at(searchParameters(prepared(), users, delta)?.parameters), tried);
      if (tried?.bound.parameters !== parameters) [above, previous] = [lower, null];
      parameters = tried?.bound.parameters ?? undefined;
      searchedAt = epsilon;
    }
    const bound = tried?.bound ?? null;
    const log = bound === null ? Infinity : Real.log(bound.value / delta);
    first = bound?.worst ?? first;
    if (log <= 0) {
      if (epsilon < best.value) best = { ...bound!, value: epsilon };
    } else {
      above = Math.max(above, epsilon);
      for (const input of (whole && tried?.low) || []) settled.add(input);
    }
    if (best.value - above <= TOLERANCE * best.value) break;
    const justBelow = upper * (1 - LEAST_GAIN);
    if (best === useless && epsilon >= justBelow) break;
    const haste = best === useless ? 2 ** Math.max(0, step - PATIENT_STEPS) : 1;
    const next = nextEpsilon([epsilon, log * haste], previous, above, best.value, () =>
      // Where the slope leads beyond what is known anyway, one look just below it tells whether there is
      // anything to be found.
      best === useless && step > 0 ? justBelow : (above + best.value) / 2,
    );
    if (Number.isFinite(log)) previous = [epsilon, log];
    epsilon = next;
  }
  return best;
}

/** A bound, and the inputs that it found to be far below the target. */
interface Tried {
  readonly bound: SharpBound;
  readonly low: readonly number[];
}

function better(a: Tried | null, b: Tried | null): Tried | null {
  return a === null || (b !== null && b.bound.value < a.bound.value) ? b : a;
}

/** An epsilon that was looked at, and the log of its delta over the target. */
type Look = readonly [epsilon: number, log: number];

function nextEpsilon(
  [epsilon, log]: Look,
  previous: Look | null,
  above: number,
  below: number,
  otherwise: () => number,
): number {
  if (!Number.isFinite(log)) return otherwise();
  const steepness = previous === null ? NaN : -(log - previous[1]) / (epsilon - previous[0]);
  // A Gaussian tail falls like e^(-c epsilon^2): steepness of its logarithm 2 |log| / epsilon, with log about
  // 14 at 1e-6.
  const slope = steepness > 0 ? steepness : 25 / epsilon;
  // A hair beyond the root, so that the far end comes near as well: from either side nearer than the search
  // has to come.
  const hair = Math.min(1e-5, (TOLERANCE / 6) * epsilon * slope);
  const next = epsilon + (log + 2 * hair * Math.sign(log) + hair) / slope;
  return next > above && next < below ? next : otherwise();
}
