/**
 * The truth after shuffling by listing everything: all data sets of the other users, all pairs of inputs of
 * the victim in both orders, all multisets of outputs.
 */
import type { DataSet, FiniteMechanism, Law } from './finite-mechanism.ts';
import { quotient, type Fixed, type FixedPoint } from './fixed-point.ts';

/** What the analyzer sees when the other users hold `others`: one law for each input of the victim. */
export interface View {
  readonly others: readonly number[];
  readonly laws: readonly Law[];
}

export type Target = { readonly epsilon: number } | { readonly delta: number };

export interface Worst {
  /** The delta at the epsilon asked for, or the epsilon at the delta. */
  readonly value: number;
  readonly pair: readonly [number, number];
  readonly others: readonly number[];
}

/** All views of so many users, the victim included. */
export function* shuffledViews(
  { victims, others }: FiniteMechanism,
  users: number,
  arithmetic: FixedPoint,
): Generator<View> {
  const outputs = victims[0]!.length;
  function* extend(held: readonly number[], law: Law): Generator<View> {
    const join = joiner(outputs, held.length);
    if (held.length === users - 1) {
      yield { others: held, laws: victims.map((row) => join(law, row, arithmetic)) };
      return;
    }
    for (let x = held.at(-1) ?? 0; x < others.length; x++)
      yield* extend([...held, x], join(law, others[x]!, arithmetic));
  }
  yield* extend([], [arithmetic.one]);
}

/** The law of a multiset of messages and of one message more. */
type Join = (law: Law, message: Law, arithmetic: FixedPoint) => Law;

const joiners = new Map<string, Join>();

function joiner(outputs: number, messages: number): Join {
  const key = `${outputs} ${messages}`;
  const known = joiners.get(key);
  if (known) return known;
  const from = multisets(outputs, messages);
  const to = new Map(multisets(outputs, messages + 1).map((multiset, i) => [multiset.join(), i]));
  const grown = from.map((multiset) =>
    Array.from({ length: outputs }, (_, y) => to.get([...multiset, y].sort((a, b) => a - b).join())!),
  );
  const join: Join = (law, message, { rescaled }) => {
    const result = Array.from({ length: to.size }, () => 0n);
    law.forEach((mass, i) => {
      if (mass === 0n) return;
      grown[i]!.forEach((place, y) => (result[place]! += mass * message[y]!));
    });
    return result.map(rescaled);
  };
  joiners.set(key, join);
  return join;
}

/** Non-decreasing sequences. */
function multisets(values: number, length: number, from = 0): number[][] {
  if (length === 0) return [[]];
  const result: number[][] = [];
  for (let first = from; first < values; first++)
    for (const rest of multisets(values, length - 1, first)) result.push([first, ...rest]);
  return result;
}

/** For each target the largest value over the data sets. */
export function worstOf(
  views: Iterable<View>,
  targets: readonly Target[],
  arithmetic: FixedPoint,
  admits: DataSet = () => true,
): Worst[] {
  const worst: Worst[] = targets.map(() => ({ value: 0, pair: [0, 0], others: [] }));
  const growths = targets.map((target) => ('epsilon' in target ? arithmetic.exp(target.epsilon) : 0n));
  for (const { others, laws } of views) {
    for (let first = 0; first < laws.length; first++) {
      for (let second = 0; second < laws.length; second++) {
        if (first === second || !admits(first, second, others)) continue;
        const test = likeliestFirst(laws[first]!, laws[second]!);
        targets.forEach((target, i) => {
          const value =
            'epsilon' in target
              ? deltaAt(test, growths[i]!, target.epsilon, arithmetic)
              : epsilonAt(test, arithmetic.of(target.delta));
          if (value > worst[i]!.value) worst[i] = { value, pair: [first, second], others };
        });
      }
    }
  }
  return worst;
}

/**
 * Outcomes by falling likelihood ratio: the sets of the Neyman-Pearson lemma, by their masses under both
 * laws.
 */
interface LikelihoodTest {
  /** The ratio less one of the outcome that each set adds. */
  readonly gains: Float64Array;
  readonly first: readonly Fixed[];
  readonly second: readonly Fixed[];
}

/** Digits of a gain after the point, as a power of two. */
const GAIN_BITS = 200;

/** Only outcomes that are likelier under the first law: others are in no set that tells for the first. */
function likeliestFirst(first: Law, second: Law): LikelihoodTest {
  const outcomes: { gain: number; p: Fixed; q: Fixed }[] = [];
  first.forEach((p, i) => {
    const q = second[i]!;
    if (p <= q) return;
    const gain = q === 0n ? Infinity : Number(((p - q) << BigInt(GAIN_BITS)) / q) * 2 ** -GAIN_BITS;
    outcomes.push({ gain, p, q });
  });
  outcomes.sort((a, b) => (a.gain === b.gain ? 0 : b.gain - a.gain));
  let [p, q] = [0n, 0n];
  const cumulated = outcomes.map((outcome) => [(p += outcome.p), (q += outcome.q)] as const);
  return {
    gains: Float64Array.from(outcomes, ({ gain }) => gain),
    first: cumulated.map(([mass]) => mass),
    second: cumulated.map(([, mass]) => mass),
  };
}

/** The largest P(S) - e^epsilon Q(S). */
function deltaAt(
  { gains, first, second }: LikelihoodTest,
  growth: Fixed,
  epsilon: number,
  { one, times }: FixedPoint,
): number {
  const limit = Math.expm1(epsilon);
  let size = 0;
  for (let high = gains.length; size < high;) {
    const middle = (size + high) >> 1;
    if (gains[middle]! > limit) size = middle + 1;
    else high = middle;
  }
  return size === 0 ? 0 : quotient(first[size - 1]! - times(growth, second[size - 1]!), one);
}

/** The largest log((P(S) - delta) / Q(S)): the least epsilon at which no set has more than delta. */
function epsilonAt({ gains, first, second }: LikelihoodTest, delta: Fixed): number {
  // Adding an outcome helps while its ratio is above that of the set so far.
  const ratio = (i: number): number => {
    const [p, q] = [first[i]! - delta, second[i]!];
    if (q === 0n) return p > 0n ? Infinity : -1;
    return quotient(p - q, q);
  };
  let low = 0;
  for (let high = gains.length - 1; low < high;) {
    const middle = (low + high) >> 1;
    if (gains[middle + 1]! > ratio(middle)) low = middle + 1;
    else high = middle;
  }
  return gains.length === 0 ? 0 : Math.max(0, Math.log1p(ratio(low)));
}
