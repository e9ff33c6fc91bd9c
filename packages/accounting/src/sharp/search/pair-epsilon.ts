/** The smallest epsilon that the sharp bound of one pair of the victim's inputs allows at a delta. */
import { Real, type TypedPair } from '@shuffle-dp/core';
import type { SharpParameters } from '../input-bound.ts';
import { isSpent } from '../../allowance.ts';
import { evened, FEWEST_USERS } from '../pair-bound.ts';
import {
  boundAt,
  hidingUsers,
  preparedInputs,
  type HidingUsers,
  type LabelledInput,
  type SharpBound,
} from '../pair-inputs.ts';
import { AS_AIMED } from './estimated-epsilon.ts';
import {
  chargedOf,
  firstLook,
  pairEstimate,
  SEARCH_AGAIN,
  type EstimateStart,
  type PairEstimate,
  type SharpEpsilonOptions,
} from './pair-estimate.ts';
import { searchParameters, worstEstimate, type Found } from './parameter-search.ts';
import { MANY_USERS, polishedNear, USUALLY_OFF, worstBound } from './polish.ts';

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
/**
 * While a first input is further below the target, in log delta, epsilon moves on to where it meets that, and
 * only there all inputs are looked at.
 */
const ALONE = 3e-4;
/** What an upper end has to gain, relative to it, for the search to go on. */
const LEAST_GAIN = 1e-5;
/** As SEARCH_AGAIN, where estimates are far from the bound. */
const SEARCH_SELDOM = 0.04;
/**
 * Where estimates of all inputs are worse by more, in log delta, what is better for the worst of them may not
 * be so.
 */
const DOUBTFUL = 0.002;
/** A step by an estimate's slope stops short by this share: looks from above the target cost least. */
const SHORT = 0.05;

/** An epsilon that was looked at, and the log of its delta over the target. */
type Look = readonly [epsilon: number, log: number];

/** Where the search of a pair begins. */
export interface PairStart extends EstimateStart {
  /** What estimates say, where they were asked already. */
  readonly estimated?: PairEstimate | undefined;
}

/** Upper bound of the smallest epsilon; `upper` where the bound is not below it. */
export function pairEpsilon(
  pair: TypedPair,
  all: number,
  delta: number,
  { lower, upper, work }: SharpEpsilonOptions,
  { estimated: given, ...start }: PairStart = {},
): SharpBound {
  const useless: SharpBound = { value: upper, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, delta);
  const { users } = hiding;
  if (users < FEWEST_USERS || delta === 0 || !(lower < upper)) return useless;
  const justBelow = upper * (1 - LEAST_GAIN);
  const { known, found: foundBelow } = start;
  const estimated =
    given === undefined ? pairEstimate(pair, all, delta, { lower, upper: justBelow, work }, start) : given;
  if (estimated === 'hopeless') return useless;
  const from = foundBelow ? lower : firstLook({ lower, upper: justBelow }, known);
  let { epsilon, searchedAt, slope } = estimated ?? { epsilon: from, searchedAt: NaN, slope: 25 / from };
  let parameters = known && evened(known, users);
  let found = estimated?.found ?? null;
  let expected = Real.log(delta) + (estimated?.log ?? 0);
  let best = useless;
  let first = '';
  let settled = new Set<number>();
  let [above, below] = [lower, Infinity];
  let missed = false;
  let previous: Look | null = null;
  let isOff = false;
  let isFirst = known === undefined;
  for (let step = 0; step < (lower > 0 ? MOST_STEPS : STEPS_FROM_ZERO); step++) {
    if (isSpent(work)) break;
    const inputs = preparedInputs(pair, users, epsilon, delta, work);
    if (inputs === null) return useless;
    // Outputs that are left out are the same for all inputs of a bound, and differ with epsilon.
    const whole = inputs.every(({ charged }) => charged === 0);
    const isNear = Math.abs(epsilon - searchedAt) <= (isOff ? SEARCH_SELDOM : SEARCH_AGAIN) * epsilon;
    if (!isNear || !whole) settled = new Set();
    if (!isNear) {
      const prepared = inputs.map((input) => input.prepared);
      found = searchParameters(prepared, users, delta, {
        known: parameters,
        enough: isFirst ? -Infinity : Real.log(delta) + AS_AIMED,
      });
      searchedAt = epsilon;
      expected = found === null ? NaN : Real.log(Real.exp(found.log) + chargedOf(inputs, hiding));
    }
    if (found) {
      first = inputs[found.worst[0] ?? 0]!.label;
      const chosen = nearbyBest(inputs, hiding, delta, { found, expected, isFirst }, parameters);
      if (chosen.parameters !== parameters) [above, below, previous] = [lower, Infinity, null];
      ({ parameters, isOff } = chosen);
      [found, isFirst] = [null, false];
    }
    const low: number[] = [];
    const alone = step < PATIENT_STEPS && epsilon > lower ? ALONE : Infinity;
    const bound = parameters && boundAt(inputs, hiding, parameters, delta, { first, settled, low, alone });
    const log = bound === undefined ? Infinity : Real.log(bound.value / delta);
    first = bound?.worst ?? first;
    if (bound?.isOfFirst) below = Math.min(below, epsilon);
    else if (log <= 0) {
      if (epsilon < best.value) best = { ...bound!, value: epsilon };
    } else {
      above = Math.max(above, epsilon);
      missed = true;
      for (const input of whole ? low : []) settled.add(input);
    }
    const steepness = previous === null ? NaN : -(log - previous[1]) / (epsilon - previous[0]);
    if (best.value - above <= TOLERANCE * best.value) return best;
    // What a smooth curve leaves open, its slope tells.
    if (epsilon === best.value && -log <= TOLERANCE * epsilon * steepness) return best;
    if (best === useless && epsilon >= justBelow && log > 0) return best;
    const haste = best === useless ? 2 ** Math.max(0, step - PATIENT_STEPS) : 1;
    const share = steepness > 0 ? 1 : 1 - SHORT;
    slope = steepness > 0 ? steepness : slope;
    const next = nextEpsilon([epsilon, share * log * haste], slope, above, best.value, () => {
      // One look at another pair's epsilon tells whether this one is any worse.
      if (!missed && foundBelow && log <= 0) return lower;
      // Where the slope leads beyond what is known anyway, one look just below it tells whether there is
      // anything to be found.
      if (best === useless && step > 0) return below < Infinity ? (above + below) / 2 : justBelow;
      return (above + best.value) / 2;
    });
    if (Number.isFinite(log)) previous = [epsilon, log];
    epsilon = next;
  }
  return best === useless ? best : { ...best, open: 1 - above / best.value };
}

