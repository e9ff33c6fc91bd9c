/** Tilting: reweighting a law by e^(theta g) so that its mean becomes zero and what was a tail becomes the bulk. */

/** A tilted law's parameters: log mean of e^(theta g), and the variance under the tilt. */
export interface Tilt {
  readonly theta: number;
  readonly logMean: number;
  readonly variance: number;
}

/** The theta >= 0 at which the tilted mean is zero; 0 where the mean is not negative, or no value is positive. */
export function zeroMeanTilt(values: ArrayLike<number>, probabilities: ArrayLike<number>): Tilt {
  const untilted = moments(values, probabilities, 0);
  let most = -Infinity;
  for (let i = 0; i < values.length; i++) if (probabilities[i]! > 0) most = Math.max(most, values[i]!);
  if (untilted.mean >= 0 || most <= 0) return { theta: 0, logMean: 0, variance: untilted.variance };
  let low = 0;
  let high = 1 / most;
  while (moments(values, probabilities, high).mean < 0 && high * most < 600) high *= 2;
  for (let step = 0; step < 60 && high - low > 1e-10 * high; step++) {
    const middle = (low + high) / 2;
    if (moments(values, probabilities, middle).mean < 0) low = middle;
    else high = middle;
  }
  const { logMean, variance } = moments(values, probabilities, low);
  return { theta: low, logMean, variance };
}

function moments(
  values: ArrayLike<number>,
  probabilities: ArrayLike<number>,
  theta: number,
): { mean: number; variance: number; logMean: number } {
  let peak = -Infinity;
  for (let i = 0; i < values.length; i++)
    if (probabilities[i]! > 0) peak = Math.max(peak, theta * values[i]!);
  let mass = 0;
  let first = 0;
  let second = 0;
  for (let i = 0; i < values.length; i++) {
    const weight = probabilities[i]! * Math.exp(theta * values[i]! - peak);
    mass += weight;
    first += weight * values[i]!;
    second += weight * values[i]! * values[i]!;
  }
  const mean = first / mass;
  return { mean, variance: Math.max(0, second / mass - mean * mean), logMean: peak + Math.log(mass) };
}

/** Mass left outside a window of the sum is below e^-DROPPED_EXPONENT of the tilted law, by Bernstein's inequality. */
export const DROPPED_EXPONENT = 48;

/** Half-width of such a window for a sum of `count` centred values bounded by `largest`. */
export function bernsteinWindow(count: number, variance: number, largest: number): number {
  const linear = (DROPPED_EXPONENT * largest) / 3;
  return linear + Math.sqrt(linear * linear + 2 * DROPPED_EXPONENT * count * variance);
}
