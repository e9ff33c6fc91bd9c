/** What holds of one account, and of two of the same mechanism. */
import { expect, it } from 'vitest';
import { accountMechanism, type Account } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';

export const LOCAL = MECHANISMS.filter(({ parameters }) => parameters[0]!.name === 'epsilon0');
export const DELTA = 1e-5;
/** Width of the certified ends. */
const WIDTH = 1e-4;

/** Ends in order, within the local budget, and below every bound that is called sound. */
export function expectCoherent({ bracket, bounds }: Account, budget: number): void {
  expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
  expect(bracket.upper).toBeLessThanOrEqual(budget);
  for (const { name: bound, direction, value, sound } of bounds) {
    if (value === null || sound !== true || direction === 'lower') continue;
    expect({ bound, value, above: value >= bracket.upper }).toEqual({ bound, value, above: true });
  }
}

export function expectFall(few: Account, many: Account): void {
  expect(many.bracket.upper).toBeLessThanOrEqual(few.bracket.upper * (1 + WIDTH));
  expect(many.bracket.lower).toBeLessThanOrEqual(few.bracket.upper);
}

/** Integrals over the few outputs that decide may say less of a few users than is known of two. */
export function describeFewWithNoise(numbers: readonly number[]): void {
  it.each([
    [1, { epsilon: 3 }],
    [4, { delta: 1e-9 }],
  ])('of Gaussian noise of deviation %s it is at most that of two users, at %j', (sigma, target) => {
    const of = (users: number): number =>
      accountMechanism('gaussian', { sigma }, users, target).bracket.upper;
    const two = of(2);
    for (const users of numbers) expect(of(users)).toBeLessThan(two * (1 + 1e-5));
  });
}
