/**
 * Users who collude with the analyzer, and users who stay away: what is left to hide the honest who stay
 * (docs/threats.md).
 */
import {
  requireInteger,
  requireShare,
  type AmplificationProfile,
  type LikelihoodAtoms,
} from '@shuffle-dp/core';
import { changedEnds } from '../blanket/cell-ends.ts';
import { knownBlankets } from '../variation-ratio/corrected-variation-ratio.ts';

export interface Threats {
  /** Fraction of the users, in [0, 1), who give their messages away or send what they like; default 0. */
  readonly colluding?: number;
  /**
   * Probability, in [0, 1), with which each other user stays away, independently and whatever they hold;
   * default 0.
   */
  readonly dropout?: number;
  /**
   * Whose privacy is meant: that of a user who took part (default), or of one who may have stayed away as
   * well, which hides besides.
   */
  readonly victim?: 'present' | 'may be absent';
}

/** What an accountant takes instead of the profile and the number of users. */
export interface ThreatenedProfile {
  readonly profile: AmplificationProfile;
  /** The honest ones, the victim included. */
  readonly users: number;
}

/**
 * Refuses shares of colluding users and of users who stay away that are not in [0, 1).
 *
 * @throws ParameterError naming the field
 */
export function requireThreats({ colluding = 0, dropout = 0 }: Threats): void {
  requireShare('colluding', colluding);
  requireShare('dropout', dropout);
}

/** So many of these users are that share of them, rounded up. */
export function collusion(users: number, colluding: number): number {
  // Products such as 0.07 * 100 land just above their integer.
  return Math.ceil(colluding * users * (1 - 1e-12));
}

/**
 * Users who do not collude, at least the victim.
 *
 * @throws ParameterError
 * @example honestUsers(1000, 0.1) // 900
 */
export function honestUsers(users: number, colluding = 0): number {
  requireInteger('users', users, 1);
  requireThreats({ colluding });
  return Math.max(1, users - collusion(users, colluding));
}

/**
 * The profile and the number of users with which one-round accountants certify the honest who stay: from
 * above for every data set, from below by the same data sets of equal users. Inputs of the others by types
 * are left out where users stay away.
 * @throws ParameterError
 */
export function underThreats(
  profile: AmplificationProfile,
  users: number,
  threats: Threats,
): ThreatenedProfile {
  requireThreats(threats);
  const { dropout = 0, victim = 'present' } = threats;
  const honest = honestUsers(users, threats.colluding);
  if (dropout === 0) return { profile, users: honest };
  const thinned = (atoms: LikelihoodAtoms): LikelihoodAtoms =>
    victim === 'present' ? withoutAbsent(atoms, dropout) : withNothingSent(atoms, dropout);
  return {
    users: honest,
    profile: {
      variationRatio: null,
      blanket: knownBlankets(profile).map(thinned),
      homogeneous: profile.homogeneous.map(thinned),
    },
  };
}

/** Masses of the others times the probability to stay: a slot of one who is absent shows nothing. */
function withoutAbsent(atoms: LikelihoodAtoms, dropout: number): LikelihoodAtoms {
  const { others, cellEnds } = atoms;
  const stays = 1 - dropout;
  return {
    ...atoms,
    others: others.map((mass) => mass * stays),
    silent: dropout + stays * silentOf(atoms),
    ...changedEnds(cellEnds, (ratios) => ratios.map((ratio) => ratio / stays)),
  };
}

/** Masses times `factor`, with "nothing" as one output more. */
export function extendedByNothing(masses: Float64Array, factor: number, nothing: number): Float64Array {
  return Float64Array.from([...masses.map((mass) => mass * factor), nothing]);
}

/** All users alike: "nothing" is one output more, of which everyone is sure to give the same mass. */
function withNothingSent(atoms: LikelihoodAtoms, dropout: number): LikelihoodAtoms {
  const { victim0, victim1, others, cellEnds } = atoms;
  const stays = 1 - dropout;
  const thinned = (masses: Float64Array): Float64Array => extendedByNothing(masses, stays, dropout);
  return {
    ...atoms,
    victim0: thinned(victim0),
    victim1: thinned(victim1),
    others: thinned(others),
    silent: stays * silentOf(atoms),
    // Ratios stay: both laws have the factor.
    ...changedEnds(cellEnds, (ratios) => extendedByNothing(ratios, 1, 1)),
  };
}

function silentOf({ others, silent }: LikelihoodAtoms): number {
  return silent ?? Math.max(0, 1 - others.reduce((sum, mass) => sum + mass, 0));
}
