/**
 * Whether the sharp bound of a pair is at most some delta: what a search for the worst pair asks of all pairs
 * but the worst, and what costs less than the bound itself.
 */
import { Real, type TypedPair } from '@shuffle-dp/core';
import { isSpent, type Work } from '../allowance.ts';
import { blanketHolds, type KnownTilt } from './blanket-holds.ts';
import { firstFailing, looksAt, newPatience, type RoughPatience } from './first-failing.ts';
import type { SharpParameters } from './input-bound.ts';
import { MOST_GAINS } from './prepared-input.ts';
import { evened, FEWEST_USERS } from './pair-bound.ts';
import { hidingUsers, preparedInputs, type HidingUsers, type LabelledInput } from './pair-inputs.ts';
import { AS_AIMED } from './search/estimated-epsilon.ts';
import { searchParameters, type Found } from './search/parameter-search.ts';
import { scaled } from './search/starting-parameters.ts';

/**
 * By how much a quick look may be below a sketchy one; and a fine one below a quick one, but with parameters
 * that showed the same before.
 */
const [SKETCHY_GAIN, QUICK_GAIN] = [1.12, 1.02];
/** No fine bound among many users is so far below a quick one. */
const FAR_FROM_FINE = 1.5;
/** Of the input's laws, for each value of the gains, in sines. */
const PREPARED_COST = 30;

/** Estimates above the target by more, in log delta, are of no bound below it. */
const ESTIMATE_ABOVE = 0.1;
/** So far below it they are mostly of one that is, and then nearly always. */
const ESTIMATES_BELOW = [0.05, 0.4] as const;
/** A search that goes on and gains less has ended. */
const LITTLE = 0.02;

/** Parameters that did for a pair. */
export interface ServedParameters extends SharpParameters {
  /** Of its gains, for the input of the others with the widest: tilts of pairs that are alike go by it. */
  readonly deviation?: number;
}

/** Parameters that did for pairs before: pairs are much alike. */
export interface Served {
  /** Of the worst pair so far. */
  readonly worst: ServedParameters;
  /** Those that showed others to be no worse, the latest first. */
  readonly others: readonly ServedParameters[];
  /** Of the blanket alone, at pairs before. */
  readonly tilt?: KnownTilt;
  /** For how many inputs of the next pair rough looks are tried in vain. */
  readonly patience?: RoughPatience;
  /** Those that showed a pair to be no worse, by its label: for a next look at the same or one like it. */
  readonly ofPairs?: Map<string, ServedParameters>;
  /** To which looks add what they take. */
  readonly work?: Work;
  /** Whether looks end before the finest: for a caller who bounds what fails by other means. */
  readonly isBrief?: boolean;
}

/** The worst pair's parameters, and what served before. @param other that of another kind, where none did */
export function servedBy(worst: ServedParameters, before?: Served | null, other?: ServedParameters): Served {
  return {
    others: other ? [other] : [],
    tilt: { theta: 0 },
    patience: newPatience(),
    ofPairs: new Map(),
    ...before,
    worst,
  };
}

/** Whether the victim's message is at no place in the buffer, whatever the others hold. */
export function isCell({ inputs }: TypedPair): boolean {
  return inputs.every(({ buffer }) => buffer === null);
}

/**
 * With the deviation of the pair's gains at an epsilon, where tilts go by it alone: where the victim's
 * message is at no place in the buffer.
 */
export function ofGains(pair: TypedPair, epsilon: number, parameters: SharpParameters): ServedParameters {
  if (!isCell(pair)) return parameters;
  const expEpsilon = Real.exp(epsilon);
  const variances = pair.inputs.map(({ victim0, victim1, own }) => {
    let square = 0;
    let mean = 0;
    for (let y = 0; y < own.length; y++) {
      const gain = victim0[y]! - expEpsilon * victim1[y]!;
      if (own[y]! > 0) square += (gain * gain) / own[y]!;
      mean += gain;
    }
    return square - mean * mean;
  });
  return { ...parameters, deviation: Math.sqrt(Math.max(0, ...variances)) };
}

