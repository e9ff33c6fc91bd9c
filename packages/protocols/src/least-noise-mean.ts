/** The least mean of noise, in messages, that is enough for a central target. */
import { ParameterError } from '@shuffle-dp/core';

/** Relative; the mean is on the private side. */
const MEAN_TOLERANCE = 1e-6;
const SMALLEST = 1e-9;

/**
 * @param enough whether noise of a mean meets the target; once it does, so does more noise
 * @param most the largest mean that is tried @param messages what is counted, for the refusal
 * @throws ParameterError of epsilon where it would take more
 */
export function leastNoiseMean(
  enough: (mean: number) => boolean,
  epsilon: number,
  most: number,
  messages: string,
): number {
  let high = 1;
  while (!enough(high)) {
    high *= 2;
    if (high > most)
      throw new ParameterError('epsilon', epsilon, `larger: it would take over ${most} ${messages}`);
  }
  let low = high === 1 ? SMALLEST : high / 2;
  while (high / low > 1 + MEAN_TOLERANCE) {
    const middle = Math.sqrt(low * high);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
