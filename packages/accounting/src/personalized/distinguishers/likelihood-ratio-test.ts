/**
 * The likelihood-ratio test on shuffled counts (Neyman and Pearson), on a lattice: every message y scores a
 * whole number near (P - e^epsilon Q)(y) / (mean law of the others), and the test sees the sum. Its law is a
 * product of transforms, one per group, tilted so that the part that tells is in the bulk. The error of the
 * transforms is taken off, and so is what wraps round their window (docs/personalized.md).
 */
import { convolvedPowers, inverseTransform, Real, transformSize } from '@shuffle-dp/core';
import { unrolled } from '../../lattice/circle.ts';
import type { Contest } from './contest.ts';
import { massOutside, scoreMoments, type ScoreMoments } from './outside-window.ts';
import { LARGEST_SCORE, wholeScores } from './whole-scores.ts';

/**
 * What one entry of a law may be off by: a power of n errs by n roundoffs of itself, so an entry by so many
 * of the largest one. Measured at most 0.7 times that, from a million users to ten thousand million and from
 * coins of 1/2 to 1e-5; below some million users other roundings are larger, and stay below 3e-14.
 */
const TRANSFORM_ERROR = 1e-12;
const ROUNDOFFS_PER_USER = 4;

/**
 * Masses of the scores -LARGEST_SCORE to LARGEST_SCORE, reweighted by e^(theta score). As theta is at most 1
 * they stay among the doubles, and need none of the logarithms of lattice/tilted-law.ts.
 */
function scoreLaw(masses: Float64Array, scores: Int32Array, theta: number): Float64Array {
  const law = new Float64Array(2 * LARGEST_SCORE + 1);
  masses.forEach((mass, y) => {
    law[scores[y]! + LARGEST_SCORE]! += mass;
  });
  return law.map((mass, i) => mass * Real.exp(theta * (i - LARGEST_SCORE)));
}

function moments(law: Float64Array): ScoreMoments {
  return scoreMoments({ law, lowest: -LARGEST_SCORE });
}

/**
 * delta(epsilon) of the sum of the scores that the `gains` give, from below; sharpest at epsilon about
 * `near`.
 */
export function likelihoodRatioProfile(
  contest: Contest,
  gains: Float64Array,
  near: number,
): (epsilon: number) => number {
  const { first, second, others } = contest;
  const scores = wholeScores(contest, gains);
  // Among so many users no test on a lattice of this size tells anything.
  if (!scores) return () => 0;
  const shift = moments(scoreLaw(first, scores, 0)).mean - moments(scoreLaw(second, scores, 0)).mean;
  // Among many users the likelihood ratio of a sum d above its mean is about shift d / variance: near where
  // it is the epsilon looked for, the tilted sum has its mean.
  const theta = shift > 0 ? Math.min(near / shift, 1) : 0;
  const { masses, lowest, logScale, error, outside } = sumOfOthers(others, scores, theta);
  const [lawOfFirst, lawOfSecond] = [scoreLaw(first, scores, theta), scoreLaw(second, scores, theta)];
  const firstTotal = moments(lawOfFirst).total;
  const off = error * (firstTotal + moments(lawOfSecond).total);
  // Sums beyond the window come back inside and raise what is there: under the second law too, where that is
  // no harm.
  const wrapped = firstTotal * outside;
  // Elsewhere no sum gains anything, whatever epsilon is.
  const mayGain = (mass: number): boolean => mass > error;
  const start = Math.max(2 * LARGEST_SCORE, masses.findIndex(mayGain));
  const end = Math.min(masses.length, masses.findLastIndex(mayGain) + 1 + 2 * LARGEST_SCORE);
  const tiltedFirst = withVictim(masses, lawOfFirst, start, end);
  const tiltedSecond = withVictim(masses, lawOfSecond, start, end);
  return (epsilon) => {
    const expEpsilon = Real.exp(epsilon);
    let total = 0;
    for (let i = 0; i < tiltedFirst.length; i++) {
      // No mass is negative, whatever the transforms say.
      const gain = tiltedFirst[i]! - off - wrapped - expEpsilon * (Math.max(0, tiltedSecond[i]!) + off);
      if (gain > 0) total += gain * Real.exp(logScale - theta * (lowest + start + i - LARGEST_SCORE));
    }
    return Math.min(1, total * (1 - 1e-9));
  };
}

/** The tilted law of the sum of the others' scores in a window. */
interface ScoreSum {
  readonly masses: Float64Array;
  /** The sum that masses[0] belongs to. */
  readonly lowest: number;
  /** Logarithm of the mass before it was tilted to 1. */
  readonly logScale: number;
  /** Of one entry. */
  readonly error: number;
  /** Mass beyond the window, which comes back into it. */
  readonly outside: number;
}

function sumOfOthers(others: Contest['others'], scores: Int32Array, theta: number): ScoreSum {
  const groups = others
    .filter(({ users }) => users > 0)
    .map(({ users, masses }) => ({ users, law: scoreLaw(masses, scores, theta), lowest: -LARGEST_SCORE }));
  let logScale = 0;
  let mean = 0;
  let variance = 0;
  for (const { users, law } of groups) {
    const of = moments(law);
    logScale += users * Real.log(of.total);
    mean += users * of.mean;
    variance += users * of.variance;
  }
  const reach = Math.ceil(12 * Math.sqrt(variance)) + 3 * LARGEST_SCORE;
  const size = transformSize(2 * reach);
  const lowest = Math.round(mean) - size / 2;
  const users = groups.reduce((total, group) => total + group.users, 0);
  // Every score is counted from 0 on the circle.
  const least = -LARGEST_SCORE * users;
  const masses = unrolled(circleOf(groups, size), lowest - least, size);
  const peak = masses.reduce((largest, mass) => Math.max(largest, mass), 0);
  const error = Math.max(TRANSFORM_ERROR, ROUNDOFFS_PER_USER * (Number.EPSILON / 2) * users * peak);
  return { masses, lowest, logScale, error, outside: massOutside(groups, lowest, size) };
}

/** The law of the sum of all groups' scores, each score counted from 0. */
function circleOf(groups: readonly { users: number; law: Float64Array }[], size: number): Float64Array {
  const laws = groups.map(({ users, law }) => {
    const { total } = moments(law);
    return { values: law.map((mass) => mass / total), power: users };
  });
  return inverseTransform(convolvedPowers(laws, size));
}

/**
 * The law of a sum with the victim's score added, from entry `start` on: where `sum` begins at 0, entry i is
 * the mass at start + i - LARGEST_SCORE.
 */
function withVictim(sum: Float64Array, victim: Float64Array, start: number, end: number): Float64Array {
  const law = new Float64Array(Math.max(0, end - start));
  victim.forEach((mass, k) => {
    if (mass === 0) return;
    for (let i = 0; i < law.length; i++) law[i]! += mass * sum[start + i - k]!;
  });
  return law;
}
