/**
 * Counting with messages of two signs (B. Ghazi, R. Kumar, P. Manurangsi, R. Pagh, "Private Counting from
 * Anonymous Messages", ICML 2020): +1 is sent x + Z1 + Z3 times and -1 Z2 + Z3 times in all, Z1 and Z2
 * geometric of mass (1 - a) a^k, Z3 of a wide law f. The difference is x with discrete Laplace noise,
 * whatever Z3; both numbers are seen (docs/noisy-counts.md).
 */
import { Real, requireNonNegative, requireOpenUnit, type Interval } from '@shuffle-dp/core';
import { bracketOf, Excess } from './excess-sum.ts';
import type { NoiseLaw } from './noise-law.ts';

export interface SignedCount {
  /** a, in (0, 1). */
  readonly ratio: number;
  /** The law f of what both signs share. */
  readonly shared: NoiseLaw;
}

/**
 * Bracket of the larger of D(P, Q) and D(Q, P), x = 1 against x = 0.
 *
 * With T(u) = sum over z up to u of f(z) a^(2 (u - z)), so that T(u) = f(u) + a^2 T(u - 1), seeing u times +1
 * and v times -1 has ratio P/Q = 1/a for v < u, where Q has a / (1 + a) in all, and elsewhere a
 * T(u - 1) / T(u), where Q has (1 - a) T(u) for each u in all.
 * @throws ParameterError for a ratio outside (0, 1) or epsilon < 0
 */
export function signedCountDivergence({ ratio, shared }: SignedCount, epsilon: number): Interval {
  requireOpenUnit('ratio', ratio);
  requireNonNegative('epsilon', epsilon);
  const square = ratio * ratio;
  const scale = 1 - ratio;
  return bracketOf(shared, epsilon, (growth) => {
    const [first, second] = [new Excess(), new Excess()];
    first.add(1 / (1 + ratio), (growth * ratio) / (1 + ratio));
    let before = 0;
    for (const log of shared.logMass) {
      const here = Real.exp(log) + square * before;
      first.add(scale * ratio * before, scale * growth * here);
      second.add(scale * here, scale * growth * ratio * before);
      before = here;
    }
    // Beyond the law's end here = a^2 before: no evidence for x = 0, and for x = 1 as much as before.
    const rest = (scale * before) / (1 - square);
    first.add(ratio * rest, growth * square * rest);
    second.add(square * rest, growth * ratio * rest);
    return [first.total(), second.total()];
  });
}
