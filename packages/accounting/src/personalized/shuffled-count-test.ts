/**
 * Certified lower bounds for personal budgets: what a test that sees only shuffled counts gains on a given data set. Any
 * function of the shuffled messages is post-processing, so its exact divergence bounds the true one from below, whatever
 * the function.
 *
 * Likelihood ratio: every message y scores a whole number near (P - e^epsilon Q)(y) / (mean law of the others), and the
 * test sees the sum. Its law is a product of transforms, one per group, tilted so that the part that tells is in the bulk;
 * the error of the transforms is taken off. Threshold: the number of messages among the highest such ratios, an exact sum of
 * coins; it finds the victim whose noise is wider than everyone else's.
 */
import {
  exactly,
  forwardTransform,
  inverseTransform,
  multiplySpectrum,
  raiseSpectrum,
  transformSize,
  type Spectrum,
} from '@shuffle-dp/core';
import { epsilonAtDelta } from '../privacy-profile.ts';
import type { BudgetGroup } from './budget-group.ts';
import { cloneCountLaw } from './clone-count.ts';

/** Scores per deviation of one message's score, and the largest score in deviations. */
const RESOLUTION = 6;
const LARGEST_SCORE = 36;
/** Above what transforms of tilted laws err by in one entry (3e-14 at a power of a million, measured). */
const TRANSFORM_ERROR = 1e-12;
/** Shares of the victim's mass in the events of the threshold tests: 1/2 down to 1e-6. */
const EVENT_SHARES = Array.from({ length: 47 }, (_, k) => 0.5 * 0.75 ** k);

/** Among more messages than this, the likelihood ratio tells as much. */
const MOST_EXPECTED = 1000;
const SMALLEST_COUNT_MASS = 1e-40;

/** The victim's two laws and the laws of all others, on cells. */
interface Contest {
  readonly first: Float64Array;
  readonly second: Float64Array;
  readonly others: readonly { readonly users: number; readonly masses: Float64Array }[];
}

/**
 * Lower bound of the epsilon at `delta` of a user of group `victim`, over the groups' held values and pairs: the
 * mechanism is not (epsilon, delta)-DP for any smaller epsilon. `near` says where to look: an upper bound will do.
 */
export function shuffledCountEpsilon(
  groups: readonly BudgetGroup[],
  victim: number,
  delta: number,
  near: number,
): number {
  let best = 0;
  const { pairs, held } = groups[victim]!;
  for (const { first, second, symmetric } of pairs) {
    for (let k = 0; k < held.length; k++) {
      const others = groups.map((group, t) => ({
        users: t === victim ? group.users - 1 : group.users,
        masses: group.held[k]!,
      }));
      const forward = { first: first.masses, second: second.masses, others };
      best = Math.max(best, contestEpsilon(forward, delta, near));
      // The mirror image of this data set may not be among those held.
      const isMirrored = symmetric && held.length > 1;
      if (isMirrored) continue;
      best = Math.max(
        best,
        contestEpsilon({ ...forward, first: second.masses, second: first.masses }, delta, near),
      );
    }
  }
  return best;
}

function contestEpsilon(contest: Contest, delta: number, near: number): number {
  let best = 0;
  let epsilon = Math.min(near, 50);
  // The scores and the tilt are made for one epsilon; a second round makes them for the one found.
  for (let round = 0; round < 2; round++) {
    const gains = messageGains(contest, epsilon);
    const profiles = [likelihoodRatioProfile(contest, wholeScores(contest, gains), epsilon)];
    if (round === 0) profiles.push(...thresholdProfiles(contest, gains));
    for (const profile of profiles) {
      if (!(profile(best) > delta)) continue;
      best = Math.max(
        best,
        epsilonAtDelta((e) => exactly(profile(e)), delta, { relativeTolerance: 1e-6 }).lower,
      );
    }
    epsilon = best > 0 ? best : epsilon / 2;
  }
  return best;
}

