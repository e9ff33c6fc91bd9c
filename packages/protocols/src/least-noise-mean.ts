/** The least mean of noise, in messages, that is enough for a central target. */
import { ParameterError, Real } from '@shuffle-dp/core';
import { calibrate } from '@shuffle-dp/accounting';

/** Relative; the mean is on the private side. */
const MEAN_TOLERANCE = 1e-6;
const SMALLEST = 1e-9;
/** Laws of noise are cut at their ends, and divergences have four times as much added: none is below. */
const LEAST_DELTA = 1e-289;
/** First steps of the logarithm: from where nothing is known, and from a mean that is thought to be near. */
const [FAR, NEAR] = [Math.LN2, 0.02];

/** What noise is to meet, and how much of it may be tried. */
export interface NoiseTarget {
  /** Central, in nats. */
  readonly epsilon: number;
  readonly delta: number;
  /** The largest mean that is tried. */
  readonly most: number;
  /** What is counted, for the refusal. */
  readonly messages: string;
}

/**
 * @param divergenceAt upper bound of the divergence at the target's epsilon with noise of a mean, which falls
 * as the mean grows
 * @param near a mean that is thought to be about enough
 * @throws ParameterError of epsilon where it would take more, of delta where no mean would do
 */
export function leastNoiseMean(
  divergenceAt: (mean: number) => number,
  { epsilon, delta, most, messages }: NoiseTarget,
  near?: number,
): number {
  if (delta < LEAST_DELTA)
    throw new ParameterError(
      'delta',
      delta,
      `at least ${LEAST_DELTA}, the least that noise in counts is proved for`,
    );
  // Privacy falls with minus the logarithm of the mean.
  const axis = {
    valueAt: (position: number) => Real.exp(-position),
    mostPrivate: -Real.log(most),
    leastPrivate: -Real.log(SMALLEST),
  };
  const found = calibrate(axis, {
    excess: (mean) => Real.log(divergenceAt(mean) / delta),
    start: -Real.log(near ?? 1),
    step: near === undefined ? FAR : NEAR,
    growth: near === undefined ? 1 : 2,
    tolerance: MEAN_TOLERANCE,
  });
  if (found === null)
    throw new ParameterError('epsilon', epsilon, `larger: it would take over ${most} ${messages}`);
  return found.value;
}
