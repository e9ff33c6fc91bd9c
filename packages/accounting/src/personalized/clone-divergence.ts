/**
 * The divergence that clones leave of a victim's message, over the law of their number:
 *
 *   delta(epsilon) = a E [ Pr[A + 1 > (C + 1) x] - r Pr[A > (C + 1) x] ],   A ~ Bin(C, 1/2),  x = r/(1 + r),
 *   a = (1 - delta_1)(1 - 2w),  r = (e^epsilon - 2w(1 - delta_1) - delta_1)/a,
 *
 * C being the sum of the other users' coins. The counts that matter lie below the mean, the further the
 * smaller delta is. So the law of C is taken under the tilt e^(-k C), k being the relative entropy of coins
 * of x to fair ones: by Chernoff's bound C clones leave at most about e^(-k C), so that all that lies outside
 * of the tilted law's window is as small a share of the divergence as it is of that law. So is an error of
 * the tilted masses, for which that law may be taken by its characteristic function.
 */
import { binomialPmf, exactly, halfBinomialTailRatio, Real, type Interval } from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import { cloneCountLaw, type CoinGroup } from './clone-count.ts';
import { manyCoinsLaw } from './many-coins.ts';

export interface CloneCoins {
  /** Error of the test between the victim's two laws, in [0, 1/2] (w). */
  readonly confusion: number;
  /** Mass of the victim's outputs that give it away, in [0, 1] (delta_1). */
  readonly failure: number;
  /** Of each group of other users: how many they are, */
  readonly users: Float64Array;
  /** and the probability that one of them sends a clone, in [0, 1]. */
  readonly probabilities: Float64Array;
}

/** Tilted masses that are left out. */
const SMALLEST_MASS = 1e-24;
/** A tilt is good enough if, from one end of the window to the other, it errs by fewer nats. */
const MOST_LEAN = 12;
const MOST_TILTS = 4;

/** delta at an epsilon of at least 0. */
export function cloneDivergence(clones: CloneCoins, epsilon: number): number {
  if (weightOf(clones) === 0) return 0;
  return tiltedDivergence(clones, entropyAt(excessAt(clones, epsilon))).at(epsilon);
}

/** The least epsilon at a delta above 0, to about 1e-9 of itself; infinity where there is none. */
export function cloneEpsilon(clones: CloneCoins, delta: number): number {
  // The victim's two laws are one.
  if (weightOf(clones) === 0) return 0;
  const epsilonOf = (divergence: (epsilon: number) => number, near?: number): number => {
    const profile = (epsilon: number): Interval => exactly(divergence(epsilon));
    return epsilonAtDelta(profile, delta, { relativeTolerance: 1e-9, ...(near && { near }) }).upper;
  };
  const tiltAt = (epsilon: number): number => entropyAt(excessAt(clones, epsilon));
  const { users, probabilities } = clones;
  const usual = Math.round(users.reduce((sum, count, i) => sum + count * probabilities[i]!, 0));
  let epsilon = epsilonOf((at) => weightOf(clones) * leftBy(usual, excessAt(clones, at)));
  for (let tilts = 1; ; tilts++) {
    const tilt = tiltAt(epsilon);
    const { at, counts } = tiltedDivergence(clones, tilt);
    // Outside of the window nothing is counted, so where the tilt is wrong this is too low, but the next tilt
    // is a better one.
    epsilon = epsilonOf(at, epsilon);
    if (Math.abs(tiltAt(epsilon) - tilt) * counts < MOST_LEAN || tilts === MOST_TILTS) return epsilon;
  }
}

function tiltedDivergence(
  clones: CloneCoins,
  tilt: number,
): { readonly at: (epsilon: number) => number; readonly counts: number } {
  const { users, probabilities } = clones;
  const weight = weightOf(clones);
  const less = Real.expm1(-tilt);
  const logTotal = users.reduce((sum, count, i) => sum + count * Real.log1p(probabilities[i]! * less), 0);
  const tilted = probabilities.map((probability) => tiltedProbability(probability, less));
  const { first, masses } =
    manyCoinsLaw({ counts: users, probabilities: tilted }) ??
    cloneCountLaw(tiltedCoins(clones, less), SMALLEST_MASS);
  const untilted = masses.map((mass, i) => mass * Real.exp(logTotal + tilt * (first + i)));
  return {
    at: (epsilon) => {
      const excess = excessAt(clones, epsilon);
      let sum = 0;
      for (let i = 0; i < untilted.length; i++) sum += untilted[i]! * leftBy(first + i, excess);
      return weight * sum;
    },
    counts: masses.length,
  };
}

function tiltedProbability(probability: number, less: number): number {
  return Math.min(1, (probability * (1 + less)) / (1 + probability * less));
}

function* tiltedCoins({ users, probabilities }: CloneCoins, less: number): Generator<CoinGroup> {
  for (let i = 0; i < users.length; i++) {
    const probability = probabilities[i]!;
    const complement = (1 - probability) / (1 + probability * less);
    yield { coins: users[i]!, probability: tiltedProbability(probability, less), complement };
  }
}

function weightOf({ confusion, failure }: CloneCoins): number {
  return Math.max(0, (1 - failure) * (1 - 2 * confusion));
}

/** r - 1, without the difference of numbers near 1. */
function excessAt(clones: CloneCoins, epsilon: number): number {
  return Real.expm1(epsilon) / weightOf(clones);
}

/** Of coins of x = r/(1 + r) to fair ones, in nats. */
function entropyAt(excess: number): number {
  const complement = 1 / (2 + excess);
  const rest = complement > 0 ? complement * Real.log(complement) : 0;
  return Math.max(0, Math.LN2 + (1 - complement) * Real.log1p(-complement) + rest);
}

/** Pr[A >= k - 1] - (1 + excess) Pr[A >= k] for the least k > (count + 1) x. */
function leftBy(count: number, excess: number): number {
  const share = (1 + excess) / (2 + excess);
  const k = Math.floor((count + 1) * share) + 1;
  if (k > count) return k === count + 1 ? Real.exp(-count * Math.LN2) : 0;
  const ratio = k / (count - k + 1) - excess * halfBinomialTailRatio(k, count);
  return ratio > 0 ? binomialPmf(k, count, 0.5) * ratio : 0;
}