/** (P - e^epsilon Q) over the mean law of the others; infinite where only the victim can be. */
function messageGains({ first, second, others }: Contest, epsilon: number): Float64Array {
  const mean = meanLaw(others);
  const expEpsilon = Math.exp(epsilon);
  return first.map((mass, y) => {
    const gain = mass - expEpsilon * second[y]!;
    if (gain === 0) return 0;
    return mean[y]! > 0 ? gain / mean[y]! : Math.sign(gain) * Infinity;
  });
}

function meanLaw(others: Contest['others']): Float64Array {
  const users = others.reduce((sum, group) => sum + group.users, 0);
  const mean = new Float64Array(others[0]!.masses.length);
  for (const group of others) {
    const share = group.users / Math.max(1, users);
    for (let y = 0; y < mean.length; y++) mean[y]! += share * group.masses[y]!;
  }
  return mean;
}

/** Gains as whole numbers, mean about 0; the few that would set the scale alone are cut off. */
function wholeScores({ others }: Contest, gains: Float64Array): Int32Array {
  const mean = meanLaw(others);
  const cap = usualSize(gains, mean);
  let average = 0;
  let square = 0;
  for (let y = 0; y < gains.length; y++) {
    const gain = Math.max(-cap, Math.min(cap, gains[y]!));
    average += mean[y]! * gain;
    square += mean[y]! * gain * gain;
  }
  const unit = Math.sqrt(Math.max(square - average * average, 1e-300)) / RESOLUTION;
  return Int32Array.from(gains, (gain) =>
    Math.max(-LARGEST_SCORE, Math.min(LARGEST_SCORE, Math.round((gain - average) / unit))),
  );
}

/** The size of gains that all but a thousandth of the others' messages stay below. */
function usualSize(gains: Float64Array, mean: Float64Array): number {
  const order = Uint32Array.from(gains, (_, y) => y).sort(
    (a, b) => Math.abs(gains[a]!) - Math.abs(gains[b]!),
  );
  let mass = 0;
  let size = 0;
  for (const y of order) {
    mass += mean[y]!;
    if (Number.isFinite(gains[y]!)) size = Math.abs(gains[y]!);
    if (mass >= 0.999) break;
  }
  return size;
}

/** Masses of the scores -LARGEST_SCORE to LARGEST_SCORE, reweighted by e^(theta score). */
function scoreLaw(masses: Float64Array, scores: Int32Array, theta: number): Float64Array {
  const law = new Float64Array(2 * LARGEST_SCORE + 1);
  masses.forEach((mass, y) => {
    law[scores[y]! + LARGEST_SCORE]! += mass;
  });
  return law.map((mass, i) => mass * Math.exp(theta * (i - LARGEST_SCORE)));
}

interface Moments {
  readonly total: number;
  readonly mean: number;
  readonly variance: number;
}

function moments(law: Float64Array): Moments {
  let total = 0;
  let mean = 0;
  let square = 0;
  law.forEach((mass, i) => {
    const score = i - LARGEST_SCORE;
    total += mass;
    mean += mass * score;
    square += mass * score * score;
  });
  mean /= total;
  return { total, mean, variance: square / total - mean * mean };
}

/** delta(epsilon) of the sum of the scores, from below. */
function likelihoodRatioProfile(
  { first, second, others }: Contest,
  scores: Int32Array,
  near: number,
): (epsilon: number) => number {
  const shift = moments(scoreLaw(first, scores, 0)).mean - moments(scoreLaw(second, scores, 0)).mean;
  // Among many users the likelihood ratio of a sum d above its mean is about shift d / variance: near where it is the
  // epsilon looked for, the tilted sum has its mean.
  const theta = shift > 0 ? Math.min(near / shift, 1) : 0;
  const groups = others
    .filter(({ users }) => users > 0)
    .map(({ users, masses }) => ({ users, law: scoreLaw(masses, scores, theta) }));
  let logScale = 0;
  let mean = 0;
  let variance = 0;
  for (const { users, law } of groups) {
    const of = moments(law);
    logScale += users * Math.log(of.total);
    mean += users * of.mean;
    variance += users * of.variance;
  }
  const reach = Math.ceil(12 * Math.sqrt(variance)) + 3 * LARGEST_SCORE;
  const size = transformSize(2 * reach);
  // Entry i is the sum `from + i`.
  const from = Math.round(mean) - size / 2;
  const sum = laidOut(
    productOf(groups, size),
    from,
    groups.reduce((total, { users }) => total + users, 0),
  );
  const tiltedFirst = withVictim(sum, scoreLaw(first, scores, theta));
  const tiltedSecond = withVictim(sum, scoreLaw(second, scores, theta));
  const error =
    TRANSFORM_ERROR *
    (moments(scoreLaw(first, scores, theta)).total + moments(scoreLaw(second, scores, theta)).total);
  return (epsilon) => {
    const expEpsilon = Math.exp(epsilon);
    let total = 0;
    for (let i = 2 * LARGEST_SCORE; i < size; i++) {
      const gain = tiltedFirst[i]! - error - expEpsilon * (tiltedSecond[i]! + error);
      if (gain > 0) total += gain * Math.exp(logScale - theta * (from + i - LARGEST_SCORE));
    }
    return Math.min(1, total * (1 - 1e-9));
  };
}

