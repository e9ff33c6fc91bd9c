/** What all rounds of a tree or a forest give away together, beside its accuracy. */
import { composedEpsilon, type CompositionOptions } from '@shuffle-dp/accounting';
import { interval, type PrivacyStatement } from '@shuffle-dp/core';
import { requireOpenUnit } from '../setting.ts';
import type { ShuffledRounds } from './tree-rounds.ts';

/**
 * An upper bound on epsilon at `delta`, proved for adaptive rounds: each round's pair bounds it whatever the earlier rounds showed. The
 * pair of one round is exact where the other users avoid the victim's cells; a tree that stops early gives away less.
 * @throws ParameterError
 */
export function forestPrivacy(
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
