/**
 * About where the sharp bound meets a delta, by estimates alone: bounds are looked at from there on, so that
 * a few do. Nothing here has to be certain.
 */
import { Real } from '@shuffle-dp/core';
import type { SharpParameters } from '../input-bound.ts';
import type { PreparedInput } from '../prepared-input.ts';
import { searchParameters, type Found } from './parameter-search.ts';

/** Inputs at an epsilon, and the mass that is charged beside them. */
export interface InputsAt {
  readonly prepared: readonly PreparedInput[];
  readonly charged: number;
}

export interface EstimatedEpsilon {
  readonly epsilon: number;
  /** log of about what the bound is there over the target: 0 but at the end of what is looked at. */
  readonly log: number;
  readonly found: Found;
  /** Where it was found. */
  readonly searchedAt: number;
  /** By how much log delta falls while epsilon grows by one. */
  readonly slope: number;
}

/** log delta falls by about so much while epsilon doubles, at the size deltas have: first steps go by it. */
export const USUAL_STEEPNESS = 14;
const MOST_STEPS = 7;
/** Of slopes between two estimates in a row, over the usual one: others tell of jumps. */
const [LEAST_SLOPE, MOST_SLOPE] = [0.3, 4];
/** An estimate so far above the target at the far end, in log delta, is of no bound below it. */
const HOPELESS = 0.7;
/** So far above it, in log delta, estimates are only to tell about where to go on. */
const FAR = 1.5;
/** A step ends within this of the target, in log delta, unless its search was stuck. */
export const AS_AIMED = 0.3;

export interface EpsilonRange {
  readonly start: number;
  readonly lower: number;
  readonly upper: number;
  /** Relative to epsilon, how far from where they were found parameters may be used. */
  readonly near: number;
}

export interface KnownParameters {
  /** To begin with. */
  readonly known?: SharpParameters | undefined;
  /** What a search found for the same pair at the start. */
  readonly found?: Found | null | undefined;
  /** Whether known parameters are of an epsilon nearby. */
  readonly isNear?: boolean;
}

/**
 * @returns null where estimates say nothing; 'hopeless' where they say that no epsilon up to `upper` will do
 */
export function estimatedEpsilon(
  inputsAt: (epsilon: number) => InputsAt | null,
  users: number,
  delta: number,
  { start, lower, upper, near }: EpsilonRange,
  { known: first, found: foundAtStart = null, isNear = false }: KnownParameters = {},
): EstimatedEpsilon | 'hopeless' | null {
  let epsilon = start;
  let parameters = first;
  let previous: readonly [epsilon: number, log: number] | null = null;
  let slope = USUAL_STEEPNESS / epsilon;
  for (let step = 0; step < MOST_STEPS; step++) {
    const inputs = inputsAt(epsilon);
    if (inputs === null) return null;
    // What is too much for any slope on the way.
    const hopeless = HOPELESS + MOST_SLOPE * USUAL_STEEPNESS * (upper / epsilon - 1);
    const known = step === 0 ? foundAtStart : null;
    const found =
      known ??
      searchParameters(inputs.prepared, users, delta, {
        known: parameters,
        hopeless: Real.log(delta) + hopeless,
        ...(epsilon < upper && { far: Real.log(delta) + FAR }),
        // Those of an epsilon nearby, where the estimate is to be about the target.
        ...((step > 0 || isNear) && { enough: Real.log(delta) + AS_AIMED }),
      });
    if (found === null || found.log === Infinity) {
      // Gains with tails too heavy for any tilt here may have lighter ones at the far end.
      if (epsilon >= upper) return 'hopeless';
      epsilon = upper;
      continue;
    }
    parameters = found.parameters;
    const log = Real.log((Real.exp(found.log) + inputs.charged) / delta);
    if (log > hopeless) return 'hopeless';
    if (previous !== null) {
      const steepness = ((previous[1] - log) / (epsilon - previous[0])) * epsilon;
      if (steepness > LEAST_SLOPE * USUAL_STEEPNESS && steepness < MOST_SLOPE * USUAL_STEEPNESS)
        slope = steepness / epsilon;
    }
    const next = Math.min(upper, Math.max(lower, epsilon + log / slope));
    if (Math.abs(next - epsilon) <= near * epsilon || step === MOST_STEPS - 1)
      return { epsilon: next, log: log - slope * (next - epsilon), found, searchedAt: epsilon, slope };
    previous = [epsilon, log];
    epsilon = next;
  }
  return null;
}
