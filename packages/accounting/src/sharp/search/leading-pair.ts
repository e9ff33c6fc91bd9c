/**
 * Which of a mechanism's pairs is likely the worst, by estimates: where it is proved first, one look at each
 * of the others shows that it is no worse. Nothing here has to be certain.
 */
import type { TypedPair } from '@shuffle-dp/core';
import { hidingUsers, preparedInputs } from '../pair-inputs.ts';
import { hasGains } from '../prepared-input.ts';
import { ofGains, suited, type ServedParameters } from '../pair-holds.ts';
import { COARSE } from '../gains/minimum-moments.ts';
import type { EstimatedEpsilon } from './estimated-epsilon.ts';
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
  /** What suits the foremost pair of the other kind: parameters of one kind say little of the other. */
  readonly ofOthers?: ServedParameters;
}

/** @param pairs at least one */
export function leadingPair(
  pairs: readonly TypedPair[],
  users: number,
  delta: number,
  { lower, upper, work }: SharpEpsilonOptions,
): LeadingPair {
  const range = { lower, upper, work };
  if (pairs.length === 1) return { pair: pairs[0]!, estimated: pairEstimate(pairs[0]!, users, delta, range) };
  const places = hasPlaces(pairs[0]!);
  const first = foremost(
    pairs.filter((pair) => hasPlaces(pair) === places),
    users,
    delta,
    range,
  );
  const others = pairs.filter((pair) => hasPlaces(pair) !== places);
  if (others.length === 0 || !isAt(first)) return closer(first, users, delta, range);
  const second = foremost(others.slice(0, 1), users, delta, { ...range, lower: first.estimated.epsilon });
  if (!isAt(second)) return closer(first, users, delta, range);
  const [leader, other] =
    second.estimated.epsilon > first.estimated.epsilon ? [second, first] : [first, second];
  const { epsilon, found } = other.estimated;
  return {
    ...closer(leader, users, delta, range),
    ofOthers: ofGains(other.pair, epsilon, found.parameters),
  };
}

/** The worst of the first pairs of one kind, by a rough estimate. */
function foremost(
  [pair, ...others]: readonly TypedPair[],
  users: number,
  delta: number,
  range: SharpEpsilonOptions,
): LeadingPair {
  const rough = { pair: pair!, estimated: pairEstimate(pair!, users, delta, range, { near: ROUGHLY }) };
  if (others.length === 0 || !isAt(rough)) return rough;
  const { epsilon, found } = rough.estimated;
  const served = ofGains(pair!, epsilon, found.parameters);
  const logOf = (other: TypedPair): number => pairLog(other, users, epsilon, delta, served);
  const logs = others.slice(0, FOREMOST - 1).map(logOf);
  const most = Math.max(...logs);
  if (!(most > logOf(pair!) + WORTH_IT)) return rough;
  const worst = others[logs.indexOf(most)]!;
  const known = suited(served, users, ofGains(worst, epsilon, served).deviation);
  const next = pairEstimate(worst, users, delta, { ...range, lower: epsilon }, { known });
  return next === 'hopeless' || (next !== null && next.epsilon > epsilon)
    ? { pair: worst, estimated: next }
    : rough;
}

/** As near as a pair's estimate comes. */
function closer(leader: LeadingPair, users: number, delta: number, range: SharpEpsilonOptions): LeadingPair {
  if (!isAt(leader)) return leader;
  const { epsilon, searchedAt, found } = leader.estimated;
  if (Math.abs(epsilon - searchedAt) <= SEARCH_AGAIN * epsilon) return leader;
  const from = { known: found.parameters, at: epsilon };
  return { ...leader, estimated: pairEstimate(leader.pair, users, delta, range, from) };
}

function isAt(pair: LeadingPair): pair is LeadingPair & { readonly estimated: EstimatedEpsilon } {
  return pair.estimated !== null && pair.estimated !== 'hopeless';
}

/** Of which kind a pair is. */
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
