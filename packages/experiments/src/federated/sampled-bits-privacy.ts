/**
 * What a training by sampled bits gives away: all users have one budget, and a round is a few shuffled
 * messages of each.
 */
import {
  certifiedComposedEpsilon,
  composedEpsilon,
  variationRatioBound,
  type MechanismRounds,
} from '@shuffle-dp/accounting';
import { interval } from '@shuffle-dp/core';
import { bitLevels, type SampledBitsSpec } from '@shuffle-dp/protocols';
import { counted } from '../words/counted.ts';
import type { FrameworkPrivacy } from './framework-privacy.ts';
import { roundsServed, type LearningConfig } from './learning-schema.ts';

/** The width that a statement shows. */
const WIDTH = { relativeWidth: 1e-2 };

/**
 * Of a user's whole gradient in one round, and over all rounds they serve: each level of each round is one
 * shuffled message, composed with the others by certified ends. Rounding to bits is the user's own and before
 * the randomizer. The bits of the other users, once drawn, are data that are the same under both hypotheses.
 * The lower end is that of gradients at opposite corners of the clip range.
 *
 * @param spec messageBudget is given @throws ParameterError
 */
export function sampledBitsPrivacy(
  config: LearningConfig,
  spec: Omit<SampledBitsSpec, 'clipBound'>,
  dimensions: number,
): FrameworkPrivacy {
  const { privacy, usersPerRound: users } = config;
  const served = roundsServed(config);
  const levels = bitLevels(dimensions, spec);
  const roundsOf = (times: number): readonly MechanismRounds[] =>
    levels.map(({ randomizer }) => ({
      amplification: randomizer.amplification(),
      epsilon0: randomizer.epsilon0,
      users,
      count: times,
    }));
  const once = roundsOf(1);
  const claimed = (times: number, delta: number): number =>
    composedEpsilon(
      once.map(({ amplification }) => ({ pair: amplification.variationRatio!, users, count: times })),
      delta,
      WIDTH,
    ).upper;
  const verdicts = once.map((round) => variationRatioBound.verdict({ ...round, epsilon0: round.epsilon0! }));
  const bits = levels.reduce((sum, { randomizer }) => sum + randomizer.sampled, 0);
  return {
    local: interval(spec.messageBudget, spec.messageBudget),
    dimension: certifiedComposedEpsilon(once, privacy.delta, WIDTH),
    user: Math.min(
      served * spec.messageBudget,
      certifiedComposedEpsilon(roundsOf(served), privacy.userDelta, WIDTH).upper,
    ),
    published: claimed(1, privacy.delta),
    publishedSound: verdicts.every(({ sound }) => sound === true)
      ? true
      : verdicts.some(({ sound }) => sound === false)
        ? false
        : 'unproven',
    publishedUser: claimed(served, privacy.userDelta),
    publishedUserDelta: privacy.userDelta,
    note: `of the whole gradient: ${counted(bits, 'bit')} of ${dimensions.toLocaleString('en')} in ${counted(levels.length, 'message')} a round, in ${counted(served, 'round')}`,
  };
}
