/**
 * Whether the sharp bound meets a target, look by look along a mechanism's parameter: at the target's
 * epsilon, where an account looks for the epsilon, and each look from the parameters that served the one
 * before.
 */
import { Real, type AmplificationProfile, type TypedPair } from '@shuffle-dp/core';
import { evened, FEWEST_USERS, leastOf, pairDelta } from '../../sharp/pair-bound.ts';
import { boundAt, hidingUsers, lookOf, preparedInputs, type SharpBound } from '../../sharp/pair-inputs.ts';
import { polishedDelta } from '../../sharp/search/polished-delta.ts';
import { keptOf, ofGains, pairHolds, servedBy, type Served } from '../../sharp/pair-holds.ts';
import type { SharpParameters } from '../../sharp/input-bound.ts';
import { REST_GAP, restDelta } from '../../sharp/rest-bound.ts';
import { isExtreme } from '../../sharp/sharpest.ts';

/** What one look leaves to the next; any gives a bound. */
export interface LookMemory {
  /** Of the pair that was the worst, among the pairs. */
  place: number;
  served: Served | null;
  /** Its worst input of the others, which is looked at first. */
  first: string;
  /** The logarithm of the bound where they were chosen last. */
  chosenAt: number;
  /** Whether they are the best near the target. */
  isPolished: boolean;
}

/**
 * Before the first look.
 *
 * @example newLookMemory().place // 0
 */
export function newLookMemory(): LookMemory {
  return { place: 0, served: null, first: '', chosenAt: NaN, isPolished: false };
}

/** So near to where parameters were chosen, in the logarithm of delta, others are no better. */
const NEAR = 0.1;
/** Nor where so little is left, from not too far: they would save a hundredth of it. */
const [NEXT_TO, NOT_FAR] = [0.03, 0.4];
/**
 * Parameters are kept, too, while the bound has moved from where they were chosen by no more than this share
 * of what it is off the target: others would save a few percent of it.
 */
const MOVED = 0.5;
/** Further off, in the logarithm of delta, they are of no use any more. */
const FAR_OFF = 1.5;

/** A central privacy target among so many users. */
export interface CentralTarget {
  readonly users: number;
  readonly epsilon: number;
  readonly delta: number;
}

export interface LookTarget extends CentralTarget {
  /** No bound exceeds it. */
  readonly epsilon0: number;
  /**
   * Where the worst pair so far is further below the target, in log delta, the others are not looked at: the
   * parameter is not yet the one that is looked for. Nowhere unless given.
   */
  readonly far?: number | undefined;
  /** Whether it is enough to know that the target is met, and not by how much. */
  readonly isEnough?: boolean | undefined;
}

/** What a look says. */
export interface SharpLook {
  readonly value: number;
  /** Below the target: whether it is an upper bound for every pair. */
  readonly isProved: boolean;
}

const NOTHING: SharpLook = { value: 1, isProved: true };

/**
 * The divergence at the target's epsilon: at most its delta only where that is an upper bound for every pair,
 * or not proved. Above it, that of one pair; where nothing is known of the types, 1.
 *
 * @param memory is written to
 */
