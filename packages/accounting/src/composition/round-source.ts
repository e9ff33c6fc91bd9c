/** One kind of round as composition needs it: its curves at the points of any lattice, and its accountant. */
import {
  gaussianSeparation,
  onDemand,
  ParameterError,
  requireInteger,
  type Interval,
  type VariationRatio,
} from '@shuffle-dp/core';
import { epsilonAtDelta, type PrivacyProfile } from '../privacy-profile.ts';
import {
  pairCells,
  variationRatioDivergence,
  variationRatioEpsilon,
} from '../variation-ratio/variation-ratio.ts';
import { outcomeCount, pairCurve } from './pair-curve.ts';
import {
  LARGEST_LOSS,
  sampledCurves,
  type CurvePair,
  type CurveWork,
  type ProvedEnds,
} from './sampled-curve.ts';

/**
 * `count` rounds of one curve, the larger of both directions and so that of a symmetric pair. Both ends of
 * the profile must enclose one and the same curve, convex in e^epsilon.
 */
export interface ProfileRounds {
  readonly profile: PrivacyProfile;
  readonly count: number;
  /** The smallest epsilon at a delta, where it is found faster than by a search of the profile. */
  readonly epsilonAt?: (delta: number) => Interval;
}

/**
 * `count` rounds of the shuffled variation-ratio pair among `users`. It bounds a mechanism only where
 * `variationRatioDivergence` does.
 */
export interface PairRounds {
  readonly pair: VariationRatio;
  readonly users: number;
  readonly count: number;
}

export type CompositionRounds = ProfileRounds | PairRounds;

/**
 * At which points of the lattice a curve is looked at: all of them; the fewer the further out; or, for a
 * composition of this tilt, few where losses are rare after tilting by e^(tilt loss).
 */
export type Closeness = 'everywhere' | 'near zero' | { readonly tilt: number };

export interface RoundSource {
  readonly count: number;
  /** Of its curves. */
  readonly proved: ProvedEnds;
  /** Whether the profile is a broken line between few points. */
  readonly isBroken?: boolean;
  /** The divergence of one round: of the forward direction, where the pair is not symmetric. */
  readonly profile: PrivacyProfile;
  epsilonAt(delta: number): Interval;
  /** About the standard deviation of one round's loss, from delta(0): a scale, no bound. */
  readonly deviation: number;
  /** Curves at multiples of `step`, up to where at most `tail` is left of delta beside infinite losses. */
  curves(step: number, tail: number, closeness: Closeness): CurvePair;
}

/** Beyond it the rounding of the transforms is no longer small. */
const MOST_ROUNDS = 1_000_000;

/**
 * @throws ParameterError for no rounds, counts that are not from 1 to 1e6, or parameters that a round refuses
 */
export function roundSources(rounds: readonly CompositionRounds[]): readonly RoundSource[] {
  if (rounds.length === 0) throw new ParameterError('rounds', '[]', 'a list of at least one round');
  return rounds.map((round) =>
    'pair' in round
      ? pairSource(round.pair, round.users, round.count)
      : profileSource(round.profile, null, round.count, round.epsilonAt),
  );
}

export interface ProfileTraits {
  readonly proved?: ProvedEnds;
  readonly isBroken?: boolean;
  /** To which the profiles add what they cost. */
  readonly work?: CurveWork;
}

/**
 * Rounds of a pair given by its profiles; `backward` is null for a symmetric pair. Of a profile that proves
 * only its upper end the composition's lower end is no bound.
 */
export function profileSource(
  forward: PrivacyProfile,
  backward: PrivacyProfile | null,
  count: number,
  epsilonAt: RoundSource['epsilonAt'] = (delta) => epsilonAtDelta(forward, delta),
  { proved = 'both', isBroken = false, work }: ProfileTraits = {},
): RoundSource {
  requireInteger('count', count, 1, MOST_ROUNDS);
  // Theorems never ask for it, and a curve may take long at 0.
  const deviation = onDemand(() => gaussianSeparation(forward(0).upper));
  return {
    count,
    proved,
    isBroken,
    profile: forward,
    epsilonAt,
    get deviation() {
      return deviation();
    },
    curves: (step, tail, closeness) => {
      const widest = 2 ** Math.max(0, Math.floor(Math.log2(WIDEST_CELL * (deviation() / step))));
      const counted = work && { work };
      const attention =
        closeness === 'everywhere'
          ? { isClosest: true, widest: 1, ...counted }
          : closeness === 'near zero'
            ? { widest: 1 }
            : { ...closeness, widest, ...counted };
      return sampledCurves(forward, backward, { step, tail }, attention, proved);
    },
  };
}

/** Of a curve that is looked at closely where it matters, in deviations. */
const WIDEST_CELL = 0.5;

/** More outcomes than this take longer than samples of the accountant's curve. */
const MOST_OUTCOMES = 1e8;
/** Longest curve of a pair. Fewer would do but for pairs of few users, whose losses are far apart. */
const MOST_CELLS = 100_000;

/** Rounds of the shuffled variation-ratio pair. @throws ParameterError as `variationRatioDivergence` */
export function pairSource(pair: VariationRatio, users: number, count: number): RoundSource {
  requireInteger('users', users, 1);
  const law = pairCells(pair);
  const profile = (epsilon: number): Interval => variationRatioDivergence(pair, users, epsilon);
  const sampled = profileSource(profile, null, count);
  const floor = law.p === Infinity ? profile(LARGEST_LOSS).upper * (1 + 1e-6) : 0;
  const curves = (step: number, tail: number, closeness: Closeness): CurvePair => {
    const cut = 1e-3 * tail;
    if (outcomeCount(law, users, cut) > MOST_OUTCOMES) return sampled.curves(step, tail, closeness);
    const largest = epsilonAtDelta(profile, Math.min(1, floor + tail), { relativeTolerance: 0.01 }).upper;
    const cells = Math.min(MOST_CELLS, Math.floor(Math.min(largest, LARGEST_LOSS) / step) + 1);
    const curve = pairCurve(law, users, step, cells, cut);
    return [curve, curve];
  };
  return {
    count,
    proved: 'both',
    profile,
    epsilonAt: (delta) => variationRatioEpsilon(pair, users, delta),
    get deviation() {
      return sampled.deviation;
    },
    curves,
  };
}
