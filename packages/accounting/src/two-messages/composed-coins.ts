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
  const expEpsilon = Real.exp(epsilon);
  // P - e^epsilon Q of more than x heads is gain Pr[S = x] - loss Pr[S > x].
  const gain = around(one.heads, expEpsilon * other.heads);
  if (!(gain.upper > 0)) return interval(0, 0);
  // No event has a larger probability than all of them.
  const unknown = interval(0, Math.min(1, gain.upper));
  const users = first.users + second.users;
  if (!((gain.upper - gain.lower) * FEWEST_DIGITS * users < gain.upper)) return unknown;
  const loss = Real.expm1(epsilon);
  let at = Math.min(users, Math.max(0, saddlePoint([one, other], [first, second], expEpsilon)));
  let best: Interval | null = null;
  // What events of more than x heads tell rises with x, and then falls.
  for (let step = 0; step < MOST_STEPS && best === null; step++) {
    const { before, at: here, after, logScale } = coinSumsAt(first, second, at);
    if (logScale < LOG_LEAST) return unknown;
    const scale = Real.exp(logScale);
    const value = eventOf(here, gain, loss, scale);
    if (at < users && eventOf(after, gain, loss, scale).upper > value.upper) at++;
    else if (at > 0 && eventOf(before, gain, loss, scale).upper > value.upper) at--;
    else best = value;
  }
  // An event that tells nothing is not next to the worst one.
  if (!(best && best.upper > 0)) return unknown;
  return interval(Math.min(1, Math.max(0, best.lower)), Math.min(1, best.upper));
}

function eventOf({ mass, above }: CoinSum, gain: Interval, loss: number, scale: number): Interval {
  const rounding = 8 * ROUNDOFF;
  const lower = gain.lower * mass.lower - loss * above.upper * (1 + rounding);
  const upper = gain.upper * mass.upper * (1 + rounding) - loss * above.lower * (1 - rounding);
  return {
    lower: (lower - Math.abs(lower) * rounding) * scale,
    upper: (upper + Math.abs(upper) * rounding) * scale,
  };
}

/** A difference of two numbers that are each off by some roundings. */
function around(a: number, b: number): Interval {
  const rounding = 8 * ROUNDOFF * (a + b);
  return { lower: a - b - rounding, upper: a - b + rounding };
}

/** About where Pr[S = y] falls by the factor at which the worst event begins. */
function saddlePoint(
  [one, other]: ComposedCoins['victim'],
  groups: readonly Coins[],
  expEpsilon: number,
): number {
  const tilt = (expEpsilon * other.tails - one.tails) / (one.heads - expEpsilon * other.heads);
  if (!(tilt > 0 && tilt < Infinity)) return groups.reduce((sum, { users }) => sum + users, 0);
  return Math.round(
    groups.reduce(
      (sum, { users, heads, tails }) => sum + (users * heads * tilt) / (tails + heads * tilt),
      0,
    ) - 0.5,
  );
}
