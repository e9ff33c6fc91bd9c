/**
 * Drop-outs where the messages of a user are not one message, or users differ: the number of those who stay
 * is given away, and is but for a small probability not below a number that is planned for (docs/threats.md,
 * "Conditioning").
 */
import { logBinomialLowerTail, Real, lastWhere } from '@shuffle-dp/core';

export interface Participants {
  /** So many stay at least, the one whose privacy is meant included. */
  readonly users: number;
  /** Probability that fewer do. */
  readonly missed: number;
}

/**
 * The most participants that are missed with probability `missed` at most.
 * @param users at least 1, one of whom stays for sure
 * @param dropout in [0, 1)
 * @param missed in (0, 1)
 */
export function leastParticipants(users: number, dropout: number, missed: number): Participants {
  if (dropout === 0 || users === 1) return { users, missed: 0 };
  const others = users - 1;
  /** Probability that k of the others or fewer stay. */
  const atMost = (k: number): number =>
    k < 0 ? 0 : Real.exp(logBinomialLowerTail(k, others, 1 - dropout)) * (1 + 1e-9);
  // The largest k with Pr[K < k] <= missed.
  const inside = lastWhere(0, others + 1, (k) => atMost(k - 1) <= missed);
  return { users: 1 + inside, missed: atMost(inside - 1) };
}
