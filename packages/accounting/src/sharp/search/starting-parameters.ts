/** Where searches for parameters begin, and whole numbers of users near any. */
import { saddlePoint } from '../../blanket/exponential-tilt.ts';
import type { SharpParameters } from '../input-bound.ts';
import type { PreparedInput } from '../prepared-input.ts';

/**
 * By how much less the variance is with the others' own laws than with the blanket, where the latter is not
 * known.
 */
const USUALLY_NARROWER = 0.3;

/**
 * From the variances of the gains, with and without the blanket, and from how much the ratios vary
 * (docs/sharp-bound.md).
 */
export function guess({ gains, draws, mass }: PreparedInput, users: number): SharpParameters {
  const variance = gains.values.reduce((sum, value, i) => sum + gains.probabilities[i]! * value * value, 0);
  const theta = saddlePoint(gains, users)!.theta;
  const blanketVariance =
    draws.gains.reduce((sum, gain, i) => sum + draws.probabilities[i]! * gain * gain, 0) / mass;
  const narrower = blanketVariance > 0 ? Math.max(0, 1 - variance / blanketVariance) : USUALLY_NARROWER;
  const spread = Math.sqrt(narrower * draws.deviation * draws.deviation * users);
  return scaled(
    {
      buffer: Math.max(2 * spread, 10 / mass),
      kappa: blanketVariance > 0 ? variance / (mass * blanketVariance) : 1,
      theta,
    },
    users,
  );
}

/** With an even number of users beside the buffer, at least two. */
export function scaled(
  { buffer, kappa, theta }: SharpParameters,
  users: number,
  bufferFactor = 1,
  kappaFactor = 1,
  thetaFactor = 1,
): SharpParameters {
  const wanted = Math.min(Math.round(buffer * bufferFactor), users - 3);
  const parity = (users - 1 - wanted) % 2;
  return {
    buffer: wanted >= parity ? wanted - parity : 1,
    kappa: kappa * kappaFactor,
    theta: theta * thetaFactor,
  };
}