/** Parameters that a search found, and the log of what estimates say of the bound with them. */
interface Searched {
  readonly found: Found;
  readonly expected: number;
  /** Nothing was known before. */
  readonly isFirst: boolean;
}

/** A bound of many users that is larger than estimates say, by so much in log delta, may be made smaller. */
const TOO_LARGE = 0.013;

/** The better of what a search found and of what was used before, and then what is better near it. */
function nearbyBest(
  inputs: readonly LabelledInput[],
  { users, missed }: HidingUsers,
  delta: number,
  { found: { parameters, worst, isHeavy = false }, expected, isFirst }: Searched,
  before: SharpParameters | undefined,
): { readonly parameters: SharpParameters; readonly isOff: boolean } {
  const given = { inputs: worst.map((i) => inputs[i]!.prepared), users, missed, target: delta };
  let start = { parameters, value: worstBound(given, parameters) };
  const off = Real.log(start.value) - expected;
  const isOff = Math.abs(off) > USUALLY_OFF;
  if (before) {
    const value = worstBound(given, before);
    if (value < start.value) start = { parameters: before, value };
  }
  // Among many users a search ends where nothing is to be gained, unless estimates led it.
  const isWorthIt = (isFirst && (isOff || isHeavy)) || off > TOO_LARGE;
  if (users >= MANY_USERS && !isWorthIt) return { parameters: start.parameters, isOff };
  const better = polishedNear(given, start, {
    isOff: isOff && isFirst,
    isHeavy: isHeavy && isFirst,
    closely: isFirst,
  });
  const estimate = worstEstimate(
    inputs.map(({ prepared }) => prepared),
    users,
    delta,
  );
  if (better === start.parameters) return { parameters: better, isOff };
  const doubted = estimate(better);
  if (doubted.log <= estimate(start.parameters).log + DOUBTFUL) return { parameters: better, isOff };
  const all = { ...given, inputs: [...new Set([...given.inputs, doubted.input])] };
  const isBetter = worstBound(all, better) <= worstBound(all, start.parameters);
  return { parameters: isBetter ? better : start.parameters, isOff };
}

function nextEpsilon(
  [epsilon, log]: Look,
  slope: number,
  above: number,
  below: number,
  otherwise: () => number,
): number {
  if (!Number.isFinite(log)) return otherwise();
  // A hair beyond the root, so that the far end comes near as well: from either side nearer than the search
  // has to come.
  const hair = Math.min(1e-5, (TOLERANCE / 6) * epsilon * slope);
  const next = epsilon + (log + 2 * hair * Math.sign(log) + hair) / slope;
  return next > above && next < below ? next : otherwise();
}
