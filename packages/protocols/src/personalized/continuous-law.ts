/**
 * Laws of one number by their formulas, and their masses and densities on cells: what the accountant of
 * personal budgets takes.
 */
import type { CellLaw } from '@shuffle-dp/accounting';
import { normalMass, Real } from '@shuffle-dp/core';

export interface ContinuousLaw {
  density(z: number): number;
  /** Mass of [a, b]. */
  mass(a: number, b: number): number;
  /** Minus the second derivative of the log density, a constant. */
  readonly curvature: number;
}

/** Density factor e^(-rate |z - at|), of any total mass. */
export function exponentialLaw(factor: number, rate: number, at: number): ContinuousLaw {
  const piece = (near: number, length: number): number =>
    (factor * Real.exp(-rate * near) * -Real.expm1(-rate * length)) / rate;
  return {
    density: (z) => factor * Real.exp(-rate * Math.abs(z - at)),
    mass: (a, b) => {
      if (a >= at) return piece(a - at, b - a);
      if (b <= at) return piece(at - b, b - a);
      return piece(0, at - a) + piece(0, b - at);
    },
    curvature: 0,
  };
}

export function gaussianLaw(sigma: number, at: number): ContinuousLaw {
  return {
    density: (z) => Real.exp(-((z - at) ** 2) / (2 * sigma * sigma)) / (sigma * Math.sqrt(2 * Math.PI)),
    mass: (a, b) => normalMass(at, sigma, a, b),
    curvature: 1 / (sigma * sigma),
  };
}

/** The smaller of two laws that cross once, the first being the smaller above `at`. */
export function smallerOf(first: ContinuousLaw, second: ContinuousLaw, at: number): ContinuousLaw {
  return {
    density: (z) => Math.min(first.density(z), second.density(z)),
    mass: (a, b) => (a >= at ? first.mass(a, b) : second.mass(a, b)),
    curvature: first.curvature,
  };
}

/** Kinks of the law must be edges. Outer edges may be infinite. */
export function onCells(law: ContinuousLaw, edges: readonly number[]): CellLaw {
  const cells = edges.slice(1).map((end, i): [number, number] => [edges[i]!, end]);
  return {
    masses: Float64Array.from(cells, ([a, b]) => law.mass(a, b)),
    densities: {
      start: Float64Array.from(cells, ([a]) => law.density(a)),
      end: Float64Array.from(cells, ([, b]) => law.density(b)),
      bend: Float64Array.from(cells, ([a, b]) =>
        law.curvature === 0 ? 0 : (law.curvature * (b - a) ** 2) / 8,
      ),
    },
  };
}