/** The transform of the law of the sum of all groups' scores, each score counted from 0. */
function productOf(groups: readonly { users: number; law: Float64Array }[], size: number): Float64Array {
  let product: Spectrum | null = null;
  for (const { users, law } of groups) {
    const { total } = moments(law);
    const spectrum = forwardTransform(
      law.map((mass) => mass / total),
      size,
    );
    raiseSpectrum(spectrum, users);
    if (product) multiplySpectrum(product, spectrum);
    else product = spectrum;
  }
  if (product) return inverseTransform(product);
  const alone = new Float64Array(size);
  alone[0] = 1;
  return alone;
}

/** Unrolls the circle: entry i becomes the sum of scores from + i. */
function laidOut(circle: Float64Array, from: number, users: number): Float64Array {
  const size = circle.length;
  const offset = from + users * LARGEST_SCORE;
  return circle.map((_, i) => circle[(((i + offset) % size) + size) % size]!);
}

/** Entry i is the mass of the sum at from + i - LARGEST_SCORE with the victim's score added. */
function withVictim(sum: Float64Array, victim: Float64Array): Float64Array {
  const law = new Float64Array(sum.length);
  victim.forEach((mass, k) => {
    if (mass === 0) return;
    for (let i = k; i < sum.length; i++) law[i]! += mass * sum[i - k]!;
  });
  return law;
}

/** delta(epsilon) of the number of messages among the highest gains, for several such sets. */
function thresholdProfiles(
  { first, second, others }: Contest,
  gains: Float64Array,
): ((epsilon: number) => number)[] {
  // Infinities compare as equal.
  const order = Uint32Array.from(gains, (_, y) => y).sort((a, b) =>
    gains[a] === gains[b] ? 0 : gains[b]! - gains[a]!,
  );
  return EVENT_SHARES.flatMap((share) => {
    const event: number[] = [];
    let p = 0;
    for (const y of order) {
      if (event.length > 0 && p + first[y]! > share) break;
      event.push(y);
      p += first[y]!;
    }
    const massOf = (masses: Float64Array): number =>
      Math.min(
        1,
        event.reduce((sum, y) => sum + masses[y]!, 0),
      );
    const q = massOf(second);
    const coins = others.map(({ users, masses }) => ({ coins: users, probability: massOf(masses) }));
    const expected = coins.reduce((sum, group) => sum + group.coins * group.probability, 0);
    if (expected > MOST_EXPECTED) return [];
    const law = cloneCountLaw(coins, SMALLEST_COUNT_MASS);
    const profile = (epsilon: number): number => {
      const expEpsilon = Math.exp(epsilon);
      let total = 0;
      for (let i = 0; i <= law.masses.length; i++) {
        const below = law.masses[i - 1] ?? 0;
        const here = law.masses[i] ?? 0;
        total += Math.max(0, (p - expEpsilon * q) * below + (1 - p - expEpsilon * (1 - q)) * here);
      }
      // Masses left out may have entered with either sign.
      return Math.max(0, Math.min(1, total * (1 - 1e-10)) - 2 * (1 + expEpsilon) * law.omitted);
    };
    return [profile];
  });
}
