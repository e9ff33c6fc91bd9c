/**
 * Moments of Clip-Laplace in units of its scale, around the middle of its range: density
 * e^(-|z - centre|) / normaliser on [-half, half], |centre| <= half. Written with lower incomplete gamma
 * functions P(k, a) = Pr[Poisson(a) >= k], so that small budgets (half near 0) do not cancel.
 */
import { Real } from '@shuffle-dp/core';

/** The integral of e^(-|z - centre|) over [-half, half]. */
export function normaliser(centre: number, half: number): number {
  return -Real.expm1(-(half + centre)) - Real.expm1(-(half - centre));
}

/** Increasing and odd in the centre; smaller than the centre in size. */
export function meanOf(centre: number, half: number): number {
  // (centre - (1 + half) e^-half sinh(centre)) * 2 / normaliser, the bracket rewritten without cancellation.
  const shrunk = (1 + half) * Real.exp(-half);
  return (2 * (centre * poissonTail(2, half) - shrunk * sinhExcess(centre))) / normaliser(centre, half);
}

export function varianceOf(centre: number, half: number): number {
  const square =
    (2 * (poissonTail(3, half + centre) + poissonTail(3, half - centre))) / normaliser(centre, half);
  const shift = centre - meanOf(centre, half);
  return square - shift * shift;
}

/**
 * The inverse of the mean function: the centre with this mean, or the end of the range for means beyond
 * reach. Newton's method from the inverse for a vanishing budget, where the mean is proportional to 3
 * x - x^3, x = centre / half.
 */
export function meanInverter(half: number): (mean: number) => number {
  const largest = meanOf(half, half);
  const tail = poissonTail(2, half);
  const edge = Real.exp(-half);
  const side = -Real.expm1(-half);
  return (mean) => {
    const target = Math.abs(mean);
    if (target >= largest) return mean > 0 ? half : -half;
    let low = 0;
    let high = half;
    let centre = 2 * half * Real.sin(Real.asin(target / largest) / 3);
    for (let step = 0; step < 60; step++) {
      // Mean = 2 (centre tail - (1 + half) edge (sinh - centre)) / total, as in meanOf, and its derivative.
      const sinhHalf = Real.sinh(centre / 2);
      const coshLessOne = 2 * sinhHalf * sinhHalf;
      const total = 2 * (side - edge * coshLessOne);
      const excess = (2 * (centre * tail - (1 + half) * edge * sinhExcess(centre))) / total - target;
      const slope =
        (2 * (tail - edge * ((1 + half) * coshLessOne - (excess + target) * Real.sinh(centre)))) / total;
      if (excess > 0) high = centre;
      else low = centre;
      const next = centre - excess / slope;
      const inside = next >= low && next <= high ? next : low + (high - low) / 2;
      const change = Math.abs(inside - centre);
      centre = inside;
      // Newton's error is squared at every step, so the next would be below rounding.
      if (change <= 1e-9 * half) break;
    }
    return mean < 0 ? -centre : centre;
  };
}

/** Pr[Poisson(a) >= k] for k = 2 or 3. */
function poissonTail(k: 2 | 3, a: number): number {
  if (a > 1) return 1 - Real.exp(-a) * (k === 2 ? 1 + a : 1 + a + (a * a) / 2);
  let term = k === 2 ? (a * a) / 2 : (a * a * a) / 6;
  let sum = term;
  for (let j = k + 1; term > sum * 1e-17; j++) {
    term *= a / j;
    sum += term;
  }
  return Real.exp(-a) * sum;
}

/** sinh(x) - x. */
function sinhExcess(x: number): number {
  if (Math.abs(x) > 1) return Real.sinh(x) - x;
  const square = x * x;
  let term = (x * square) / 6;
  let sum = term;
  for (let j = 5; Math.abs(term) > Math.abs(sum) * 1e-17; j += 2) {
    term *= square / (j * (j - 1));
    sum += term;
  }
  return sum;
}
