/** The smallest epsilon that the sharp bound allows at a delta. */
import { requireInteger, requireProbability, type TypedInputs } from '@shuffle-dp/core';
import { certifiedDelta, certifiedEpsilon } from '../one-round.ts';
import type { SharpBound } from './pair-bound.ts';
import { pairEpsilon, type SharpEpsilonOptions } from './search/pair-epsilon.ts';
import { ofGains, pairHolds, servedBy, type PairLook, type Served } from './pair-holds.ts';

/**
 * Upper bound of the smallest epsilon at `delta`: the worst pair's; `upper` where the bound is not below it.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 */
export function sharpEpsilon(
  typed: TypedInputs,
  users: number,
  delta: number,
  { lower, upper }: SharpEpsilonOptions,
): SharpBound {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  let found: SharpBound | undefined;
  let served: Served | undefined;
  // Pairs of no epsilon in particular may take long, and are not asked for where there are others.
  for (const pair of typed.pairsNear?.(lower > 0 ? lower : upper / 2) ?? typed.pairs) {
    const look: PairLook | null = found && served ? pairHolds(pair, users, found.value, delta, served) : null;
    if (look?.served) {
      served = look.served;
      continue;
    }
    found = pairEpsilon(
      pair,
      users,
      delta,
      { lower: found?.value ?? lower, upper },
      { known: found?.parameters ?? undefined, found: look?.found },
    );
    if (found.value >= upper) break;
    if (found.parameters) served = servedBy(ofGains(pair, found.value, found.parameters), served);
  }
  const useless: SharpBound = { value: upper, parameters: null, worst: 'the blanket' };
  if (!found || found.value >= upper) return useless;
  const { rest = [] } = typed;
  if (rest.length === 0) return found;
  // One look mostly tells that these are no worse.
  const profile = { variationRatio: null, blanket: rest, homogeneous: [] };
  if (certifiedDelta(profile, users, found.value, { relativeGap: REST_GAP }).upper <= delta) return found;
  const ofRest = certifiedEpsilon(profile, users, delta).upper;
  if (ofRest <= found.value) return found;
  return ofRest < upper ? { value: ofRest, parameters: found.parameters, worst: rest[0]!.label } : useless;
}

/** Of divergences that are mostly far below the target. */
const REST_GAP = 1e-3;
