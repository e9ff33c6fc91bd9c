/**
 * Whether the sharp bound of a pair is at most some delta: what a search for the worst pair asks of all pairs
 * but the worst, and what costs less than the bound itself.
 */
import { Real, type TypedPair } from '@shuffle-dp/core';
import { blanketHolds, type KnownTilt } from './chernoff.ts';
import { inputBound, type Effort, type SharpParameters } from './input-bound.ts';
import { boundAt, evened, FEWEST_USERS, hidingUsers, knownMoments, preparedInputs } from './pair-bound.ts';
import { scaled, searchParameters, type Found } from './search/parameter-search.ts';

/**
 * By how much a sketchy look may be below a rough one, and seldom is; and a fine one below a quick one, but
 * with parameters that showed the same before.
 */
const [SKETCHY_GAIN, QUICK_GAIN] = [3, 1.3];

/** Estimates above the target by more, in log delta, are of no bound below it. */
const ESTIMATE_ABOVE = 0.1;
/** So far below it they are mostly of one that is. */
const ESTIMATE_BELOW = 0.05;

/** Parameters that did for pairs before: pairs are much alike. */
export interface Served {
  /** Of the worst pair so far. */
  readonly worst: SharpParameters;
  /** Those that showed others to be no worse, the latest first. */
  readonly others: readonly SharpParameters[];
  /** Of the blanket alone, at pairs before. */
  readonly tilt?: KnownTilt;
  /** Those that showed a pair to be no worse, by its label: for a next look at the same or one like it. */
  readonly ofPairs?: Map<string, SharpParameters>;
}

/** The worst pair's parameters, and what served before. */
export function servedBy(worst: SharpParameters, before?: Served | null): Served {
  return { others: [], tilt: { theta: 0 }, ofPairs: new Map(), ...before, worst };
}

/** So many are tried before a search. */
export const MOST_OTHERS = 4;

/** What served where a pair holds; null where it does not as far as is seen, with what a search found. */
export interface PairLook {
  readonly served: Served | null;
  readonly found: Found | null;
}

/**
 * Whether the bound is at most `delta` for all inputs: mostly the blanket tells, or a rough look with known
 * parameters. What served then begins with the parameters that told.
 */
export function pairHolds(
  pair: TypedPair,
  all: number,
  epsilon: number,
  delta: number,
  served: Served,
): PairLook {
  const held = heldAsBefore(pair, all, epsilon, delta, served);
  if (held) return { served: held, found: null };
  const { worst, others } = served;
  const hiding = hidingUsers(pair, all, delta);
  const inputs = hiding.users < FEWEST_USERS ? null : preparedInputs(pair, hiding.users, epsilon, delta);
  if (inputs === null) return { served: null, found: null };
  const prepared = inputs.map((input) => input.prepared);
  const start = evened(others[0] ?? worst, hiding.users);
  const hopeless = Real.log(delta) + ESTIMATE_ABOVE;
  const enough = Real.log(delta) - ESTIMATE_BELOW;
  const found = searchParameters(prepared, hiding.users, delta, { known: start, hopeless, enough });
  if (found === null || found.log > hopeless) return { served: null, found };
  let first = '';
  for (const [buffer, theta] of FURTHER) {
    const parameters = scaled(found.parameters, hiding.users, buffer, 1, theta);
    const bound = boundAt(inputs, hiding, parameters, delta, { first, settled: new Set(), low: [] });
    if (bound.value <= delta) return { served: keptOf(pair, parameters, served), found };
    first = bound.worst;
    if (found.log > enough) break;
  }
  return { served: null, found };
}

/**
 * Factors of the buffer and the tilt that was found: estimates say too little of small buffers, which may be
 * far too large a bound where one that is a little larger does.
 */
const FURTHER = [
  [1, 1],
  [1.25, 0.99],
  [1.6, 0.98],
] as const;

/** With what showed a pair to be no worse. */
export function keptOf({ label }: TypedPair, parameters: SharpParameters, served: Served): Served {
  served.ofPairs?.set(label, parameters);
  return { ...served, others: latestFirst(parameters, served.others) };
}

/** The same without a search: by the blanket, or parameters that served others. */
export function heldAsBefore(
  pair: TypedPair,
  all: number,
  epsilon: number,
  delta: number,
  served: Served,
): Served | null {
  const hiding = hidingUsers(pair, all, delta);
  const { users, missed } = hiding;
  if (users < FEWEST_USERS) return null;
  if (blanketHolds(pair, users, epsilon, delta - missed, served.tilt)) return served;
  const inputs = preparedInputs(pair, users, epsilon, delta);
  if (inputs === null) return null;
  const { worst, others, ofPairs } = served;
  const ofPair = ofPairs?.get(pair.label);
  const holdsAt = (given: SharpParameters): boolean => {
    const parameters = evened(given, users);
    if (parameters === undefined) return false;
    const moments = knownMoments();
    return inputs.every(({ prepared }) => {
      const boundOf = (effort: Effort): number =>
        inputBound(prepared, users, parameters, delta, effort, moments[effort]) + missed;
      const rough = boundOf('rough');
      if (rough <= delta) return true;
      if (rough <= SKETCHY_GAIN * delta && boundOf('sketchy') <= delta) return true;
      const quick = boundOf('quick');
      const isClose = quick <= QUICK_GAIN * delta || given === ofPair;
      return quick <= delta || (isClose && boundOf('fine') <= delta);
    });
  };
  const tried = [...others.filter((parameters) => parameters !== ofPair), worst];
  for (const parameters of ofPair ? [ofPair, ...tried] : tried) {
    if (!holdsAt(parameters)) continue;
    const kept = keptOf(pair, parameters, served);
    return parameters === worst ? served : kept;
  }
  return null;
}

export function latestFirst(latest: SharpParameters, others: readonly SharpParameters[]): SharpParameters[] {
  return [latest, ...others.filter((other) => other !== latest)].slice(0, MOST_OTHERS);
}
