/**
 * The divergence of a data set whose users send one of two messages: the victim among users of two laws
 * (docs/sharp-bound.md, "Two messages"). What is seen is the number of heads, whose ratio rises with it, so
 * the worst event is that of many heads.
 */
import { interval, Real, ROUNDOFF, type Interval } from '@shuffle-dp/core';
import { coinSumsAt, type Coins, type CoinSum } from './coin-sum.ts';

/** The victim's probabilities of heads and tails under one input. */
export type VictimCoin = Pick<Coins, 'heads' | 'tails'>;

/** A victim whose first input sends heads more often than the second, among two groups of users. */
export interface ComposedCoins {
  readonly victim: readonly [VictimCoin, VictimCoin];
  readonly first: Coins;
  readonly second: Coins;
}

/** More users are left to other bounds: beyond, roundings may hide where the worst event begins. */
export const MOST_COINS = 5e6;
/** A gain with fewer digits, for each user, hides it too. */
const FEWEST_DIGITS = 16;
/** From the saddle point to the worst event: mostly one or none. */
const MOST_STEPS = 50;
/** Below, in logarithms, probabilities leave the doubles. */
const LOG_LEAST = -690;

/**
 * Bracket of sum over what is seen of (P - e^epsilon Q)_+, P under the victim's first input, for at most
 * `MOST_COINS` others; epsilon in nats.
 */
export function composedDivergence(
  { victim: [one, other], first, second }: ComposedCoins,
  epsilon: number,
): Interval {
  const loss = Real.expm1(epsilon);
  if (!(loss < Infinity)) return interval(0, 1);
  // P - e^epsilon Q of more than x heads is gain Pr[S = x] - loss Pr[S > x].
  const gain = gainOf(one, other, loss);
  if (gain.upper <= 0) return interval(0, 0);
  // No event has a larger probability than all of them.
  const unknown = interval(0, Math.min(1, gain.upper));
  const users = first.users + second.users;
  if (!((gain.upper - gain.lower) * FEWEST_DIGITS * users < gain.upper)) return unknown;
  let at = Math.min(users, Math.max(0, saddlePoint([first, second], (gain.upper + loss) / gain.upper)));
  // What events of more than x heads tell rises with x, and then falls.
  for (let step = 0; step < MOST_STEPS; step++) {
    const { before, at: here, after, logScale } = coinSumsAt(first, second, at);
    const value = eventOf(here, gain, loss);
    if (!(Math.abs(value.lower) < Infinity && value.upper < Infinity)) return unknown;
    if (at < users && eventOf(after, gain, loss).upper > value.upper) at++;
    else if (at > 0 && eventOf(before, gain, loss).upper > value.upper) at--;
    // An event that tells nothing is not next to the worst one.
    else return value.upper > 0 ? scaled(value, logScale) : unknown;
  }
  return unknown;
}

/** h - e^epsilon l without cancelling: by the tails where these are the rarer. */
function gainOf(one: VictimCoin, other: VictimCoin, loss: number): Interval {
  const byTails = one.tails + other.tails < one.heads + other.heads;
  const [more, less] = byTails ? [other.tails, one.tails] : [one.heads, other.heads];
  const lost = loss * other.heads;
  const rounding = 8 * ROUNDOFF * (more + less + lost);
  return { lower: more - less - lost - rounding, upper: more - less - lost + rounding };
}

function eventOf({ mass, above }: CoinSum, gain: Interval, loss: number): Interval {
  const rounding = 8 * ROUNDOFF;
  const lower = gain.lower * mass.lower - loss * above.upper * (1 + rounding);
  const upper = gain.upper * mass.upper * (1 + rounding) - loss * above.lower * (1 - rounding);
  return { lower: lower - Math.abs(lower) * rounding, upper: upper + Math.abs(upper) * rounding };
}

function scaled({ lower, upper }: Interval, logScale: number): Interval {
  const rounding = 8 * ROUNDOFF;
  const scale = Real.exp(Math.max(LOG_LEAST, logScale));
  const least = logScale < LOG_LEAST ? 0 : Math.max(0, lower) * scale * (1 - rounding);
  return interval(Math.min(1, least), Math.min(1, upper * scale * (1 + rounding)));
}

/** About where Pr[S = y] falls by the factor at which the worst event begins: the mean of S, tilted by it. */
function saddlePoint(groups: readonly Coins[], tilt: number): number {
  const mean = groups.reduce(
    (sum, { users, heads, tails }) => sum + (users * heads) / (tails / tilt + heads),
    0,
  );
  return Math.round(mean - 0.5);
}
