/**
 * Mechanisms of two messages, all of whose data sets can be gone through (docs/sharp-bound.md, "Two
 * messages"): by convexity the worst one has users of the two extreme laws alone, so there are n of them, and
 * those in a row are bounded together.
 */
import {
  interval,
  Real,
  ROUNDOFF,
  type Interval,
  type OtherInput,
  type TypedInputs,
  type TypedPair,
} from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import { composedDivergence, MOST_COINS, type ComposedCoins, type VictimCoin } from './composed-coins.ts';

/**
 * How far above the worst data set the ends lie, relative to epsilon, and to delta, which falls by about
 * twenty times as much of itself.
 */
const [EPSILON_SLACK, DELTA_SLACK] = [1e-4, 2e-3];
/** So many times as far among many users, whose rows take as many times as long and are as many. */
const [MANY_USERS, WIDER] = [200_000, 4];
/** Where the epsilon of a data set is known well enough to go on from, relative to it. */
const CLOSE = 1e-7;
/** What going through them may take, in terms of sums: three quarters of a second of a processor. */
const MOST_TERMS = 2e7;
/** Of a sum, beside what grows with the deviation of the heads. */
const [TERMS_OF_SUM, TERMS_OF_DEVIATION] = [200, 25];
/** Into so many parts data sets are taken to find about the worst one. */
const SPREAD = 8;
/** Into so many rows data sets are taken first. */
const FIRST_ROWS = 64;
/**
 * A row is made a little shorter than the last ones say it may be, and at most so many times as long as the
 * one before.
 */
const [NEARLY, MOST_GROWTH] = [0.97, 4];

/** One order of the victim's inputs among users of two laws, the first of which sends heads more often. */
interface TwoMessages {
  readonly victim: ComposedCoins['victim'];
  readonly high: LabelledCoin;
  readonly low: LabelledCoin;
}

interface LabelledCoin extends VictimCoin {
  /** Of the input that has this law. */
  readonly label: string;
}

/** Ends by going through all data sets. */
export interface TwoMessagesEnds {
  /** Infinity where it is not below what was proved, does not apply or takes too long. */
  readonly upper: number;
  /** A data set that proves more than the lower end that was proved; null where none was found. */
  readonly worst: { readonly value: number; readonly label: string } | null;
}

/** Whether the bounds below can be asked. */
export function sendsTwoMessages(typed: TypedInputs, users: number): boolean {
  return twoMessagesOf(typed, users) !== null;
}

/** Up to so many users going through all data sets takes next to nothing. */
export const FEW_USERS = 20_000;
/** Among more, with a smaller budget, it takes long, and the sharp bound is as close. */
const SMALL_BUDGET = 1;

/** Whether the bounds below are worth their time wherever many are asked for: in searches and curves. */
export function areQuick(typed: TypedInputs, users: number, epsilon0: number): boolean {
  const isQuick = users <= FEW_USERS || (epsilon0 > SMALL_BUDGET && epsilon0 < Infinity);
  return isQuick && sendsTwoMessages(typed, users);
}

/**
 * Ends of the smallest epsilon at `delta`.
 *
 * @param proved a lower end, as by equal users, and some upper end
 */
export function twoMessagesEpsilon(
  typed: TypedInputs,
  users: number,
  delta: number,
  proved: Interval,
): TwoMessagesEnds {
  const excessOf = (coins: ComposedCoins, epsilon: number): number =>
    Real.log(composedDivergence(coins, epsilon).upper / delta);
  const valueOf = (coins: ComposedCoins, near: number): Interval =>
    epsilonAtDelta((epsilon) => composedDivergence(coins, epsilon), delta, {
      epsilonMax: proved.upper,
      relativeTolerance: CLOSE,
      ...(near > 0 && { near }),
    });
  return worstOfAll(typed, users, proved, { excessOf, valueOf, slack: EPSILON_SLACK });
}

/**
 * Ends of delta at `epsilon`.
 *
 * @param proved a lower end, as by equal users, and some upper end
 * @param slack how far above the worst data set the upper end may lie, relative to it
 */