/** What served other gains, for these: as many deviations of them. */
export function suited(
  { deviation = 0, ...parameters }: ServedParameters,
  users: number,
  own: number | undefined,
): SharpParameters | undefined {
  const known = evened(parameters, users);
  return known && own && deviation > 0 ? { ...known, theta: (known.theta * deviation) / own } : known;
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
  if (isSpent(served.work)) return { served: null, found: null };
  const { worst, others } = served;
  const hiding = hidingUsers(pair, all, delta);
  const inputs =
    hiding.users < FEWEST_USERS ? null : preparedInputs(pair, hiding.users, epsilon, delta, served.work);
  if (inputs === null) return { served: null, found: null };
  const prepared = inputs.map((input) => input.prepared);
  const hopeless = Real.log(delta) + ESTIMATE_ABOVE;
  const enough = Real.log(delta) + AS_AIMED;
  let known = suited(others[0] ?? worst, hiding.users, ofGains(pair, epsilon, worst).deviation);
  let found: Found | null = null;
  // Where estimates say too little, a search that goes on tells.
  for (const below of ESTIMATES_BELOW) {
    const holds = Real.log(delta) - below;
    const next = searchParameters(prepared, hiding.users, delta, { known, hopeless, enough, holds });
    if (next === null || (found !== null && next.log > found.log - LITTLE)) break;
    found = next;
    // No bound was ever seen to be below an estimate that is above the target.
    if (found.log > Real.log(delta)) break;
    const told = heldNear(pair, inputs, hiding, { epsilon, delta, served }, found);
    if (told) return { served: told, found };
    known = found.parameters;
  }
  return { served: null, found };
}

/** By parameters that a search found, or a little more of the buffer; null where it does not hold. */
function heldNear(
  pair: TypedPair,
  inputs: readonly LabelledInput[],
  hiding: HidingUsers,
  { epsilon, delta, served }: { readonly epsilon: number; readonly delta: number; readonly served: Served },
  found: Found,
): Served | null {
  let hardest = found.worst[0] ?? 0;
  for (const [buffer, theta] of FURTHER) {
    const parameters = scaled(found.parameters, hiding.users, buffer, 1, theta);
    const failing = firstFailing(inputs, delta, looksAt(hiding, parameters, delta), {
      first: hardest,
      worthQuick: Infinity,
      worthFine: FAR_FROM_FINE,
      rough: served.patience,
    });
    if (failing === null) return keptOf(pair, ofGains(pair, epsilon, parameters), served);
    hardest = failing;
  }
  return null;
}

/**
 * Factors of the buffer and the tilt that was found: estimates say too little of small buffers, which may be
 * far too large a bound where one that is a little larger does.
 */
const FURTHER = [
  [1, 1],
  [1.25, 0.99],
  [1.42, 0.985],
  [1.6, 0.98],
] as const;

/** With what showed a pair to be no worse. */
export function keptOf({ label }: TypedPair, parameters: ServedParameters, served: Served): Served {
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
  const inputs = preparedInputs(pair, users, epsilon, delta, served.work);
  if (inputs === null) return null;
  if (served.work) served.work.sines += PREPARED_COST * sizeOf(pair);
  const { worst, others, ofPairs } = served;
  const ofPair = ofPairs?.get(pair.label);
  // Where parameters do not serve it is mostly for the same input.
  let hardest = 0;
  const { deviation } = ofGains(pair, epsilon, { buffer: 0, kappa: 0, theta: 0 });
  const holdsAt = (given: ServedParameters): boolean => {
    const parameters = suited(given, users, deviation);
    if (parameters === undefined) return false;
    const sure = given === ofPair;
    const failing = firstFailing(inputs, delta, looksAt(hiding, parameters, delta), {
      first: hardest,
      worthQuick: sure ? Infinity : SKETCHY_GAIN,
      worthFine: served.isBrief ? 0 : sure ? Infinity : QUICK_GAIN,
      // Of cells there are many, and parameters that suit one seldom suit all.
      doubtsSketchy: !isCell(pair),
      rough: served.patience,
    });
    hardest = failing ?? hardest;
    return failing === null;
  };
  const tried = [...others.filter((parameters) => parameters !== ofPair), worst];
  for (const parameters of ofPair ? [ofPair, ...tried] : tried) {
    if (!holdsAt(parameters)) continue;
    const kept = keptOf(pair, parameters, served);
    return parameters === worst ? served : kept;
  }
  return null;
}

/** Values of a pair's laws, over all inputs of the others: what looks at it take grows with them. */
export function sizeOf({ inputs }: TypedPair): number {
  return inputs.reduce((sum, { own }) => sum + Math.min(own.length, MOST_GAINS), 0);
}

export function latestFirst(
  latest: ServedParameters,
  others: readonly ServedParameters[],
): ServedParameters[] {
  return [latest, ...others.filter((other) => other !== latest)].slice(0, MOST_OTHERS);
}
