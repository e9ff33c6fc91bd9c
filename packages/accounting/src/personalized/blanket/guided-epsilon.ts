/**
 * The epsilon of a profile that takes long: evaluated where a quick curve near it points, and as far from
 * there as the last evaluations say. The quick curve proves nothing; what is returned is certified by the
 * profile.
 */
import { Real } from '@shuffle-dp/core';
import { epsilonAtDelta, type EpsilonSearch, type PrivacyProfile } from '../../privacy-profile.ts';

export interface GuidedProfile {
  /** The certified delta(epsilon), in its upper end. */
  readonly profile: PrivacyProfile;
  /** Near it, and quicker. */
  readonly guide: PrivacyProfile;
}

/** How far the guide was from the profile, for the next search, of a profile alike. */
export interface Guidance {
  /** The guide over the profile, where both were compared last; 1 at first. */
  ratio: number;
  /** Where a guide led nowhere: the epsilon that the profile alone has, over the largest one. */
  misled?: number;
}

export interface GuidedSearch extends EpsilonSearch {
  readonly epsilonMax: number;
  /** A delta this near the one asked for, relative to it, ends the search; in (0, 1). */
  readonly closeEnough: number;
  /** An epsilon from here on is not looked for: infinity is returned. */
  readonly unless: number;
}

/** Of an epsilon: before the guide is compared with the profile, its own may be so much larger. */
const FAR_FROM_IT = 1.01;

/** Relative to epsilon, where a guide that jumps is left: the profile is further from it. */
const SLOW_GUIDE = 1e-4;

/** Evaluations of the profile, before it is searched without a guide. */
const MOST_ATTEMPTS = 6;

/** An epsilon whose delta is near the one asked for, from above; infinity where none below `unless` is. */
export function guidedEpsilon(
  { profile, guide }: GuidedProfile,
  delta: number,
  search: GuidedSearch,
  guidance: Guidance,
): number {
  const { epsilonMax, closeEnough, unless } = search;
  const unguided = (start: EpsilonSearch): number => {
    const found = epsilonAtDelta(profile, delta, { ...search, ...start }).upper;
    if (found > 0 && found < epsilonMax) guidance.misled = found / epsilonMax;
    return found;
  };
  if (guidance.misled !== undefined) return unguided({ near: guidance.misled * epsilonMax });
  // In the middle of what is close enough.
  const aim = ((1 + closeEnough) / 2) * delta;
  let start: EpsilonSearch = {};
  let next = NaN;
  let last: Evaluated | null = null;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
    const goal = Math.min(1, aim * guidance.ratio);
    const led = { ...search, ...start, slowTolerance: SLOW_GUIDE };
    const epsilon = next > 0 ? next : epsilonAtDelta(guide, goal, led).upper;
    if (!(epsilon <= epsilonMax)) break;
    if (epsilon >= unless * (last ? 1 : FAR_FROM_IT)) return Infinity;
    if (epsilon > 0) start = { near: epsilon };
    const { upper } = profile(epsilon);
    if (upper <= delta && (upper >= closeEnough * delta || epsilon === 0)) return epsilon;
    if (!(upper > 0)) break;
    if (!(next > 0)) guidance.ratio = goal / upper;
    const evaluated = { epsilon, logDelta: Real.log(upper) };
    next = last ? secant(last, evaluated, Real.log(aim)) : NaN;
    last = evaluated;
  }
  return unguided(start);
}

interface Evaluated {
  readonly epsilon: number;
  readonly logDelta: number;
}

/** Where the line through both has the value that is aimed at. */
function secant(a: Evaluated, b: Evaluated, aim: number): number {
  return b.epsilon + ((aim - b.logDelta) * (b.epsilon - a.epsilon)) / (b.logDelta - a.logDelta);
}
