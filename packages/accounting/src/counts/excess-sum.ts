/**
 * Sums of positive parts of differences of two laws, as brackets of their divergence.
 *
 * Masses of a law are known to a relative e, and products of two to 2 e, so that P <= (1 + 2e) P' and Q >=
 * (1 - 2e) Q' for those that are summed, whence D_eps(P, Q) <= (1 + 2e) D_eps'(P', Q') at an eps' less by 5
 * e, and likewise from below.
 */
import { CompensatedSum, interval, Real, type Interval, ROUNDOFF } from '@shuffle-dp/core';
import { CUT, type NoiseLaw } from './noise-law.ts';

/**
 * Of sums of a few million positive terms, relative to their total: compensated sums, and a few operations
 * with them.
 */
const SUM_ERROR = 64 * ROUNDOFF;

/** A sum of positive parts, and of what they are differences of. */
export interface SummedExcess {
  readonly excess: number;
  readonly mass: number;
}

export class Excess {
  readonly #sum = new CompensatedSum();
  #mass = 0;

  /** Adds (p - q)_+. */
  add(p: number, q: number): void {
    if (!(p > q)) return;
    this.#sum.add(p - q);
    this.#mass += p + q;
  }

  total(): SummedExcess {
    return { excess: this.#sum.value, mass: this.#mass };
  }
}

/** How well the masses of a law are known. */
interface SummedLaw extends Pick<NoiseLaw, 'error'> {
  /** What is missing at each of its ends at most. */
  readonly cut?: number;
}

/**
 * What is cut off is missing in both laws: from above it is added whole, from below it may have been taken
 * for evidence.
 * @param excessAt the excess at e^epsilon, in each order of the hypotheses
 */
export function bracketOf(
  { error, cut = CUT }: SummedLaw,
  epsilon: number,
  excessAt: (growth: number) => readonly SummedExcess[],
): Interval {
  const above = excessAt(Real.exp(epsilon - 5 * error));
  const below = excessAt(Real.exp(epsilon + 5 * error));
  const upper = Math.max(...above.map(({ excess, mass }) => excess + SUM_ERROR * mass));
  const lower = Math.max(...below.map(({ excess, mass }) => excess - SUM_ERROR * mass));
  return interval(
    Math.max(0, lower * (1 - 3 * error) - 4 * cut * Real.exp(epsilon)),
    Math.min(1, upper * (1 + 3 * error) + 4 * cut),
  );
}
