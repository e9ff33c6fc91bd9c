/**
 * The sharp bound: an upper bound of the divergence after shuffling for every data set of the other users, within a factor of
 * 1 + O(1 / sqrt(users)) of the worst one in epsilon. Definitions, proofs and how it is evaluated: docs/sharp-bound.md.
 */
import {
  requireInteger,
  requireNonNegative,
  requireProbability,
  type OtherInput,
  type TypedInputs,
  type TypedPair,
} from '@shuffle-dp/core';
import { inputBound, prepareInput, type PreparedInput, type SharpParameters } from './input-bound.ts';
import { searchParameters } from './parameter-search.ts';

/** An upper bound, and what it was found with: null where it is trivial. */
export interface SharpBound {
  readonly value: number;
  readonly parameters: SharpParameters | null;
  /** The input of the others, and the pair, at which the bound is largest. */
  readonly worst: string;
}

/** Fewer users leave none beside a buffer. */
const FEWEST_USERS = 4;

/**
 * Upper bound of the divergence at epsilon for every data set (replace-one): the worst pair and the worst input of the others.
 * @param guess about how large the result will be; default found by the search
 * @throws ParameterError for users < 1 or epsilon < 0
 */
export function sharpDelta(
  { pairs }: TypedInputs,
  users: number,
  epsilon: number,
  guess: number = 1e-6,
): SharpBound {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  return worstOf(pairs.map((pair) => pairDelta(pair, users, epsilon, guess)));
}

function worstOf(bounds: readonly SharpBound[]): SharpBound {
  return bounds.reduce((worst, bound) => (bound.value > worst.value ? bound : worst));
}

function pairDelta(pair: TypedPair, users: number, epsilon: number, guess: number): SharpBound {
  const trivial: SharpBound = { value: 1, parameters: null, worst: pair.label };
  if (users < FEWEST_USERS) return trivial;
  const inputs = preparedInputs(pair, users, epsilon);
  if (inputs === null) return trivial;
  const parameters = searchParameters(
    inputs.map(({ prepared }) => prepared),
    users,
    guess,
  );
  return parameters === null ? trivial : boundAt(inputs, users, parameters, guess);
}

interface LabelledInput {
  readonly label: string;
  readonly prepared: PreparedInput;
}

/** All inputs, in both directions where they differ. Null where the bound says nothing. */
function preparedInputs(pair: TypedPair, users: number, epsilon: number): LabelledInput[] | null {
  const expEpsilon = Math.exp(epsilon);
  const all = pair.symmetric ? pair.inputs : [...pair.inputs, ...pair.inputs.map(exchangedInput)];
  const prepared: LabelledInput[] = [];
  for (const input of all) {
    const one = prepareInput(input, expEpsilon, users);
    if (one === null) return null;
    prepared.push({ label: input.label, prepared: one });
  }
  return prepared;
}

function exchangedInput(input: OtherInput): OtherInput {
  return { ...input, victim0: input.victim1, victim1: input.victim0 };
}

/**
 * The largest over all inputs, or the first one found to be above the target.
 * @param first the input that is tried first: likely the worst
 */
function boundAt(
  inputs: readonly LabelledInput[],
  users: number,
  parameters: SharpParameters,
  target: number,
  first?: string,
): SharpBound {
  let worst: SharpBound = { value: 0, parameters, worst: '' };
  for (const { label, prepared } of inputs.toSorted(
    (a, b) => Number(b.label === first) - Number(a.label === first),
  )) {
    const value = inputBound(prepared, users, parameters, target);
    if (value > worst.value) worst = { value, parameters, worst: label };
    if (first !== undefined && value > target) break;
  }
  return worst;
}

/** How near the end of the search comes to the smallest epsilon, relative to it. */
const TOLERANCE = 2e-6;
const MOST_STEPS = 12;
/** Parameters are chosen anew where epsilon has moved by this much of itself since they were. */
const SEARCH_AGAIN = 0.004;

export interface SharpEpsilonOptions {
  /** Some proved lower and upper end of epsilon: where the search starts, and where it is given up. */
  readonly lower: number;
  readonly upper: number;
}

/**
 * Upper bound of the smallest epsilon at `delta`: the worst pair's; `upper` where the bound is not below it.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 */
export function sharpEpsilon(
  { pairs }: TypedInputs,
  users: number,
  delta: number,
  options: SharpEpsilonOptions,
): SharpBound {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  return worstOf(pairs.map((pair) => pairEpsilon(pair, users, delta, options)));
}

function pairEpsilon(
  pair: TypedPair,
  users: number,
  delta: number,
  { lower, upper }: SharpEpsilonOptions,
): SharpBound {
  const useless: SharpBound = { value: upper, parameters: null, worst: pair.label };
  if (users < FEWEST_USERS || delta === 0 || !(lower < upper)) return useless;
  // The bound is a few percent above the lower end at most; beyond, its own slope leads on.
  let epsilon = lower > 0 ? Math.min(lower * 1.005, (lower + upper) / 2) : upper / 2;
  let parameters: SharpParameters | undefined;
  let best = useless;
  let worst = '';
  let searchedAt = NaN;
  let above = lower;
  let previous: readonly [epsilon: number, log: number] | null = null;
  for (let step = 0; step < MOST_STEPS; step++) {
    const inputs = preparedInputs(pair, users, epsilon);
    if (inputs === null) return useless;
    const prepared = inputs.map((input) => input.prepared);
    if (!(Math.abs(epsilon - searchedAt) <= SEARCH_AGAIN * epsilon)) {
      parameters = searchParameters(prepared, users, delta, parameters) ?? undefined;
      searchedAt = epsilon;
    }
    const bound = parameters === undefined ? null : boundAt(inputs, users, parameters, delta, worst);
    const log = bound === null ? Infinity : Math.log(bound.value / delta);
    worst = bound?.worst ?? worst;
    if (log <= 0) {
      if (epsilon < best.value) best = { ...bound!, value: epsilon };
    } else above = Math.max(above, epsilon);
    if (best.value - above <= TOLERANCE * best.value) break;
    const next = nextEpsilon(epsilon, log, previous, above, best.value);
    if (Number.isFinite(log)) previous = [epsilon, log];
    epsilon = next;
  }
  return best;
}

function nextEpsilon(
  epsilon: number,
  log: number,
  previous: readonly [epsilon: number, log: number] | null,
  above: number,
  below: number,
): number {
  const middle = (above + below) / 2;
  if (!Number.isFinite(log)) return middle;
  const steepness = previous === null ? NaN : -(log - previous[1]) / (epsilon - previous[0]);
  // A Gaussian tail falls like e^(-c epsilon^2): steepness of its logarithm 2 |log| / epsilon, with log about 14 at 1e-6.
  const slope = steepness > 0 ? steepness : 25 / epsilon;
  // A hair beyond the root, so that the far end comes near as well.
  const next = epsilon + (log + 2e-5 * Math.sign(log) + 1e-5) / slope;
  return next > above && next < below ? next : middle;
}
