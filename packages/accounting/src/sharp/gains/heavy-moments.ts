/**
 * About what `MinimumMoments` bounds where gains have tails so heavy that their sums are far from normal: the
 * bound's own moments for about as many copies, moved by what normal laws say of the difference. For
 * comparing parameters, never for a bound.
 */
import { Real } from '@shuffle-dp/core';
import type { LossLaw } from '../../blanket/loss-law.ts';
import { MinimumMoments, type Resolution } from './minimum-moments.ts';
import { NormalMoments, type LogMoments } from './normal-moments.ts';

/** Numbers of copies between which one table serves, as a factor. */
const SHARED = 1.06;

/** For any number of copies of one gain. */
export class HeavyMoments {
  readonly #law: LossLaw;
  readonly #at: number;
  readonly #resolution: Resolution;
  readonly #normal: NormalMoments;
  readonly #tables = new Map<number, MinimumMoments>();

  /** @param count about how many copies; @param at about where it is asked for */
  constructor(law: LossLaw, count: number, at: number, resolution: Resolution) {
    this.#law = law;
    this.#at = at;
    this.#resolution = resolution;
    this.#normal = new NormalMoments(law, count, at);
  }

  /** @param count copies of the gain in both sums, at least 2 */
  of(count: number): LogMoments {
    const anchor = anchorOf(count);
    const table = this.#tableOf(anchor);
    const [here, there] = [this.#normal.of(count), this.#normal.of(anchor)];
    return { logAt: (t) => table.logAt(t) + here.logAt(t) - there.logAt(t) };
  }

  #tableOf(anchor: number): MinimumMoments {
    let table = this.#tables.get(anchor);
    if (table === undefined) {
      table = new MinimumMoments(this.#law, anchor, this.#at, this.#resolution);
      this.#tables.set(anchor, table);
    }
    return table;
  }
}

/** An even number near a count. */
function anchorOf(count: number): number {
  const nearest = Real.power(SHARED, Math.round(Real.log(count) / Real.log(SHARED)));
  return Math.max(2, 2 * Math.round(nearest / 2));
}
