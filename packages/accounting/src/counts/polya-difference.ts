/**
 * The difference of two independent negative binomial (Polya) numbers: what the noise of many users adds up
 * to, each of whom adds a share of discrete Laplace noise.
 */
import {
  CompensatedSum,
  logSumExp,
  Real,
  requireOpenUnit,
  requirePositiveProbability,
} from '@shuffle-dp/core';
import {
  CLOSED_FORM_ERROR,
  FACTOR_ERROR,
  LOG_CUT,
  MOST_MASSES,
  tooWide,
  type NoiseLaw,
} from './noise-law.ts';

/**
 * Both of mass C(k + shape - 1, k) (1 - a)^shape a^k, a = `ratio`. Of shape 1 the difference is discrete
 * Laplace, (1 - a) / (1 + a) a^|v|.
 *
 * Its generating function G obeys z (1 - a z) (z - a) G' = shape a (z^2 - 1) G, so that
 *
 *     (1 + a^2) v f(v) = a (v - 1 + shape) f(v - 1) + a (v + 1 - shape) f(v + 1) .
 *
 * f is the solution that falls: its ratios f(v) / f(v - 1) are found from far out inwards, where errors
 * shrink by a^2 a step (Miller's algorithm), and all terms are positive.
 * @throws ParameterError unless ratio is in (0, 1) and shape in (0, 1]
 * @example momentsOf(polyaDifferenceNoise(1, 0.5)).variance // 4
 */
export function polyaDifferenceNoise(shape: number, ratio: number): NoiseLaw {
  requireOpenUnit('ratio', ratio);
  requirePositiveProbability('shape', shape);
  const most = Math.ceil(LOG_CUT / Real.log(ratio)) + 1;
  if (!(most <= MOST_MASSES)) throw tooWide();
  const forgotten = Math.ceil(25 / (1 - ratio));
  const square = 1 + ratio * ratio;
  const logGrowth = new Float64Array(most + 1);
  let growth = ratio;
  for (let v = most + forgotten; v >= 1; v--) {
    growth = (ratio * (v - 1 + shape)) / (square * v - ratio * (v + 1 - shape) * growth);
    if (v <= most) logGrowth[v] = Real.log(growth);
  }
  const sum = new CompensatedSum();
  const half = logGrowth.map((log) => {
    sum.add(log);
    return sum.value;
  });
  const logMass = Float64Array.from({ length: 2 * most + 1 }, (_, i) => half[Math.abs(i - most)]!);
  const logTotal = logSumExp(logMass);
  return {
    first: -most,
    logMass: logMass.map((log) => log - logTotal),
    // Of each ratio an error is kept until it is forgotten.
    error: CLOSED_FORM_ERROR + FACTOR_ERROR * (most + forgotten),
  };
}