export function sharpLook(
  { typed }: AmplificationProfile,
  target: LookTarget,
  memory: LookMemory,
): SharpLook {
  const { users, epsilon, delta, epsilon0, far = Infinity } = target;
  if (!typed || isExtreme(epsilon0)) return NOTHING;
  const pairs = typed.pairsNear?.(epsilon) ?? typed.pairs;
  if (pairs.length === 0) return NOTHING;
  const place = Math.min(memory.place, pairs.length - 1);
  const isFirst = memory.served === null;
  const worst = boundOf(pairs[place]!, target, memory);
  memory.first = worst.worst;
  if (worst.parameters === null) return NOTHING;
  let served = servedBy(ofGains(pairs[place]!, epsilon, worst.parameters), memory.served);
  memory.served = served;
  const missedBy = (other: number, { parameters, value }: SharpBound): SharpLook => {
    memory.place = other;
    memory.served = { ...served, worst: parameters! };
    memory.chosenAt = Real.log(value);
    return { value, isProved: true };
  };
  const asIs = { value: worst.value, isProved: true };
  if (worst.value > delta) {
    // A pair without a place in the buffer may be worse than all those before, which have one.
    const other = isFirst
      ? pairs.findIndex(({ inputs }) => inputs.some(({ buffer }) => buffer === null))
      : -1;
    if (other <= place) return asIs;
    const bound = pairDelta(pairs[other]!, users, epsilon, delta, { known: served.worst, isLook: true });
    return bound.parameters && bound.value > worst.value ? missedBy(other, bound) : asIs;
  }
  if (pairs.length > 1 && worst.value < delta * Real.exp(-far)) return { ...asIs, isProved: false };
  for (const [other, pair] of pairs.entries()) {
    if (other === place) continue;
    const look = pairHolds(pair, users, epsilon, delta, served);
    if (look.served) {
      served = look.served;
      continue;
    }
    const bound = pairDelta(pair, users, epsilon, delta, { known: served.worst, isLook: true });
    if (bound.parameters === null) return NOTHING;
    if (bound.value > delta) return missedBy(other, bound);
    served = keptOf(pair, ofGains(pair, epsilon, bound.parameters), served);
  }
  memory.served = served;
  const ofRest = restDelta(typed, users, epsilon, { relativeGap: REST_GAP });
  return { value: Math.max(worst.value, ofRest), isProved: true };
}

/** As `chosenBound`; where it is first near the target its parameters are polished, as an account does. */
function boundOf(pair: TypedPair, target: LookTarget, memory: LookMemory): SharpBound {
  const { users, epsilon, delta } = target;
  const bound = chosenBound(pair, target, memory);
  if (memory.isPolished || bound.parameters === null) return bound;
  if (Math.abs(Real.log(bound.value / delta)) > NEAR) return bound;
  memory.isPolished = true;
  const polished = polishedDelta(pair, users, epsilon, delta, bound);
  memory.chosenAt = Real.log(polished.value);
  return polished;
}

function chosenBound(
  pair: TypedPair,
  { users, epsilon, delta, isEnough = false }: LookTarget,
  memory: LookMemory,
): SharpBound {
  const known = memory.served?.worst;
  const before = known && pairDeltaAt(pair, users, epsilon, delta, { ...known, first: memory.first });
  if (before?.parameters) {
    if (isEnough && before.value <= delta) return before;
    const off = Math.abs(Real.log(before.value / delta));
    const moved = Math.abs(Real.log(before.value) - memory.chosenAt);
    if (off <= NEAR && moved <= NEAR) return before;
    if (off <= NEXT_TO && moved <= NOT_FAR) return before;
    if (off > NEAR && off < FAR_OFF && moved <= MOVED * off) return before;
  }
  const found = pairDelta(pair, users, epsilon, delta, { known, isLook: true });
  memory.chosenAt = Real.log(found.value);
  return before?.parameters ? leastOf(before, found) : found;
}

/** As `pairDelta`, at parameters that are known. @param known in a look with the input that is tried first */
export function pairDeltaAt(
  pair: TypedPair,
  all: number,
  epsilon: number,
  target: number,
  known: SharpParameters & { readonly first?: string },
): SharpBound {
  const trivial: SharpBound = { value: 1, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, target);
  const parameters = evened(known, hiding.users);
  if (hiding.users < FEWEST_USERS || parameters === undefined) return trivial;
  const inputs = preparedInputs(pair, hiding.users, epsilon, target);
  return inputs === null
    ? trivial
    : boundAt(
        inputs,
        hiding,
        parameters,
        target,
        known.first === undefined ? undefined : lookOf(known.first),
      );
}
