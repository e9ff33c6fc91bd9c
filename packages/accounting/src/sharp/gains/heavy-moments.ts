/**
 * About what `MinimumMoments` bounds where gains have tails so heavy that their sums are far from normal: the
 * bound's own moments for about as many copies, moved by what normal laws say of the difference. For
 * comparing parameters, never for a bound.
 */
import { onceEach, Real } from '@shuffle-dp/core';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { MinimumMoments, type Resolution } from './minimum-moments.ts';
import { NormalMoments, type LogMoments } from './normal-moments.ts';

/** Numbers of copies between which one table serves, as a factor. */
const SHARED = 1.06;

/**
 * For any number of copies of one gain: what is given back takes how many, at least 2, are in both sums.
 *
 * @param count about how many copies; @param at about where it is asked for
 */
export function heavyMoments(
  law: LossLaw,
  count: number,
  at: number,
  resolution: Resolution,
): { of(count: number): LogMoments } {
  const normal = new NormalMoments(law, count, at);
  const tableOf = onceEach((anchor) => new MinimumMoments(law, anchor, at, resolution));
  return {
    of(copies) {
      const anchor = anchorOf(copies);
      const table = tableOf(anchor);
      const [here, there] = [normal.of(copies), normal.of(anchor)];
      return { logAt: (t) => table.logAt(t) + here.logAt(t) - there.logAt(t) };
    },
  };
}

/** An even number near a count. */
function anchorOf(count: number): number {
  const nearest = Real.power(SHARED, Math.round(Real.log(count) / Real.log(SHARED)));
  return Math.max(2, 2 * Math.round(nearest / 2));
}
