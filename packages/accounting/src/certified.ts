/**
 * What a user is told: the bracket of a mechanism's privacy after shuffling, from sound bounds only. From above by the
 * blanket of the concrete randomizer, from below by data sets whose other users all hold one value.
 */
import { interval, type AmplificationProfile, type Interval } from '@shuffle-dp/core';
import { blanketDivergence } from './privacy-blanket.ts';
import { epsilonAtDelta } from './privacy-profile.ts';

export interface CertifiedOptions {
  /** The local budget, where the randomizer has one: no bound exceeds it. */
  readonly epsilon0?: number;
}

/** Bracket of the divergence at epsilon of the worst pair of neighbouring data sets (replace-one). */
export function certifiedDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  if (epsilon >= epsilon0) return interval(0, 0);
  let upper = 0;
  for (const atoms of profile.blanket) {
    upper = Math.max(upper, blanketDivergence(atoms, users, epsilon, { ends: 'upper' }).upper);
  }
  let lower = 0;
  for (const atoms of profile.homogeneous) {
    lower = Math.max(lower, blanketDivergence(atoms, users, epsilon, { ends: 'lower' }).lower);
  }
  return interval(Math.min(lower, upper), upper);
}

/** Bracket of the smallest epsilon at which the mechanism is (epsilon, delta)-DP after shuffling. */
export function certifiedEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  const search = { epsilonMax: Math.min(epsilon0, 700), relativeTolerance: 1e-9 };
  const each = (list: AmplificationProfile['blanket'], ends: 'upper' | 'lower'): Interval[] =>
    list.map((atoms) =>
      epsilonAtDelta(
        (epsilon) => oneEnd(blanketDivergence(atoms, users, epsilon, { ends }), ends),
        delta,
        search,
      ),
    );
  const upper = Math.min(
    epsilon0,
    Math.max(0, ...each(profile.blanket, 'upper').map((bracket) => bracket.upper)),
  );
  const lower = Math.max(0, ...each(profile.homogeneous, 'lower').map((bracket) => bracket.lower));
  return interval(Math.min(lower, upper), upper);
}

/** The wanted end on both sides, so that one search serves either. */
function oneEnd(bracket: Interval, end: 'upper' | 'lower'): Interval {
  return { lower: bracket[end], upper: bracket[end] };
}
