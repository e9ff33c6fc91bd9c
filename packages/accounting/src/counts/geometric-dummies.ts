/**
 * Dummies of a two-sided geometric law with unequal sides (SAGeo; Murakami, Sei, Eriguchi, IEEE S&P 2025), or
 * of a geometric one (S1Geo): the law is made so that the loss of a count takes three values, and the
 * divergence is a sum of nine terms (docs/noisy-counts.md).
 */
import {
  interval,
  ParameterError,
  Real,
  requireInteger,
  requireNonNegative,
  requirePositive,
  type Interval,
} from '@shuffle-dp/core';

export interface GeometricDummies {
  /** What the law is made for, in nats: no loss of two counts exceeds it but where one of them is empty. */
  readonly design: number;
  /** Probability b that a message is kept, from 1 - e^(-design/2) to 1. */
  readonly rate: number;
  /** The mode nu. */
  readonly mode: number;
  /** log(1 - rate) where that is -design/2 exactly, as of S1Geo; default the logarithm. */
  readonly logUnsent?: number;
}

/** q_l and q_r: masses are proportional to q_l^(nu - k) below the mode and to q_r^(k - nu) from it on. */
export function geometricDummyRatios(
  design: number,
  rate: number,
): { readonly left: number; readonly right: number } {
  return {
    left: Math.max(0, (Real.expm1(-design / 2) + rate) / rate),
    right: rate / (Real.expm1(design / 2) + rate),
  };
}

/** Relative, of every term. */
const ROUNDING = 1e-12;
/** Of a logarithm that is not exact, in nats. */
const LOG_ROUNDING = 1e-14;

/**
 * Bracket of D((N + B, N'), (N, N' + B')) at epsilon, as `exchangedCountDivergence`; without its rounding
 * where losses are epsilon exactly.
 *
 * With S = Pr[N >= nu] and l the loss of N + B against N at k: e^l = 1 - b + b f(k-1)/f(k) is e^(design/2)
 * above nu, e^(-design/2) from 1 to nu, and 1 - b at 0.
 * @throws ParameterError
 */
export function geometricDummyDivergence(dummies: GeometricDummies, epsilon: number): Interval {
  requireNonNegative('epsilon', epsilon);
  const { design, rate, mode } = check(dummies);
  const { logUnsent = Real.log1p(-rate) } = dummies;
  const { left, right } = geometricDummyRatios(design, rate);
  const before = mode === 0 ? 0 : Real.power(left, mode);
  /** Sum of q_l^(nu - k) over k from 1 to nu. */
  const fromOne = mode === 0 ? 0 : 1 + sumOfPowers(left, mode - 1);
  const above = right / (1 - right);
  const none = mode === 0 ? 1 : before;
  const total = none + fromOne + above;
  const classes = [
    { mass: none / total, loss: logUnsent, exact: dummies.logUnsent !== undefined },
    { mass: fromOne / total, loss: -design / 2, exact: true },
    { mass: above / total, loss: design / 2, exact: true },
  ].filter(({ mass }) => mass > 0);
  let sum = 0;
  let unsure = 0;
  for (const u of classes) {
    for (const v of classes) {
      const weight = u.mass * v.mass * Real.exp(u.loss);
      if (weight === 0) continue;
      sum += weight * Math.max(0, -Real.expm1(epsilon - (u.loss - v.loss)));
      if (!(u.exact && v.exact) && u !== v) unsure += weight * LOG_ROUNDING;
    }
  }
  return interval(Math.max(0, sum * (1 - ROUNDING) - unsure), Math.min(1, sum * (1 + ROUNDING) + unsure));
}

/** ratio + ratio^2 + … + ratio^count. */
function sumOfPowers(ratio: number, count: number): number {
  return ratio === 0 ? 0 : (-ratio * Real.expm1(count * Real.log(ratio))) / (1 - ratio);
}

function check(dummies: GeometricDummies): GeometricDummies {
  const { design, rate, mode } = dummies;
  requirePositive('design', design);
  requireInteger('mode', mode, 0);
  const least = -Real.expm1(-design / 2);
  if (!(rate >= least * (1 - 1e-12) && rate <= 1))
    throw new ParameterError('rate', rate, `in [1 - e^(-design/2), 1] = [${least}, 1]`);
  return dummies;
}
