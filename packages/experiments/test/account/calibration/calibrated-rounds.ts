/** Mechanisms that are calibrated for many rounds. */
import { expect, it } from 'vitest';
import type { ParameterValues } from '@shuffle-dp/core';
import { calibrateMechanism } from '../../../src/account/calibrate-mechanism.ts';
import { composeMechanisms } from '../../../src/account/compose-account.ts';

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

export const QUICK_ROUNDS: readonly RoundsCase[] = [
  { mechanism: 'grr', given: { domain: 8 }, users: 2000, epsilon: 0.25, rounds: 8, within: 1e-3 },
];

/** Estimates are the upper ends of the first, and a fifth too large for the last. */
export const LONG_ROUNDS: readonly RoundsCase[] = [
  { mechanism: 'gaussian', given: {}, users: 1000, epsilon: 1, rounds: 4, within: 0.003 },
  { mechanism: 'duchi', given: {}, users: 1000, epsilon: 1, rounds: 4, within: 0.01 },
  { mechanism: 'duchi', given: {}, users: 1000, epsilon: 0.5, rounds: 4, within: 0.01 },
];

/** The value that is found and the next one are what `compose` certifies of them, on either side. */
export function describeCalibratedRounds(cases: readonly RoundsCase[]): void {
  it.each(cases)('for rounds of $mechanism as compose certifies them', (asked) => {
    const { mechanism, given, users, epsilon, rounds } = asked;
    const target = { users, epsilon, delta: DELTA, rounds };
    const { found, next, calibrated } = calibrateMechanism(mechanism, given, target);
    const composed = [found, next!].map(
      ({ value }) =>
        composeMechanisms([{ mechanism, parameters: { ...given, [calibrated]: value }, users, rounds }], {
          delta: DELTA,
        }).bracket,
    );
    expect([found.epsilon, next!.epsilon]).toEqual(composed);
    expect(found.epsilon.upper).toBeLessThanOrEqual(epsilon);
    expect(next!.epsilon.upper).toBeGreaterThan(epsilon);
    expect(Math.abs(next!.value / found.value - 1)).toBeLessThan(asked.within);
  });
}
