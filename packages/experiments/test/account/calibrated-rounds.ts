/** Mechanisms that are calibrated for many rounds. */
import type { Interval, ParameterValues } from '@shuffle-dp/core';
import { calibrateMechanism, type CertifiedValue } from '../../src/account/calibrate-mechanism.ts';
import { composeMechanisms } from '../../src/account/compose-account.ts';

export interface RoundsCase {
  readonly mechanism: string;
  readonly given: ParameterValues;
  readonly users: number;
  readonly epsilon: number;
  readonly rounds: number;
  /** How near the next value is that does not meet the target, relative. */
  readonly within: number;
}

const DELTA = 1e-6;

/** Estimates are a fifth too large for the second. */
export const QUICK_ROUNDS: readonly RoundsCase[] = [
  { mechanism: 'grr', given: { domain: 8 }, users: 2000, epsilon: 0.25, rounds: 8, within: 1e-3 },
  { mechanism: 'duchi', given: {}, users: 1000, epsilon: 0.5, rounds: 4, within: 0.01 },
];

/** Estimates are the upper ends of the first. */
export const LONG_ROUNDS: readonly RoundsCase[] = [
  { mechanism: 'gaussian', given: {}, users: 1000, epsilon: 1, rounds: 4, within: 0.003 },
  { mechanism: 'duchi', given: {}, users: 1000, epsilon: 1, rounds: 4, within: 0.01 },
];

/** The value that is found and the next one, with what `compose` certifies of both. */
export function calibratedRounds({ mechanism, given, users, epsilon, rounds }: RoundsCase): {
  readonly found: CertifiedValue;
  readonly next: CertifiedValue;
  readonly composed: readonly Interval[];
} {
  const target = { users, epsilon, delta: DELTA, rounds };
  const { found, next, calibrated } = calibrateMechanism(mechanism, given, target);
  const composed = [found, next!].map(
    ({ value }) =>
      composeMechanisms([{ mechanism, parameters: { ...given, [calibrated]: value }, users, rounds }], {
        delta: DELTA,
      }).bracket,
  );
  return { found, next: next!, composed };
}
