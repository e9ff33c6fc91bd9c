// @module-tag long
/** Every mechanism at several targets: minutes, for those whose sharp bound takes long. */
import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../../src/account/account.ts';
import { calibrateMechanism, type MechanismCalibration } from '../../../src/account/calibrate-mechanism.ts';
import { MECHANISMS } from '../../../src/account/mechanisms.ts';
import { describeCalibratedRounds, LONG_ROUNDS } from './calibrated-rounds.ts';
import { otherParameters } from '../other-parameters.ts';

/** With their other parameters as they are no value of these is as private. */
const LEAST = {
  epsilon: 0.05,
  outOfReach: ['balcer-cheu', 'balls-into-bins', 'pure-dump', 'variation-ratio'],
};

describe.each(MECHANISMS)('$name', (card) => {
  it.each([LEAST.epsilon, 0.25, 1])('is calibrated to epsilon %d, on the private side', (epsilon) => {
    const target = { users: 10_000, epsilon, delta: 1e-6, rounds: 1 };
    const calibrated = (): MechanismCalibration =>
      calibrateMechanism(card.name, otherParameters(card), target);
    if (epsilon === LEAST.epsilon && LEAST.outOfReach.includes(card.name)) {
      expect(calibrated).toThrow(/epsilon = 0.05: must be at least .* certifies at delta/u);
      return;
    }
    const { found, next } = calibrated();
    expect(found.epsilon.upper).toBeLessThanOrEqual(epsilon);
    expect(found.epsilon.lower).toBeLessThanOrEqual(found.epsilon.upper);
    if (next !== null) expect(next.epsilon.upper).toBeGreaterThan(epsilon);
  });
});

it.each([
  ['laplace', 1000, 1],
  ['laplace', 10_000, 0.25],
  ['clip-laplace', 10_000, 0.25],
] as const)(
  '%s among %d users, epsilon %d: an account says the same to a share of 0.002, and what cells of pairs may reach',
  (name, users, epsilon) => {
    const target = { users, epsilon, delta: 1e-6, rounds: 1 };
    const { parameters, looks } = calibrateMechanism(name, {}, target);
    expect(looks).toBeDefined();
    const { lower, upper } = accountMechanism(name, parameters, users, { delta: 1e-6 }).bracket;
    // docs/sharp-bound.md, "A pair that is slightly worse": where more is open than a calibration looks at.
    const reach = 0.03 * (epsilon / lower - 1);
    expect(Math.abs(upper / epsilon - 1)).toBeLessThan(2e-3 + reach);
  },
);

describe('a parameter is calibrated', () => {
  describeCalibratedRounds(LONG_ROUNDS);
});

describe.each(MECHANISMS)('$name, where a fifth of the users collude', (card) => {
  it.each([1, 4])('is calibrated as with four fifths of them, in %d rounds', (rounds) => {
    const target = { users: 8000, epsilon: 0.5, delta: 1e-6, rounds };
    const { found } = calibrateMechanism(card.name, otherParameters(card), {
      ...target,
      users: 10_000,
      threats: { colluding: 0.2 },
    });
    expect(found).toEqual(calibrateMechanism(card.name, otherParameters(card), target).found);
  });
});
