/**
 * Planar Laplace noise near one of the victim's places, as atoms (docs/sharp-bound.md, "Laplace noise in the
 * plane"): what is in a cell of outputs is split onto a lattice of two ratios of densities that lie around
 * those of the cell.
 */
import { Real } from '@shuffle-dp/core';

/** Outputs near to one of the victim's places, told apart by two ratios of densities. */
export interface PlaceAtoms {
  /** Mass under the nearer place. */
  readonly near: Float64Array;
  /** Under the other one. */
  readonly far: Float64Array;
  /** Under the third place. */
  readonly own: Float64Array;
}

/** Steps of the log of the third place's density over that of the nearer one. */
const STEP = 0.08;

/**
 * Atoms of one side: a lattice of the two ratios, at whose points what is in a cell is split with its means
 * kept.
 */
export class PlaceLattice {
  readonly #levels: readonly number[];
  readonly #step: number;
  /** Steps of the log ratio on either side of 0. */
  readonly #steps: number;
  readonly #masses: Float64Array;

  /**
   * @param levels of the further place's density over the nearer one's, increasing
   * @param coarseness of the steps of the other ratio
   * @param furthest of its logarithm, on either side of 0
   */
  constructor(levels: readonly number[], coarseness: number, furthest: number) {
    this.#levels = levels;
    this.#step = STEP * coarseness;
    this.#steps = Math.ceil(furthest / this.#step) + 1;
    this.#masses = new Float64Array(levels.length * (2 * this.#steps + 1));
  }

  /**
   * @param strip of the further place's ratio; @param least and `most` bounds of the log of the third's
   * @param sums integrals over one cell: of the nearer place's density, of the further one's, of the third's,
   *   and of that times the ratio of the two
   */
  add(strip: number, least: number, most: number, sums: Float64Array): void {
    const [near, far, own, ownFar] = [sums[0]!, sums[1]!, sums[2]!, sums[3]!];
    const step = this.#step;
    const first = Math.floor(least / step);
    const last = Math.max(first + 1, Math.ceil(most / step));
    const [low, high] = [Real.exp(first * step), Real.exp(last * step)];
    const [less, more] = [this.#levels[strip]!, this.#levels[strip + 1]!];
    // Integrals of the weights of the upper levels, which are linear in the ratios, and of their product.
    const ofMore = (far - less * near) / (more - less);
    const ofHigh = (own - low * near) / (high - low);
    const ofBoth = (ownFar - less * own - low * (far - less * near)) / ((more - less) * (high - low));
    this.#put(strip + 1, last, ofBoth);
    this.#put(strip + 1, first, ofMore - ofBoth);
    this.#put(strip, last, ofHigh - ofBoth);
    this.#put(strip, first, near - ofMore - ofHigh + ofBoth);
  }

  #put(level: number, step: number, mass: number): void {
    this.#masses[level * (2 * this.#steps + 1) + this.#steps + step]! += Math.max(0, mass);
  }

  atoms(): PlaceAtoms {
    const width = 2 * this.#steps + 1;
    const ratios = Float64Array.from({ length: width }, (_, k) => Real.exp((k - this.#steps) * this.#step));
    let count = 0;
    for (const mass of this.#masses) if (mass > 0) count++;
    const [near, far, own] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
    let next = 0;
    for (const [level, ratio] of this.#levels.entries())
      for (let k = 0; k < width; k++) {
        const mass = this.#masses[level * width + k]!;
        if (!(mass > 0)) continue;
        near[next] = mass;
        far[next] = mass * ratio;
        own[next++] = mass * ratios[k]!;
      }
    return { near, far, own };
  }
}
