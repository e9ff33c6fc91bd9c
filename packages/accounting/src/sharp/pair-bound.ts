/**
 * The sharp bound of one pair of the victim's inputs: the worst of all inputs of the others, in both orders.
 */
import { logBinomialTail, Real, type TypedPair } from '@shuffle-dp/core';
import {
  inputBound,
  isCovered,
  prepareInput,
  type Effort,
  type PreparedInput,
  type SharpParameters,
} from './input-bound.ts';
import type { LossLaw } from '../blanket/loss-law.ts';
import type { MinimumMoments } from './gains/minimum-moments.ts';
import { exchangedInput, usualOutputs } from './rare-outputs.ts';
import { descended } from './search/descent.ts';
import { searchParameters } from './search/parameter-search.ts';
import { MANY_USERS, polishedNear, USUALLY_OFF, worstBound } from './search/polish.ts';

/** An upper bound, and what it was found with: null where it is trivial. */
export interface SharpBound {
  readonly value: number;
  readonly parameters: SharpParameters | null;
  /** The input of the others at which the bound is largest, or the pair. */
  readonly worst: string;
  /** Of an epsilon whose search stopped at its limit of steps: what was left open, relative to it. */
  readonly open?: number;
}

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
  { known, isLook = false, isBrief = false }: PairHints = {},
): SharpBound {
  const trivial: SharpBound = { value: 1, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, target);
  const { users } = hiding;
  const inputs = users < FEWEST_USERS ? null : preparedInputs(pair, users, epsilon, target);
  if (inputs === null) return trivial;
  const prepared = inputs.map((input) => input.prepared);
  // Those of a pair beside which another number of users hides may leave an odd number.
  const before = known && evened(known, users);
  const found = searchParameters(prepared, users, target, { known: before });
  if (found === null) return trivial;
  const boundOf = (parameters: SharpParameters): SharpBound => boundAt(inputs, hiding, parameters, target);
  const estimate = Real.exp(found.log) + hiding.missed + Math.max(...inputs.map(({ charged }) => charged));
  const areFew = users < MANY_USERS;
  if (isLook && !areFew && estimate > target * Real.exp(FAR_OFF))
    return { value: Math.min(1, estimate), parameters: found.parameters, worst: pair.label };
  let bound = boundOf(found.parameters);
  if (isBrief) return bound;
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
  return bound.value <= enough ? bound : descended(boundOf, bound, users, enough);
}

/** The lower of two; the first of equal ones. */
export function leastOf(a: SharpBound, b: SharpBound): SharpBound {
  return a.value <= b.value ? a : b;
}

/** A bound so many times its estimate was found with parameters of which the estimate says too little. */
const MISJUDGED = 1.05;

/** Users whose inputs are of the types, the victim included, but for a chance `missed`. */
export interface HidingUsers {
  readonly users: number;
  readonly missed: number;
}

/** What may be missed, as a share of the target. */
const NEGLIGIBLE = 1e-5;

/**
 * Each of the others is revealed by a coin of its own: so many, at most, and they are told to the adversary.
 */
export function hidingUsers(
  { revealed = 0, uncovered = 0 }: TypedPair,
  users: number,
  target: number,
): HidingUsers {
  if (revealed === 0) return { users, missed: uncovered };
  const least = Real.log(NEGLIGIBLE * target);
  const log = (more: number): number => logBinomialTail(more + 1, users - 1, revealed);
  let [low, high] = [-1, users - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (log(middle) <= least) high = middle;
    else low = middle;
  }
  return { users: users - high, missed: uncovered + Real.exp(log(high)) * (1 + 1e-11) };
}

/** An input at one epsilon, prepared when it is first looked at. */
export interface LabelledInput {
  readonly label: string;
  readonly prepared: PreparedInput;
  /** The victim's mass at outputs that were left out. */
  readonly charged: number;
}

/**
 * All inputs, in both directions where they differ. Null where the bound says nothing.
 * @param target about the bound's own size
 */
export function preparedInputs(
  { inputs, symmetric, corners }: TypedPair,
  users: number,
  epsilon: number,
  target: number,
): LabelledInput[] | null {
  if (!inputs.every(isCovered)) return null;
  const expEpsilon = Real.exp(epsilon);
  // Data may hold any of them.
  const shares = inputs.map(({ hidden = 0 }) => hidden).filter((hidden) => hidden > 0);
  const leastHidden = shares.length > 0 ? Math.min(...shares) : 0;
  const all = (symmetric ? [inputs] : [inputs, inputs.map(exchangedInput)]).flatMap((order) => {
    const { inputs: usual, charged } = usualOutputs(order, expEpsilon, users, target);
    return usual.map((input): LabelledInput =>
      onDemand(input.label, charged, () => ({
        ...prepareInput(input, expEpsilon, users),
        leastHidden,
        charged,
      })),
    );
  });
  return corners ? everyTwo(all) : all;
}

