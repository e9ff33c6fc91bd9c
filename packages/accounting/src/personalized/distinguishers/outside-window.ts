/**
 * How much of a sum of independent whole scores may lie outside a window, by Chernoff's inequality on both
 * sides.
 */
import { Real } from '@shuffle-dp/core';

/** Users whose scores have one law. */
export interface ScoreGroup {
  readonly users: number;
  /** Masses of the scores `lowest`, `lowest + 1`, …; of any positive total, by which they are divided. */
  readonly law: Float64Array;
  readonly lowest: number;
}

/**
 * Upper bound of the probability that the sum is below `from` or at least `from + size`: for every t > 0,
 * Pr[S >= c] <= E e^(t (S - c)), and likewise below. Any t is sound; some forty are tried from that of
 * Bernstein's inequality on. 0 where no sum comes so far, 1 where the mean is outside.
 */
export function massOutside(groups: readonly ScoreGroup[], from: number, size: number): number {
  const centred = groups.map((group): CentredGroup => ({ ...group, ...scoreMoments(group) }));
  const mirrored = centred.map(({ users, law, lowest, total, mean, variance }): CentredGroup => ({
    users,
    law: law.toReversed(),
    lowest: -(lowest + law.length - 1),
    total,
    mean: -mean,
    variance,
  }));
  return Math.min(1, massFrom(centred, from + size) + massFrom(mirrored, 1 - from));
}

export interface ScoreMoments {
  readonly total: number;
  readonly mean: number;
  readonly variance: number;
}

type CentredGroup = ScoreGroup & ScoreMoments;

/** Factors from one t to the next, beginning at a third of Bernstein's. */
const NEXT = 1.2;
const TRIED = 40;

/** Upper bound of Pr[S >= bar]. */
function massFrom(groups: readonly CentredGroup[], bar: number): number {
  let most = 0;
  let mean = 0;
  let variance = 0;
  let widest = 0;
  for (const group of groups) {
    const highest = group.lowest + group.law.length - 1;
    most += group.users * highest;
    mean += group.users * group.mean;
    variance += group.users * group.variance;
    widest = Math.max(widest, highest - group.mean);
  }
  if (most < bar) return 0;
  const distance = bar - mean;
  if (!(distance > 0 && variance > 0)) return 1;
  let least = 0;
  let t = distance / (3 * (variance + (widest * distance) / 3));
  for (let attempt = 0; attempt < TRIED; attempt++, t *= NEXT) {
    let log = -t * distance;
    for (const { users, law, lowest, total, mean: own } of groups) {
      let excess = 0;
      for (let i = 0; i < law.length; i++) {
        const away = t * (lowest + i - own);
        // e^x - 1 - x, of which the linear parts cancel.
        excess += (law[i]! / total) * (Real.expm1(away) - away);
      }
      log += users * Real.log1p(Math.max(0, excess));
    }
    // Sums over as many scores as there are users, rounded.
    const rounding = 1e-9 + 1e-13 * t * (Math.abs(mean) + distance);
    if (log + rounding < least) least = log + rounding;
  }
  return Real.exp(least);
}

/** Of the law of one user's score, divided by its total. */
export function scoreMoments({ law, lowest }: Omit<ScoreGroup, 'users'>): ScoreMoments {
  let total = 0;
  let mean = 0;
  law.forEach((mass, i) => {
    total += mass;
    mean += mass * (lowest + i);
  });
  mean /= total;
  let variance = 0;
  law.forEach((mass, i) => {
    variance += (mass / total) * (lowest + i - mean) ** 2;
  });
  return { total, mean, variance };
}
