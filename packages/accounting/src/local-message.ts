/**
 * What messages give away by themselves: shuffled messages are made from them without their values, so that
 * they bound them (docs/soundness.md, "One message alone").
 */
import { exactly, gaussianDivergenceUpper, type Target } from '@shuffle-dp/core';
import { epsilonAtDelta } from './privacy-profile.ts';

/** What one user sends in `count` rounds. */
export interface LocalRounds {
  /** Local budget of one message in nats; infinity where it has none. */
  readonly epsilon0: number;
  /** Of normal noise, how many deviations the two values of the victim lie apart; absent for other noise. */
  readonly localSeparation?: number;
  readonly count: number;
}

/**
 * Upper bound of the epsilon at `delta` of normal noise of deviation 1 at two values `separation` apart;
 * infinity at a delta of 0.
 * @throws ParameterError unless delta is in [0, 1]
 * @example localMessageEpsilon(1, 1e-6) // 4.88655
 */
export function localMessageEpsilon(separation: number, delta: number): number {
  // Tails of doubles end 39 deviations out.
  const epsilonMax = separation * (separation / 2 + DEEPEST) + 1;
  return epsilonAtDelta((epsilon) => exactly(gaussianDivergenceUpper(separation, epsilon)), delta, {
    epsilonMax,
  }).upper;
}

const DEEPEST = 40;

/**
 * Upper bound of what is asked of the target for all messages of one user, of rounds that may be chosen by
 * what was seen before. Normal noise adds up to that of the root of the sum of squared separations (Dong,
 * Roth and Su 2022, Corollary 3.3), and pure budgets are added to its epsilon.
 *
 * @example localMessagesBound([{ epsilon0: Infinity, localSeparation: 0.5, count: 4 }], { delta: 1e-6 }) // 4.88655
 */
export function localMessagesBound(rounds: readonly LocalRounds[], target: Target): number {
  let [pure, squares] = [0, 0];
  for (const { epsilon0, localSeparation, count } of rounds) {
    if (localSeparation === undefined) pure += count * epsilon0;
    else squares += count * localSeparation * localSeparation;
  }
  const rounding = 1 + (rounds.length + 4) * Number.EPSILON;
  const separation = Math.sqrt(squares) * rounding;
  pure *= rounding;
  if ('delta' in target) return pure + localMessageEpsilon(separation, target.delta);
  return target.epsilon < pure ? 1 : gaussianDivergenceUpper(separation, target.epsilon - pure);
}
