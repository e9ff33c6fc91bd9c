/**
 * Which of a mechanism's pairs is likely the worst, by estimates: where it is proved first, one look at each
 * of the others shows that it is no worse. Nothing here has to be certain.
 */
import type { TypedPair } from '@shuffle-dp/core';
import { hidingUsers, preparedInputs } from '../pair-inputs.ts';
import { hasGains } from '../prepared-input.ts';
import { ofGains, suited, type ServedParameters } from '../pair-holds.ts';
import { COARSE } from '../gains/minimum-moments.ts';
import { estimator, exactTerms, MORE_SIZES } from './estimates.ts';
import { pairEstimate, SEARCH_AGAIN, type PairEstimate, type SharpEpsilonOptions } from './pair-estimate.ts';
import { worstEstimate } from './parameter-search.ts';

/** Pairs that may lead, from the first on: lists begin with those that are furthest apart. */
const FOREMOST = 8;
/** A pair that is worse by less, in log delta, is as good a leader. */
const WORTH_IT = 0.01;

/** How near to its epsilon the first pair's estimate comes before others are looked at. */
const ROUGHLY = 0.02;

export interface LeadingPair {
  readonly pair: TypedPair;
  /** Where its bound meets the delta, about. */
  readonly estimated: PairEstimate;
}

/** @param pairs at least one */
export function leadingPair(
  pairs: readonly TypedPair[],
  users: number,
  delta: number,
  { lower, upper, work }: SharpEpsilonOptions,
): LeadingPair {
  const pair = pairs[0]!;
  const others = pairs.slice(1, FOREMOST).filter((other) => hasPlaces(other) === hasPlaces(pair));
  const range = { lower, upper, work };
  if (others.length === 0) return { pair, estimated: pairEstimate(pair, users, delta, range) };
  const rough = pairEstimate(pair, users, delta, range, { near: ROUGHLY });
  if (rough === null || rough === 'hopeless') return { pair, estimated: rough };
  const { epsilon } = rough;
  const served = ofGains(pair, epsilon, rough.found.parameters);
  const logOf = (other: TypedPair): number => pairLog(other, users, epsilon, delta, served);
  const logs = others.map(logOf);
  const most = Math.max(...logs);
  if (most > logOf(pair) + WORTH_IT) {
    const worst = others[logs.indexOf(most)]!;
    const known = suited(served, users, ofGains(worst, epsilon, served).deviation);
    const next = pairEstimate(worst, users, delta, { ...range, lower: epsilon }, { known });
    if (next === 'hopeless' || (next !== null && next.epsilon > epsilon))
      return { pair: worst, estimated: next };
  }
  const isNear = Math.abs(epsilon - rough.searchedAt) <= SEARCH_AGAIN * epsilon;
  const closer = { known: rough.found.parameters, at: epsilon };
  return { pair, estimated: isNear ? rough : pairEstimate(pair, users, delta, range, closer) };
}

/** Parameters of a pair with places in the buffer say little of one without, and the other way round. */
function hasPlaces({ inputs }: TypedPair): boolean {
  return inputs.every(({ buffer }) => buffer !== null);
}

/** log of about the bound of a pair, of the input that is worst by quick estimates. */
function pairLog(
  pair: TypedPair,
  all: number,
  epsilon: number,
  delta: number,
  served: ServedParameters,
): number {
  const { users } = hidingUsers(pair, all, delta);
  const parameters = suited(served, users, ofGains(pair, epsilon, served).deviation);
  const inputs = preparedInputs(pair, users, epsilon, delta);
  const prepared = inputs?.map((input) => input.prepared).filter(hasGains) ?? [];
  if (parameters === undefined || prepared.length === 0) return -Infinity;
  const { input } = worstEstimate(prepared, users, delta)(parameters);
  return estimator(users, exactTerms(delta, COARSE), MORE_SIZES, Math.floor)(input, parameters);
}
