/** The sharp bound of one pair of the victim's inputs: the worst of all inputs of the others, in both orders. */
import { logBinomialTail, type OtherInput, type TypedPair } from '@shuffle-dp/core';
import {
  inputBound,
  prepareInput,
  type Effort,
  type PreparedInput,
  type SharpParameters,
} from './input-bound.ts';
import { searchParameters } from './parameter-search.ts';

/** An upper bound, and what it was found with: null where it is trivial. */
export interface SharpBound {
  readonly value: number;
  readonly parameters: SharpParameters | null;
  /** The input of the others at which the bound is largest, or the pair. */
  readonly worst: string;
}

/** Fewer users leave none beside a buffer. */
export const FEWEST_USERS = 4;

/** Upper bound of the divergence at epsilon. @param target about how large it will be */
export function pairDelta(pair: TypedPair, all: number, epsilon: number, target: number): SharpBound {
  const trivial: SharpBound = { value: 1, parameters: null, worst: pair.label };
  const hiding = hidingUsers(pair, all, target);
  const { users } = hiding;
  if (users < FEWEST_USERS) return trivial;
  const inputs = preparedInputs(pair, users, epsilon);
  if (inputs === null) return trivial;
  const parameters = searchParameters(
    inputs.map(({ prepared }) => prepared),
    users,
    target,
  );
  return parameters === null ? trivial : boundAt(inputs, hiding, parameters, target);
}

/** Users whose inputs are of the types, the victim included, but for a chance `missed`. */
export interface HidingUsers {
  readonly users: number;
  readonly missed: number;
}

/** What may be missed, as a share of the target. */
const NEGLIGIBLE = 1e-5;

/** Each of the others is revealed by a coin of its own: so many, at most, and they are told to the adversary. */
export function hidingUsers({ revealed = 0 }: TypedPair, users: number, target: number): HidingUsers {
  if (revealed === 0) return { users, missed: 0 };
  const least = Math.log(NEGLIGIBLE * target);
  const log = (more: number): number => logBinomialTail(more + 1, users - 1, revealed);
  let [low, high] = [-1, users - 1];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (log(middle) <= least) high = middle;
    else low = middle;
  }
  return { users: users - high, missed: Math.exp(log(high)) * (1 + 1e-11) };
}

export interface LabelledInput {
  readonly label: string;
  readonly prepared: PreparedInput;
}

/** All inputs, in both directions where they differ. Null where the bound says nothing. */
export function preparedInputs(pair: TypedPair, users: number, epsilon: number): LabelledInput[] | null {
  const expEpsilon = Math.exp(epsilon);
  const all = pair.symmetric ? pair.inputs : [...pair.inputs, ...pair.inputs.map(exchangedInput)];
  const prepared: LabelledInput[] = [];
  for (const input of all) {
    const one = prepareInput(input, expEpsilon, users);
    if (one === null) return null;
    prepared.push({ label: input.label, prepared: one });
  }
  // Data may hold any of them.
  const shares = prepared.map((input) => input.prepared.hidden).filter((hidden) => hidden > 0);
  const leastHidden = shares.length > 0 ? Math.min(...shares) : 0;
  return prepared.map(({ label, prepared: one }) => ({ label, prepared: { ...one, leastHidden } }));
}

function exchangedInput(input: OtherInput): OtherInput {
  return { ...input, victim0: input.victim1, victim1: input.victim0 };
}

/** What a search for an epsilon knows of the inputs. Epsilon only grows from where an input was settled, with the same parameters. */
export interface SearchState {
  /** The input that is tried first: likely the worst. */
  first: string;
  /** Numbers of inputs that are below SETTLED of the target, as they are for every larger epsilon. */
  readonly settled: ReadonlySet<number>;
  /** Those that were found to be so now. */
  readonly low: number[];
}

/** Nearer to the target other inputs may be the worse ones, and a search needs the worst. */
const FAR_ABOVE = 1.05;
const SETTLED = 0.8;

/**
 * The largest over all inputs. In a search the first one that is found to be far above the target, and a rough bound of inputs that are below
 * it.
 */
export function boundAt(
  inputs: readonly LabelledInput[],
  { users, missed }: HidingUsers,
  parameters: SharpParameters,
  target: number,
  search?: SearchState,
): SharpBound {
  const known = search !== undefined && search.settled.size > 0 ? SETTLED * target : missed;
  let worst: SharpBound = { value: Math.max(missed, known), parameters, worst: search?.first ?? '' };
  const order = [...inputs.keys()].filter((i) => !search?.settled.has(i));
  const rank = (i: number): number => Number(inputs[i]!.label === search?.first);
  for (const [place, i] of order.toSorted((a, b) => rank(b) - rank(a)).entries()) {
    const { label, prepared } = inputs[i]!;
    const boundOf = (effort: Effort): number =>
      Math.min(1, inputBound(prepared, users, parameters, target, effort) + missed);
    // Most inputs are far from the worst, which a rough bound tells.
    const rough = place === 0 ? Infinity : boundOf('coarse');
    if (rough <= SETTLED * target) search?.low.push(i);
    if (rough <= worst.value) continue;
    const value = search !== undefined && rough <= target ? rough : boundOf('fine');
    if (value > worst.value) worst = { value, parameters, worst: label };
    if (search !== undefined && value > FAR_ABOVE * target) break;
  }
  return worst;
}

/**
 * Whether the bound is at most `delta` for all inputs: mostly a rough look with known parameters tells.
 */
export function pairHolds(
  pair: TypedPair,
  all: number,
  epsilon: number,
  delta: number,
  known: SharpParameters,
): boolean {
  const hiding = hidingUsers(pair, all, delta);
  const { users, missed } = hiding;
  if (users < FEWEST_USERS) return false;
  const inputs = preparedInputs(pair, users, epsilon);
  if (inputs === null) return false;
  const buffer = known.buffer + ((users - 1 - known.buffer) % 2);
  const nearby = { ...known, buffer };
  const holds = ({ prepared }: LabelledInput): boolean =>
    inputBound(prepared, users, nearby, delta, 'coarse') + missed <= delta;
  if (users - 1 - buffer >= 2 && inputs.every(holds)) return true;
  return pairDelta(pair, all, epsilon, delta).value <= delta;
}
