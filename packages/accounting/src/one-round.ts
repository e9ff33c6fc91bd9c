/**
 * What a user is told: the bracket of a mechanism's privacy after shuffling, from sound bounds only. From
 * above by the blanket of the concrete randomizer (docs/soundness.md, F1 and F2), from below by data sets
 * whose other users all hold one value (F3). How far the ends lie apart is what is not known.
 */
import {
  interval,
  provedInterval,
  requireInteger,
  requireNonNegative,
  requireProbability,
  requireTarget,
  type AmplificationProfile,
  type Interval,
  type LikelihoodAtoms,
  type Target,
} from '@shuffle-dp/core';
import { requireMasses } from './require-masses.ts';
import { worstDelta, worstEpsilon, type SearchHints } from './search/worst-atoms.ts';

/** The local budget, and how an epsilon is looked for. */
export type CertifiedOptions = SearchHints;

/**
 * Bracket of the divergence at epsilon of the worst pair of neighbouring data sets (replace-one). The upper
 * end is 1 where no blanket is given. What is given is believed: whether masses of a mechanism of one's own
 * can be a blanket, `massesFault` tells.
 * @throws ParameterError for users < 1 or epsilon < 0
 * @example certifiedDelta(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification(), 1000, 0.2) // { lower: 1.0709e-12, upper: 1.17629e-12 }
 */
export function certifiedDelta(
  profile: AmplificationProfile,
  users: number,
  epsilon: number,
  { epsilon0 = Infinity, relativeGap }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireNonNegative('epsilon', epsilon);
  requireMasses(profile, epsilon0);
  if (epsilon >= epsilon0) return interval(0, 0);
  const { blanket, homogeneous } = profile;
  const upper = blanket.length > 0 ? worstDelta(blanket, users, epsilon, 'upper', relativeGap).value : 1;
  const lower = worstDelta(homogeneous, users, epsilon, 'lower', relativeGap).value;
  return between('delta', lower, upper);
}

/**
 * Bracket of the smallest epsilon at which the mechanism is (epsilon, delta)-DP after shuffling
 * (replace-one). The upper end is infinity where no epsilon up to 700 will do, as where nothing hides the
 * victim, and the local budget where no blanket is given. What is given is believed, as by `certifiedDelta`.
 * @throws ParameterError for users < 1 or delta outside [0, 1]
 * @example certifiedEpsilon(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification(), 1000, 1e-6) // { lower: 0.117729, upper: 0.117824 }
 */
export function certifiedEpsilon(
  profile: AmplificationProfile,
  users: number,
  delta: number,
  { epsilon0 = Infinity, ...hints }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  requireMasses(profile, epsilon0);
  if (profile.blanket.length === 0 && delta < 1) {
    const lower = worstEpsilon(profile.homogeneous, users, delta, 'lower', { epsilon0, ...hints }).value;
    return between('epsilon', lower, epsilon0);
  }
  return epsilonBracket(profile.blanket, profile.homogeneous, users, delta, { epsilon0, ...hints });
}

/** A lower end, and the data set that attains it. */
export interface WorstDataSet {
  readonly value: number;
  readonly label: string;
}

/**
 * The lower end of `certifiedDelta` or `certifiedEpsilon` with its data set.
 * @param homogeneous at least one
 * @throws ParameterError as those
 * @example worstEqualData(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification().homogeneous, 1000, { delta: 1e-6 }).label // 'all others hold a third value'
 */
export function worstEqualData(
  homogeneous: AmplificationProfile['homogeneous'],
  users: number,
  target: Target,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): WorstDataSet {
  requireInteger('users', users, 1);
  requireTarget(target);
  if ('epsilon' in target && target.epsilon >= epsilon0) return { value: 0, label: homogeneous[0]!.label };
  const { value, index } =
    'delta' in target
      ? worstEpsilon(homogeneous, users, target.delta, 'lower', { epsilon0 })
      : worstDelta(homogeneous, users, target.epsilon, 'lower');
  return { value, label: homogeneous[index]!.label };
}

/**
 * Bracket of the epsilon at `delta` of the worst of these atoms, in formula F1: what it bounds, and from
 * which side, the atoms decide. @throws ParameterError as `certifiedEpsilon`
 * @example blanketEpsilon(generalizedRandomizedResponse({ domain: 4, epsilon0: 1 }).amplification().blanket, 1000, 1e-6) // { lower: 0.117824, upper: 0.117824 }
 */
export function blanketEpsilon(
  atomsList: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  { epsilon0 = Infinity }: CertifiedOptions = {},
): Interval {
  requireInteger('users', users, 1);
  requireProbability('delta', delta);
  return epsilonBracket(atomsList, atomsList, users, delta, { epsilon0 });
}

/** From above by the worst of one list of atoms, from below by the worst of the other. */
function epsilonBracket(
  above: readonly LikelihoodAtoms[],
  below: readonly LikelihoodAtoms[],
  users: number,
  delta: number,
  options: CertifiedOptions,
): Interval {
  const { epsilon0 = Infinity } = options;
  const upper = Math.min(epsilon0, worstEpsilon(above, users, delta, 'upper', options).value);
  const lower = worstEpsilon(below, users, delta, 'lower', options).value;
  return between('epsilon', lower, upper);
}

function between(quantity: 'delta' | 'epsilon', lower: number, upper: number): Interval {
  return provedInterval(
    quantity,
    { name: 'equal users, F3', value: lower },
    {
      name: quantity === 'epsilon' ? 'the blanket, F2, or the local budget' : 'the blanket, F2',
      value: upper,
    },
  );
}
