/**
 * Central privacy of one data message among the blankets and the data messages of all other users, which hide
 * it as well: two groups of senders, each with a blanket of its own (docs/personalized.md). Sharper than the
 * blankets alone from above, and from below an exact test on the data set in which all others hold a third
 * category.
 */
import { interval, provedInterval, Real, type Interval } from '@shuffle-dp/core';
import {
  personalizedBlanketDelta,
  personalizedBlanketEpsilon,
  shuffledCountEpsilon,
  SURELY_MET,
  type BudgetGroup,
} from '@shuffle-dp/accounting';

/** Masses of messages cut into cells, for a victim with one of two categories. */
export interface MessageCells {
  readonly victim0: Float64Array;
  readonly victim1: Float64Array;
  /** Of a blanket message. */
  readonly blanket: Float64Array;
  /** That every other user's data message is sure to have. */
  readonly leastOther: Float64Array;
  /** Of the data message of a user who holds a third category. */
  readonly thirdCategory: Float64Array;
}

/** The messages of all users, as `allMessagesEpsilon` takes them. */
export interface AllMessages {
  readonly cells: MessageCells;
  /** Budget of a data message alone in nats, finite. */
  readonly epsilon0: number;
  readonly users: number;
  /** At least 1. */
  readonly blankets: number;
}

/** The victim's group, which is the first. */
const VICTIM = 0;

export function allMessagesEpsilon(messages: AllMessages, delta: number): Interval {
  if (delta === 1) return interval(0, 0);
  const groups = senders(messages);
  const upper = personalizedBlanketEpsilon(groups, VICTIM, delta);
  return provedInterval(
    'epsilon of a data message',
    { name: 'a test on the shuffled counts', value: shuffledCountEpsilon(groups, VICTIM, delta, upper) },
    { name: 'the reference density', value: upper },
  );
}

/**
 * For searches, in one evaluation: at most 0 only where `allMessagesEpsilon` is at most `epsilon` from above.
 * About the logarithm of its ratio to `epsilon`, as a divergence falls like that of normal noise.
 */
export function allMessagesExcess(messages: AllMessages, epsilon: number, delta: number): number {
  const divergence = personalizedBlanketDelta(senders(messages), VICTIM, epsilon, delta);
  const goal = SURELY_MET * delta;
  return Math.max(-1, Real.log(divergence / goal) / (2 * Math.max(1, -Real.log(goal))));
}

function senders({ cells, epsilon0, users, blankets }: AllMessages): readonly BudgetGroup[] {
  const { victim0, victim1, blanket, leastOther, thirdCategory } = cells;
  const law = (masses: Float64Array) => ({ masses });
  return [
    {
      budget: epsilon0,
      users,
      blanket: law(leastOther),
      pairs: [{ first: law(victim0), second: law(victim1), symmetric: true }],
      held: [thirdCategory],
    },
    {
      // Whoever sends these has nothing to hide: both inputs have one law.
      budget: epsilon0,
      users: blankets,
      blanket: law(blanket),
      pairs: [{ first: law(blanket), second: law(blanket), symmetric: true }],
      held: [blanket],
    },
  ];
}
