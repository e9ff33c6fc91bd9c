/** The smallest epsilon that the sharp bound allows at a delta. */
import { requireInteger, requireProbability, type TypedInputs, type TypedPair } from '@shuffle-dp/core';
import { Allowance, SHARP_SINES } from '../allowance.ts';
import type { SharpBound } from './pair-inputs.ts';
import { restEpsilon, restHolds } from './rest-bound.ts';
import { pairEpsilon } from './search/pair-epsilon.ts';
import type { SharpEpsilonOptions } from './search/pair-estimate.ts';
import { leadingPair } from './search/leading-pair.ts';
import { areFewToTry } from './search/few-users.ts';
import { epsilonAmongFew, stepwiseEpsilon, unstuckEpsilon } from './search/stepwise-epsilon.ts';
import { isCell, ofGains, pairHolds, servedBy, type PairLook, type Served } from './pair-holds.ts';

/**
 * Upper bound of the smallest epsilon at `delta`: the worst pair's; `upper` where the bound is not below it.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 */
export function sharpEpsilon(
  typed: TypedInputs,
  users: number,
  delta: number,
  { lower, upper, work = new Allowance(SHARP_SINES) }: SharpEpsilonOptions,
): SharpBound {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  let found: SharpBound | undefined;
  let served: Served | undefined;
  let held = 0;
  // Pairs of no epsilon in particular may take long, and are not asked for where there are others.
  const pairs = typed.pairsNear?.(lower > 0 ? lower : upper / 2) ?? typed.pairs;
  const useless: SharpBound = { value: upper, parameters: null, worst: 'the blanket' };
  if (pairs.length === 0) return useless;
  const leader = leadingPair(pairs, users, delta, { lower, upper, work });
  for (const pair of [leader.pair, ...pairs.filter((other) => other !== leader.pair)]) {
    const near: number = found ? found.value * (1 + slackOf(pair, users, found.value, lower)) : lower;
    const look: PairLook | null = found && served ? pairHolds(pair, users, near, delta, served) : null;
    if (look?.served) {
      served = look.served;
      held = Math.max(held, near);
      continue;
    }
    found = pairEpsilon(
      pair,
      users,
      delta,
      { lower: near, upper, work },
      {
        known: found?.parameters ?? undefined,
        found: look?.found,
        ...(pair === leader.pair && { estimated: leader.estimated }),
      },
    );
    const estimated = pair === leader.pair ? leader.estimated : null;
    if (found.value >= upper && estimated !== 'hopeless')
      found = stepwiseEpsilon(pair, users, delta, estimated?.epsilon ?? near, { lower: near, upper, work });
    if (areFewToTry(pair.inputs, users) && found.value > near * WIDE_AMONG_FEW)
      found = epsilonAmongFew(found, pair, users, delta, { lower: near, upper, work });
    if (found.value >= upper) break;
    if (users < FEW_TO_HIDE && found.value > near * WIDE)
      found = unstuckEpsilon(found, pair, users, delta, { lower: near, upper, work });
    if (found.parameters)
      served = { ...servedBy(ofGains(pair, found.value, found.parameters), served, leader.ofOthers), work };
  }
  if (!found || Math.max(found.value, held) >= upper) return useless;
  found = { ...found, value: Math.max(found.value, held) };
  // One look mostly tells that these are no worse.
  if (restHolds(typed, users, found.value, delta, found.parameters?.theta)) return found;
  const { rest = [] } = typed;
  const ofRest = restEpsilon(rest, users, delta);
  if (ofRest <= found.value) return found;
  return ofRest < upper ? { value: ofRest, parameters: found.parameters, worst: rest[0]!.label } : useless;
}

/**
 * By how much further a pair may reach than the worst before, relative to it: cells of pairs lie close to
 * each other there, and each would be searched for. Some hundredths of what the bound leaves open anyway, and
 * sound: divergences fall as epsilon grows.
 */
function slackOf(pair: TypedPair, users: number, epsilon: number, lower: number): number {
  const gap = lower > 0 ? epsilon / lower - 1 : 0;
  const share = users < FEW_USERS ? SMALL_GAP : Math.min(gap, OF_THE_GAP);
  return isCell(pair) && gap > SMALL_GAP ? share * gap : 0;
}

const [OF_THE_GAP, SMALL_GAP] = [0.03, 0.01];
/** Bounds of fewer are far from the truth. */
const FEW_USERS = 5000;

/** Among so few users, and so far above what is known, a search has mostly got stuck. */
const [FEW_TO_HIDE, WIDE] = [200, 1.3];
/** A gap among the fewest that is worth some seconds: there estimates may say nothing at all. */
const WIDE_AMONG_FEW = 1.08;
