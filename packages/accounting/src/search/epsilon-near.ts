/**
 * The epsilon at a delta where it is about known, as after a calibration: a few steps of a secant from there,
 * each side proved by an evaluation, and none at 0 or far away.
 */
import { Real } from '@shuffle-dp/core';
import type { DivergenceEnd, End } from './coarse-to-fine.ts';

export interface NearSearch {
  /** About the epsilon, positive. */
  readonly near: number;
  /** What may be left open, relative to epsilon. */
  readonly tolerance: number;
  /**
   * How far below delta, in logarithms, the divergence at `near` may be for `near` itself to be the upper
   * end.
   */
  readonly slack: number;
  readonly epsilonMax: number;
}

export interface WorstEnd {
  readonly value: number;
  /** Of the bound that gives it. */
  readonly index: number;
}

/** Smooth bounds take three or four. */
const MOST_STEPS = 8;

/**
 * The end of the worst of some bounds of divergences, as `worstEpsilon` of one-round.ts: upper, an epsilon at
 * which all of them are at most `delta`; lower, one at which one of them is above. Null where a few steps do
 * not tell.
 *
 * @example worstEpsilonNear([(epsilon) => Math.exp(-epsilon)], 0.5, 'upper', { near: 0.7, tolerance: 1e-9, slack: 0, epsilonMax: 1 })?.value // 0.693147
 */
export function worstEpsilonNear(
  bounds: readonly DivergenceEnd[],
  delta: number,
  end: End,
  search: NearSearch,
): WorstEnd | null {
  const { near, slack } = search;
  const ranked = bounds
    .map((bound, index) => ({ bound, index, excess: Real.log(bound(near) / delta) }))
    .toSorted((a, b) => b.excess - a.excess);
  const first = ranked[0]!;
  if (end === 'upper' && first.excess <= 0 && first.excess >= -slack)
    return { value: near, index: first.index };
  let worst: WorstEnd | null = null;
  for (const { bound, index } of ranked) {
    if (worst !== null && bound(worst.value) <= delta) continue;
    const value = secantFrom(worst?.value ?? near, bound, delta, end, search);
    if (value === null) return null;
    // Of two lower ends the greater is kept: the second may end a tolerance before the first.
    if (worst === null || value > worst.value) worst = { value, index };
  }
  return worst;
}

/**
 * A proved end near the start; null where a few steps do not tell. `secantBracket` closes a bracket and so
 * asks once more on the far side: here the slope tells how much is left open.
 */
function secantFrom(
  start: number,
  bound: DivergenceEnd,
  delta: number,
  end: End,
  { tolerance, epsilonMax }: NearSearch,
): number | null {
  // Of Gaussian tails, until two points tell. Where delta is almost what the bound has at 0 it is too steep:
  // it may aim, but not say how much is left open.
  let slope = (2 * Real.log(Math.min(delta, 0.1))) / start;
  let told = false;
  let best = NaN;
  let beyond = NaN;
  let last: { readonly epsilon: number; readonly excess: number } | null = null;
  let epsilon = start;
  for (let looks = 0; looks < MOST_STEPS; looks++) {
    if (!(epsilon > 0 && epsilon <= epsilonMax)) return null;
    const excess = Real.log(bound(epsilon) / delta);
    if (!Number.isFinite(excess)) return null;
    const proved = end === 'upper' ? excess <= 0 : excess > 0;
    if (proved) best = epsilon;
    else beyond = epsilon;
    const open = tolerance * epsilon;
    if (Math.abs(best - beyond) <= open) return best;
    if (last !== null && Math.abs(epsilon - last.epsilon) > 1e-6 * epsilon) {
      slope = (excess - last.excess) / (epsilon - last.epsilon);
      told = true;
    }
    if (!(slope < 0)) return null;
    const move = -excess / slope;
    if (proved && told && Math.abs(move) <= open) return epsilon;
    last = { epsilon, excess };
    const step = told ? move : Math.sign(move) * Math.max(Math.abs(move), open);
    const aim = epsilon + step + (end === 'upper' ? 0.5 : -0.5) * open;
    const [low, high] = [Math.min(best, beyond), Math.max(best, beyond)];
    epsilon = aim > low && aim < high ? aim : Number.isNaN(low) ? aim : (low + high) / 2;
  }
  return null;
}
