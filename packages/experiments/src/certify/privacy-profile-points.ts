/** Points of the curve delta(epsilon) that are proved, for other libraries: each is an upper bound, and so is the step function through them. */
import type { MechanismModel } from '@shuffle-dp/core';
import { certifiedBracket } from '../account/certified-bounds.ts';

export interface ProfilePoint {
  readonly epsilon: number;
  readonly delta: number;
}

/** Deltas of the points, two to a power of ten. */
const STEPS_PER_DECADE = 2;
const LEAST_DECADE = 12;

/** In rising order of epsilon, from 0 on; at the local budget, where there is one, delta is 0. */
export function privacyProfilePoints(model: MechanismModel, users: number): ProfilePoint[] {
  const points: ProfilePoint[] = [
    { epsilon: 0, delta: certifiedBracket(model, users, { epsilon: 0 }).upper },
  ];
  for (let step = 1; step <= STEPS_PER_DECADE * LEAST_DECADE; step++) {
    const delta = Number((10 ** (-step / STEPS_PER_DECADE)).toPrecision(3));
    if (delta >= points[0]!.delta) continue;
    const epsilon = certifiedBracket(model, users, { delta }).upper;
    if (!(epsilon < model.epsilon0 && epsilon < Infinity)) break;
    if (epsilon > points.at(-1)!.epsilon) points.push({ epsilon, delta });
  }
  if (model.epsilon0 < Infinity) points.push({ epsilon: model.epsilon0, delta: 0 });
  return points;
}

/** With a header. */
export function profileCsv(points: readonly ProfilePoint[]): string {
  return ['epsilon,delta', ...points.map(({ epsilon, delta }) => `${epsilon},${delta}`), ''].join('\n');
}
