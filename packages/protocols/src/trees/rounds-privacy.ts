/** What all rounds of shuffled histograms give away together, and how many messages a target asks for. */
import { composedEpsilon, type CompositionOptions } from '@shuffle-dp/accounting';
import {
  interval,
  OutOfRegimeError,
  requirePositive,
  requireOpenUnit,
  type PrivacyStatement,
} from '@shuffle-dp/core';

import type { ShuffledRounds } from './tree-rounds.ts';

/**
 * An upper bound on epsilon at `delta`, proved for adaptive rounds: each round's pair bounds it whatever the
 * earlier rounds showed. The pair of one round is exact where the other users avoid the victim's cells; a
 * tree that stops early gives away less.
 * @throws ParameterError
 */
export function roundsPrivacy(
  rounds: readonly ShuffledRounds[],
  delta: number,
  options: CompositionOptions = {},
): PrivacyStatement {
  requireOpenUnit('delta', delta);
  const count = rounds.reduce((sum, round) => sum + round.count, 0);
  return Object.freeze({
    epsilon: interval(0, composedEpsilon(rounds, delta, options).upper),
    delta,
    accountant: 'composition',
    theorem:
      'balls into bins as a variation-ratio pair (Wang et al. 2025, section 8.2), composed with certified ends',
    status: 'certified',
    sound: true,
    adjacency: 'replace-one',
    unit: `one user, all their messages, over ${count} rounds`,
    view: 'the shuffled messages of all users, round by round',
  });
}

/** The largest upper end of several variants, of which a statement must cover each. @throws ParameterError */
export function worstEpsilonOfRounds(
  variants: readonly (readonly ShuffledRounds[])[],
  delta: number,
  options: CompositionOptions = {},
): number {
  return Math.max(...variants.map((rounds) => roundsPrivacy(rounds, delta, options).epsilon.upper));
}

/** More blanket messages than this are no plan. */
const MOST_MESSAGES = 1_000_000;

/**
 * The least m with which a user's messages over all rounds meet central (epsilon, delta); at least 2.
 * @param roundsAt all rounds with m messages of a user in each, such as those of `forestRounds`; of each
 * variant that must meet them
 * @throws ParameterError, OutOfRegimeError where it would be a million or more
 */
export function leastMessagesPerUser(
  roundsAt: (messagesPerUser: number) => readonly (readonly ShuffledRounds[])[],
  epsilon: number,
  delta: number,
  options: CompositionOptions = {},
): number {
  requirePositive('epsilon', epsilon);
  const reached = (messagesPerUser: number): number =>
    worstEpsilonOfRounds(roundsAt(messagesPerUser), delta, options);
  let tooFew = 1;
  let enough = MOST_MESSAGES;
  for (let tried = 2, turn = 0; enough - tooFew > 1; turn++) {
    const least = reached(tried);
    if (least <= epsilon) enough = tried;
    else tooFew = tried;
    // Epsilon falls about as the square root of the blanket messages; every third time the bracket is halved.
    const guess = 1 + (tried - 1) * Math.min(64, (least / epsilon) ** 2);
    const next = turn % 3 === 2 && enough < MOST_MESSAGES ? (tooFew + enough) / 2 : guess;
    tried = Math.min(enough - 1, Math.max(tooFew + 1, Math.floor(next)));
  }
  if (enough === MOST_MESSAGES) {
    throw new OutOfRegimeError(
      'Balls into bins',
      `more than ${MOST_MESSAGES} messages per user and round for epsilon = ${epsilon}`,
      'so many are the most',
      'ask for fewer rounds',
    );
  }
  return enough;
}
