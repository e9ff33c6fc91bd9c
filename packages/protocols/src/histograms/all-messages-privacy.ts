/**
 * Central privacy of one data message among the blankets and the data messages of all other users, which hide it as well: two
 * groups of senders, each with a blanket of its own (docs/personalized.md). Sharper than the blankets alone from above, and
 * from below an exact test on the data set in which all others hold a third category.
 */
import type { Interval } from '@shuffle-dp/core';
import { personalizedPrivacy } from '@shuffle-dp/accounting';

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

/**
 * @param epsilon0 budget of a data message alone in nats, finite
 * @param blankets at least 1
 */
export function allMessagesEpsilon(
  { victim0, victim1, blanket, leastOther, thirdCategory }: MessageCells,
  epsilon0: number,
  users: number,
  blankets: number,
  delta: number,
): Interval {
  const law = (masses: Float64Array) => ({ masses });
  const { groups } = personalizedPrivacy(
    [
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
    ],
    delta,
  );
  return groups[0]!.epsilon;
}