export function twoMessagesDelta(
  typed: TypedInputs,
  users: number,
  epsilon: number,
  proved: Interval = interval(0, 1),
  slack = DELTA_SLACK,
): TwoMessagesEnds {
  const valueOf = (coins: ComposedCoins): Interval => composedDivergence(coins, epsilon);
  const excessOf = (coins: ComposedCoins, delta: number): number => Real.log(valueOf(coins).upper / delta);
  return worstOfAll(typed, users, proved, { excessOf, valueOf, slack });
}

/** How data sets are looked at. */
interface Look {
  /** How far above a value one may be, in logarithms of delta. */
  readonly excessOf: (coins: ComposedCoins, value: number) => number;
  readonly valueOf: (coins: ComposedCoins, near: number) => Interval;
  /** How far above the worst one the end may lie, relative to it. */
  readonly slack: number;
}

/** From what is proved on: whatever is seen to be worse raises what the rest is held to. */
function worstOfAll(
  typed: TypedInputs,
  users: number,
  proved: Interval,
  { excessOf, valueOf, slack: usual }: Look,
): TwoMessagesEnds {
  const slack = users > MANY_USERS ? WIDER * usual : usual;
  let upper = proved.lower * (1 + slack);
  let worst: TwoMessagesEnds['worst'] = null;
  const orders = twoMessagesOf(typed, users);
  if (orders === null) return { upper: Infinity, worst };
  let left = MOST_TERMS;
  const excessAt = (coins: ComposedCoins, value: number): number => {
    left -= termsOf(coins);
    return left > 0 ? excessOf(coins, value) : Infinity;
  };
  const raise = (order: TwoMessages, coins: ComposedCoins): void => {
    const value = valueOf(coins, upper);
    if (value.lower > (worst?.value ?? proved.lower))
      worst = { value: value.lower, label: labelOf(order, coins) };
    upper = Math.max(upper, value.upper * (1 + slack));
  };
  for (const order of orders) {
    // One that is about the worst saves going up step by step.
    const from = upper > 0 ? upper : proved.upper;
    const excesses = spread(order, users).map((coins) => [coins, excessAt(coins, from)] as const);
    const [most, excess] = excesses.reduce((best, next) => (next[1] > best[1] ? next : best));
    if (left > 0 && (excess > 0 || upper === 0)) raise(order, most);
    let first = 0;
    for (;;) {
      if (left <= 0 || !(upper < proved.upper)) return { upper: Infinity, worst };
      const failing = firstFailing(order, users, first, (coins) => excessAt(coins, upper));
      if (failing === null) break;
      if (left > 0) raise(order, failing);
      first = failing.first.users + 1;
    }
  }
  return { upper, worst };
}

/** Some data sets, from all users of one law to all of the other. */
function spread({ victim, high, low }: TwoMessages, users: number): ComposedCoins[] {
  const others = users - 1;
  return Array.from({ length: SPREAD + 1 }, (_, i) => {
    const first = Math.round((i / SPREAD) * others);
    return { victim, first: { ...high, users: first }, second: { ...low, users: others - first } };
  });
}

/** About how many terms a sum has. */
function termsOf({ first, second }: ComposedCoins): number {
  const variance = first.users * first.heads * first.tails + second.users * second.heads * second.tails;
  return TERMS_OF_SUM + TERMS_OF_DEVIATION * Math.sqrt(variance);
}

function labelOf({ high, low }: TwoMessages, { first, second }: ComposedCoins): string {
  const groups = [
    { label: high.label, users: first.users },
    { label: low.label, users: second.users },
  ].toSorted((a, b) => Number(b.label === FIRST) - Number(a.label === FIRST));
  const [most, rest] = groups[0]!.users > 0 ? groups : groups.toReversed();
  const all = `all others hold ${most!.label}`;
  if (rest!.users === 0) return all;
  return `${all}, except ${rest!.users} that ${rest!.users === 1 ? 'holds' : 'hold'} ${rest!.label}`;
}

/** What the others hold, as other data sets call it. */
const [FIRST, SECOND] = ["the victim's first input", "the victim's second input"];

