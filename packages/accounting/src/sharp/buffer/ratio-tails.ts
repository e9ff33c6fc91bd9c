/**
 * Chernoff's bounds for the ratios of a buffer (docs/sharp-bound.md). Any tilt gives a valid one. Tilts are
 * taken from a geometric grid, so that all sizes of a buffer and all points share the few moments that are
 * ever asked for.
 */
import { onceEach, Real } from '@shuffle-dp/core';
import { drawMoments, type BufferLaw, type DrawMoments } from './buffer.ts';
import { keptByWeight } from './kept-by-weight.ts';

/** Between tilts: the best one of the grid costs at most 0.7 % of an exponent that is quadratic. */
const RATIO = 1.25;
const LOG_RATIO = Real.log(RATIO);
const MOST_STEPS = 400;

export class RatioTails {
  readonly #step: number;
  readonly #momentsAt: (slope: number) => DrawMoments;
  readonly #centre: DrawMoments;
  readonly #logs = new Map<number, number>();

  /**
   * Of the draws without a weight, and of the weight that was asked for last. @param weight of the gains in
   * the exponent
   */
  static of(draws: BufferLaw, weight: number): RatioTails {
    const momentsAt = (slope: number): DrawMoments => drawMoments(draws, weight, slope);
    return tailsOf(draws, weight, () => new RatioTails(draws, momentsAt));
  }

  /** @param momentsAt of a draw, with the weight: where they are estimates, what comes of them is one */
  constructor({ step }: BufferLaw, momentsAt: (slope: number) => DrawMoments) {
    this.#step = step;
    this.#momentsAt = momentsAt;
    this.#centre = momentsAt(0);
  }

  /**
   * log of E e^(weight gains) over the buffers of `size` draws beyond a lattice point, on one side, from
   * above: and of E e^(weight gains + steepness (sum of the ratios - the point's)) there.
   * @param steepness at least 0
   */
  log(size: number, point: number, side: 1 | -1, steepness = 0): number {
    const sum = point * this.#step;
    const start = Math.max(steepness, this.#tiltAt(size, sum, side));
    return this.#least(size, side, start, (s, log) => size * log - side * s * sum, steepness);
  }

  /**
   * log of E e^(weight gains) (mean ratio - a lattice point over `size`)_+, from above: x_+ <= e^(s
   * x - 1) / s.
   */
  logExcess(size: number, point: number): number {
    const sum = point * this.#step;
    return this.#least(
      size,
      1,
      this.#tiltAt(size, sum, 1),
      (s, log) => size * log - s * sum - 1 - Real.log(s * size),
    );
  }

  /** The smallest sum of ratios beyond which `logExcess` is at most `log`, nearly. */
  pointOfExcess(size: number, log: number): number {
    const depth = Math.max(1, -log);
    const tilt = Math.sqrt((2 * depth) / (size * this.#centre.variance));
    return this.#least(
      size,
      1,
      tilt,
      (s, logMean) => (size * logMean - 1 - Real.log(s * size) - log) / (s * this.#step),
    );
  }

  /** The saddle point if the law were normal. */
  #tiltAt(size: number, sum: number, side: 1 | -1): number {
    const { mean, variance } = this.#centre;
    return Math.max((side * (sum / size - mean)) / variance, 1 / Math.sqrt(size * variance));
  }

  /**
   * The least value over the grid's tilts that are at least `smallest`, by steps from about `start`: all are
   * unimodal in the tilt.
   */
  #least(
    size: number,
    side: 1 | -1,
    start: number,
    value: (s: number, log: number) => number,
    smallest = 0,
  ): number {
    if (!(start > 0 && start < Infinity)) return Infinity;
    const at = (i: number): number => value(tiltOf(i), this.#logAt(side, i));
    const first = smallest > 0 ? Math.ceil(Real.log(smallest) / LOG_RATIO + 1e-9) : -Infinity;
    let i = Math.max(first, Math.round(Real.log(start) / LOG_RATIO));
    let best = at(i);
    for (const direction of [1, -1]) {
      for (let step = 0; step < MOST_STEPS && i + direction >= first; step++) {
        const next = at(i + direction);
        if (!(next < best)) break;
        best = next;
        i += direction;
      }
    }
    return best + 1e-9 * Math.abs(best) + 1e-9;
  }

  #logAt(side: 1 | -1, i: number): number {
    const key = side * (i + OFFSET);
    let log = this.#logs.get(key);
    if (log === undefined) {
      log = this.#momentsAt(side * tiltOf(i)).log;
      this.#logs.set(key, log);
    }
    return log;
  }
}

const tailsOf = keptByWeight<RatioTails>();

/** Makes numbers of tilts positive: no double has a smaller power of the ratio. */
const OFFSET = 4000;

/** The grid's tilts that were asked for. */
const tiltOf = onceEach((i) => Real.power(RATIO, i));
