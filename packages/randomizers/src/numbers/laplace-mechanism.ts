/**
 * The Laplace mechanism: the value plus noise of density e^(-|z|/scale) / (2 scale), scale = width of the
 * range / epsilon0. C. Dwork, F. McSherry, K. Nissim, A. Smith, TCC 2006. Its blanket: B. Balle, J. Bell, A.
 * Gascon, K. Nissim, CRYPTO 2019.
 */
import { fillLaplace, Real, requirePositive, sampleGamma, type MeanRandomizer } from '@shuffle-dp/core';
import { addNoise } from './additive-noise.ts';
import {
  budgetCard,
  clampTo,
  requireRange,
  unbiasedMean,
  type BoundedNumberParameters,
} from './bounded-value.ts';
import { localRatios } from '../laws/local-ratios.ts';
import { cellCount, cellsAround, endpointProfile, middleOf, type OutputLaw } from '../laws/output-cells.ts';
import { exponentialInputs } from '../exponential-noise/exponential-inputs.ts';

export interface LaplaceMechanism extends MeanRandomizer {
  /** Scale of the noise, in the units of the values. */
  readonly scale: number;
}

export const LAPLACE = budgetCard(
  {
    name: 'laplace',
    title: 'Laplace mechanism',
    description: 'A number of a bounded range with Laplace noise.',
    source: 'Dwork, McSherry, Nissim and Smith, TCC 2006',
    citation: 'dwork2006',
    ratios: { p: 'e^epsilon0', beta: '1 - e^(-epsilon0/2)', q: 'p' },
    estimator: 'the mean of the messages',
  },
  laplaceMechanism,
);

/**
 * Laplace noise for bounded numbers, unbiased.
 *
 * @throws ParameterError
 * @example laplaceMechanism({ epsilon0: 1 }).variance(0) // 2
 */
export function laplaceMechanism({
  epsilon0,
  inputRange = { low: 0, high: 1 },
}: BoundedNumberParameters): LaplaceMechanism {
  requirePositive('epsilon0', epsilon0);
  const range = requireRange(inputRange);
  const scale = (range.high - range.low) / epsilon0;
  return Object.freeze({
    name: 'laplace',
    epsilon0,
    ...unbiasedMean(range),
    scale,
    bitsPerMessage: 64,
    randomizeInto(values, messages, stream) {
      addNoise(values, range, { scale, fill: fillLaplace }, messages.columns.value, stream);
      messages.count = values.length;
    },
    density: (output, input) => Real.exp(-Math.abs(output - clampTo(range, input)) / scale) / (2 * scale),
    variance: () => 2 * scale * scale,
    // A Laplace number is the difference of two exponential ones, and a sum of exponential ones is gamma.
    sampleSum: (input, users, stream) =>
      users * clampTo(range, input) + scale * (sampleGamma(users, stream) - sampleGamma(users, stream)),
    amplification() {
      const law: OutputLaw = {
        inputRange: range,
        mass: (input, from, to) => laplaceMass(input, scale, from, to) / 2,
        // The difference of the distances to both ends; constant outside the range.
        logRatio: (output) => (range.high + range.low - 2 * clampTo(range, output)) / scale,
      };
      // In the tails the ratio is constant: one atom each. Between, cells of equal width in the logarithm of
      // the ratio.
      const edges = [
        -Infinity,
        ...cellsAround(middleOf(range), range.low, range.high, cellCount(epsilon0)),
        Infinity,
      ];
      return endpointProfile(law, edges, localRatios(epsilon0, -Real.expm1(-epsilon0 / 2)), {
        typed: () => exponentialInputs({ width: epsilon0, isClipped: false }),
      });
    },
  } satisfies LaplaceMechanism);
}

/** The integral of e^(-|z - centre|/scale) / scale over [from, to], without cancellation. */
export function laplaceMass(centre: number, scale: number, from: number, to: number): number {
  if (to <= from) return 0;
  if (to <= centre) return Real.exp((to - centre) / scale) * -Real.expm1((from - to) / scale);
  if (from >= centre) return Real.exp((centre - from) / scale) * -Real.expm1((from - to) / scale);
  return -Real.expm1((from - centre) / scale) - Real.expm1((centre - to) / scale);
}
