/**
 * Points of the curve delta(epsilon) that are proved, for other libraries: each is an upper bound, and so is
 * the step function through them.
 */
import type { ParameterValues, Target } from '@shuffle-dp/core';
import { accountMechanism } from '../account/account.ts';
import { mechanismModel } from '../account/mechanisms.ts';
import { NoCertificateError } from './no-certificate-error.ts';

export interface ProfilePoint {
  readonly epsilon: number;
  readonly delta: number;
}

/** Deltas of the points, two to a power of ten. */
const STEPS_PER_DECADE = 2;
const LEAST_DECADE = 12;

/**
 * In rising order of epsilon, from 0 on; at the local budget, where there is one, delta is 0.
 * @throws ParameterError; NoCertificateError for a raw pair, which is no mechanism
 */
export function privacyProfilePoints(
  mechanism: string,
  given: ParameterValues,
  users: number,
): ProfilePoint[] {
  const { epsilon0, pairOnly } = mechanismModel(mechanism, given);
  if (pairOnly) throw new NoCertificateError(`no profile: ${mechanism} is a pair of laws, not a mechanism`);
  const upper = (target: Target): number => accountMechanism(mechanism, given, users, target).bracket.upper;
  const points: ProfilePoint[] = [{ epsilon: 0, delta: upper({ epsilon: 0 }) }];
  for (let step = 1; step <= STEPS_PER_DECADE * LEAST_DECADE; step++) {
    const delta = Number((10 ** (-step / STEPS_PER_DECADE)).toPrecision(3));
    if (delta >= points[0]!.delta) continue;
    const epsilon = upper({ delta });
    if (!(epsilon < epsilon0 && epsilon < Infinity)) break;
    if (epsilon > points.at(-1)!.epsilon) points.push({ epsilon, delta });
  }
  if (epsilon0 < Infinity) points.push({ epsilon: epsilon0, delta: 0 });
  return points;
}

/** Points of a privacy profile as CSV with the header `epsilon,delta`; epsilons in nats. */
export function profileCsv(points: readonly ProfilePoint[]): string {
  return ['epsilon,delta', ...points.map(({ epsilon, delta }) => `${epsilon},${delta}`), ''].join('\n');
}
