/**
 * The sharp bound of one pair of the victim's inputs: the worst of all inputs of the others, in both orders.
 */
import { Real, type TypedPair } from '@shuffle-dp/core';
import { isSpent, type Work } from '../allowance.ts';
import type { SharpParameters } from './input-bound.ts';
import {
  boundAt,
  hidingUsers,
  lookOf,
  preparedInputs,
  type HidingUsers,
  type LabelledInput,
  type SearchState,
  type SharpBound,
} from './pair-inputs.ts';
import type { PreparedInput } from './prepared-input.ts';
import { descended } from './search/descent.ts';
import { areFewToTry, leastAmongFew } from './search/few-users.ts';
import { searchParameters } from './search/parameter-search.ts';
import { MANY_USERS, polishedNear, USUALLY_OFF, worstBound } from './search/polish.ts';

/** Fewer users leave none beside a buffer. */
export const FEWEST_USERS = 4;

export interface PairHints {
  /** Parameters to begin with. */
  readonly known?: SharpParameters | undefined;
  /**
   * Only the side of the target counts: a bound that is far above it, or of many users, is not improved step
   * by step, which takes a second, and where estimates are far above, the value is one of them.
   */
  readonly isLook?: boolean;
  /** Whether the first parameters that a search finds will do: steps by the bound itself take a second. */
  readonly isBrief?: boolean;
  /** What looks add to what they take, and what ends such steps. */
  readonly work?: Work | undefined;
}

/**
 * Of a look, over the target: steps gain some percent; and in logarithms, what no estimate of many users is
 * off by.
 */
const [FAR_ABOVE, FAR_OFF] = [1.1, 0.3];

/**
 * Upper bound of the divergence at epsilon; in a look only where it is at most the target.
 * @param target about how large it will be
 */
export function pairDelta(
  pair: TypedPair,
  all: number,
  epsilon: number,
  target: number,
  hints: PairHints = {},
): SharpBound {
  const { isLook = false, isBrief = false, work } = hints;
  const trivial: SharpBound = { value: 1, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, target);
  const { users } = hiding;
  const inputs = users < FEWEST_USERS ? null : preparedInputs(pair, users, epsilon, target, work);
  if (inputs === null) return trivial;
  const place: PreparedPair = { label: pair.label, inputs, hiding, target };
  const searched = searchedDelta(place, hints) ?? trivial;
  if (isLook || isBrief || !areFewToTry(inputs, users)) return searched;
  const found = leastAmongFew(boundsOf(place), preparedOf(place), { users, target, work });
  return leastOf(searched, found ?? trivial);
}

/** A pair with its inputs at one epsilon. */
interface PreparedPair {
  readonly label: string;
  readonly inputs: readonly LabelledInput[];
  readonly hiding: HidingUsers;
  readonly target: number;
}

function preparedOf({ inputs }: PreparedPair): PreparedInput[] {
  return inputs.map((input) => input.prepared);
}

/** The bound of its worst input, by parameters. */
function boundsOf(
  { inputs, hiding, target }: PreparedPair,
  look?: SearchState,
): (parameters: SharpParameters) => SharpBound {
  return (parameters) => boundAt(inputs, hiding, parameters, target, look);
}

/** By a search that estimates lead; null where it finds no parameters. */
function searchedDelta(
  place: PreparedPair,
  { known, isLook = false, isBrief = false, work }: PairHints,
): SharpBound | null {
  const { label, inputs, hiding, target } = place;
  const { users } = hiding;
  const prepared = preparedOf(place);
  // Those of a pair beside which another number of users hides may leave an odd number.
  const before = known && evened(known, users);
  const found = searchParameters(prepared, users, target, { known: before });
  if (found === null) return null;
  const look = isLook ? lookOf(inputs[found.worst[0] ?? 0]!.label) : undefined;
  const boundOf = boundsOf(place, look);
  const estimate = Real.exp(found.log) + hiding.missed + Math.max(...inputs.map(({ charged }) => charged));
  const areFew = users < MANY_USERS;
  if (isLook && !areFew && estimate > target * Real.exp(FAR_OFF))
    return { value: Math.min(1, estimate), parameters: found.parameters, worst: label };
  let bound = boundOf(found.parameters);
  if (isBrief || isSpent(work)) return bound;
  const isOff = Math.abs(Real.log(bound.value / estimate)) > USUALLY_OFF;
  if ((isOff || areFew) && bound.value > target) {
    if (before && areFew) bound = leastOf(bound, boundOf(before));
    const given = { inputs: found.worst.map((i) => prepared[i]!), users, missed: hiding.missed, target };
    const at = bound.parameters!;
    const start = { parameters: at, value: worstBound(given, at) };
    bound = leastOf(bound, boundOf(polishedNear(given, start, { isOff: isOff || areFew, closely: false })));
  }
  if (isLook && (!areFew || bound.value <= target || bound.value > FAR_ABOVE * target)) return bound;
  const enough = Math.max(MISJUDGED * estimate, isLook ? target : 0);
  return bound.value <= enough ? bound : descended(boundOf, bound, users, enough, work);
}

/** The lower of two; the first of equal ones. */
export function leastOf(a: SharpBound, b: SharpBound): SharpBound {
  return a.value <= b.value ? a : b;
}

/** A bound so many times its estimate was found with parameters of which the estimate says too little. */
const MISJUDGED = 1.05;

/**
 * Parameters of another number of users, with an even number beside the buffer; undefined where there are
 * fewer than two.
 */
export function evened(
  { buffer, kappa, theta }: SharpParameters,
  users: number,
): SharpParameters | undefined {
  const even = buffer + (Math.abs(users - 1 - buffer) % 2);
  return users - 1 - even >= 2 ? { buffer: even, kappa, theta } : undefined;
}