/** Both orders of each pair, one where they are alike; null where it does not apply. */
function twoMessagesOf(typed: TypedInputs, users: number): readonly TwoMessages[] | null {
  // Pairs that depend on the epsilon are of many messages, and take long to make.
  if (users - 1 > MOST_COINS || typed.pairsNear !== undefined || typed.rest?.length) return null;
  const { pairs } = typed;
  if (pairs.length === 0) return null;
  const orders = pairs.map(ordersOf);
  return orders.every((order) => order !== null) ? orders.flat() : null;
}

function ordersOf({ inputs, symmetric, revealed, uncovered, corners }: TypedPair): TwoMessages[] | null {
  const [any] = inputs;
  if (any === undefined || revealed || uncovered || corners) return null;
  if (!inputs.every((input) => sendsTwo(input) && hasSameVictim(input, any))) return null;
  const own = inputs.map(({ label, own: law, victim0, victim1 }) => ({
    label: law[0] === victim0[0] ? FIRST! : law[0] === victim1[0] ? SECOND! : label,
    ...coinOf(law, 0),
  }));
  const byHeads = own.toSorted((a, b) => a.heads - b.heads);
  const [low, high] = [byHeads[0]!, byHeads.at(-1)!];
  if (!(low.heads > 0 && high.tails > 0)) return null;
  const victims = [coinOf(any.victim0, 0), coinOf(any.victim1, 0)] as const;
  // Of the first input heads are the message that it sends more often.
  const [one, other] = victims;
  const forward =
    one.heads >= other.heads
      ? { victim: victims, high, low }
      : { victim: [turned(one), turned(other)] as const, high: turned(low), low: turned(high) };
  return symmetric ? [forward] : [forward, exchanged(forward)];
}

function sendsTwo({ victim0, victim1, own, hidden, buffer }: OtherInput): boolean {
  return [victim0, victim1, own].every(isLaw) && !hidden && buffer === undefined;
}

/** Messages are listed in one order. */
function hasSameVictim(one: OtherInput, other: OtherInput): boolean {
  return [0, 1].every((y) => one.victim0[y] === other.victim0[y] && one.victim1[y] === other.victim1[y]);
}

/** Whether both masses make up a law. */
function isLaw(masses: Float64Array): boolean {
  return masses.length === 2 && Math.abs(masses[0]! + masses[1]! - 1) <= 4 * ROUNDOFF;
}

function coinOf(masses: Float64Array, message: 0 | 1): VictimCoin {
  return { heads: masses[message]!, tails: masses[1 - message]! };
}

/** With the messages' names exchanged. */
function turned<Coin extends VictimCoin>(coin: Coin): Coin {
  return { ...coin, heads: coin.tails, tails: coin.heads };
}

/** The victim's inputs in the other order, and so the other message as heads. */
function exchanged({ victim: [one, other], high, low }: TwoMessages): TwoMessages {
  return { victim: [turned(other), turned(one)], high: turned(low), low: turned(high) };
}

/**
 * The first data set, from `from` users of the first law on, that is not seen to be below a value; null where
 * all are. Data sets in a row share users of either law: the messages of all others are told, which only adds
 * to the divergence.
 *
 * @param excessOf in logarithms of delta
 */
function firstFailing(
  { victim, high, low }: TwoMessages,
  users: number,
  from: number,
  excessOf: (coins: ComposedCoins) => number,
): ComposedCoins | null {
  const others = users - 1;
  const row = (first: number, further: number): ComposedCoins => ({
    victim,
    first: { ...high, users: first },
    second: { ...low, users: others - first - further },
  });
  let further = Math.ceil(others / FIRST_ROWS);
  // By how much one more user in a row adds to the excess, about.
  let slope = NaN;
  for (let first = from; first <= others;) {
    further = Math.min(further, others - first);
    let excess = excessOf(row(first, further));
    while (!(excess <= 0)) {
      if (further === 0) return row(first, 0);
      const longest = Math.min(further - 1, Math.floor(0.9 * further));
      const fewer = Math.min(longest, Math.max(0, Math.floor(NEARLY * (further - excess / slope)))) || 0;
      const before = excess;
      excess = excessOf(row(first, fewer));
      slope = (before - excess) / (further - fewer);
      further = fewer;
    }
    first += further + 1;
    const reached = NEARLY * (further - excess / slope);
    further = reached < MOST_GROWTH * further ? Math.floor(reached) : 2 * further + 1;
  }
  return null;
}