function onDemand(label: string, charged: number, prepare: () => PreparedInput): LabelledInput {
  let prepared: PreparedInput | undefined;
  return {
    label,
    charged,
    get prepared() {
      return (prepared ??= prepare());
    },
  };
}

/**
 * The gains of one corner with the buffer of another: an average of such bounds all that lies between
 * (docs/sharp-bound.md).
 */
function everyTwo(corners: readonly LabelledInput[]): LabelledInput[] {
  const excess = Math.max(...corners.map(({ prepared }) => prepared.excess));
  return corners.flatMap(({ label, prepared }) =>
    corners.map((other) => ({
      label: other.label === label ? label : `${label}; in the buffer ${other.label}`,
      charged: other.charged,
      prepared: {
        ...prepared,
        draws: other.prepared.draws,
        roughDraws: other.prepared.roughDraws,
        excess,
        isNothing: false,
      },
    })),
  );
}

export type KnownMoments = Readonly<Record<Effort, Map<LossLaw, MinimumMoments>>>;

export function knownMoments(): KnownMoments {
  return {
    rough: new Map(),
    sketchy: new Map(),
    quick: new Map(),
    coarse: new Map(),
    fine: new Map(),
  };
}

/**
 * From the cheapest on, each with how many times as large as what is compared with a cheaper bound may be for
 * it to be of use, mostly.
 */
const CHEAP: readonly (readonly [effort: Effort, within: number])[] = [
  ['rough', Infinity],
  // Where Chernoff's bound says nothing at all, too.
  ['sketchy', Infinity],
  ['quick', 1.12],
];

/**
 * What a search for an epsilon knows of the inputs. Epsilon only grows from where an input was settled, with
 * the same parameters.
 */
export interface SearchState {
  /** The input that is tried first: likely the worst. */
  first: string;
  /** Numbers of inputs that are below SETTLED of the target, as they are for every larger epsilon. */
  readonly settled: ReadonlySet<number>;
  /** Those that were found to be so now. */
  readonly low: number[];
  /**
   * Where the first input is so far below the target, in log delta, no other one is looked at, and nothing is
   * proved: the epsilon is not yet the one that is looked for.
   */
  readonly alone?: number;
}

/** Of the target. */
const SETTLED = 0.8;

/**
 * The largest over all inputs. In a search the first one that is found to be above the target, and a rough
 * bound of inputs that are below it.
 */
export function boundAt(
  inputs: readonly LabelledInput[],
  { users, missed }: HidingUsers,
  parameters: SharpParameters,
  target: number,
  search?: SearchState,
): SharpBound {
  const settled = search !== undefined && search.settled.size > 0 ? SETTLED * target : missed;
  let worst: SharpBound = { value: Math.max(missed, settled), parameters, worst: search?.first ?? '' };
  const moments = knownMoments();
  const order = [...inputs.keys()].filter((i) => !search?.settled.has(i));
  const rank = (i: number): number => Number(inputs[i]!.label === search?.first);
  for (const [place, i] of order.toSorted((a, b) => rank(b) - rank(a)).entries()) {
    const { label, prepared } = inputs[i]!;
    const boundOf = (effort: Effort): number =>
      Math.min(1, inputBound(prepared, users, parameters, target, effort, moments[effort]) + missed);
    // Most inputs are far from the worst, which a rough bound tells.
    let rough = Infinity;
    for (const [effort, within] of place === 0 ? [] : CHEAP) {
      const compared = search === undefined ? worst.value : Math.max(worst.value, target);
      if (rough < Infinity && rough > within * compared) continue;
      rough = Math.min(rough, boundOf(effort));
      if (rough <= worst.value) break;
    }
    if (rough <= SETTLED * target) search?.low.push(i);
    if (rough <= worst.value) continue;
    const value = search !== undefined && rough <= target ? rough : boundOf('fine');
    if (value > worst.value) worst = { value, parameters, worst: label };
    if (search !== undefined && value > target) break;
    if (place === 0 && search?.alone !== undefined && value < target * Real.exp(-search.alone)) break;
  }
  return worst;
}

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
