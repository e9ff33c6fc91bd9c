import { describe, expect, it } from 'vitest';
import { accountMechanism } from '../../src/account/account.ts';
import { MECHANISMS } from '../../src/account/mechanisms.ts';

const LOCAL = MECHANISMS.filter(({ parameters }) => parameters[0]!.name === 'epsilon0');
const BUDGETS = [0.2, 2];
const USERS = [500, 50_000];
const DELTA = 1e-5;
/** Width of the certified ends. */
const WIDTH = 1e-4;

describe('over budgets and users', () => {
  it.each(LOCAL)('$name is coherent, falls with users and grows with the budget', ({ name, example }) => {
    const grid = BUDGETS.map((epsilon0) =>
      USERS.map((users) => accountMechanism(name, { ...example, epsilon0 }, users, { delta: DELTA })),
    );
    for (const [b, accounts] of grid.entries()) {
      for (const { bracket, bounds } of accounts) {
        expect(bracket.lower).toBeLessThanOrEqual(bracket.upper);
        expect(bracket.upper).toBeLessThanOrEqual(BUDGETS[b]!);
        for (const { name: bound, direction, value, sound } of bounds) {
          if (value === null || sound !== true || direction === 'lower') continue;
          expect({ bound, value, above: value >= bracket.upper }).toEqual({ bound, value, above: true });
        }
      }
      for (let i = 1; i < accounts.length; i++) {
        const [few, many] = [accounts[i - 1]!.bracket, accounts[i]!.bracket];
        expect(many.upper).toBeLessThanOrEqual(few.upper * (1 + WIDTH));
        expect(many.lower).toBeLessThanOrEqual(few.upper);
      }
    }
    for (const [i, { bracket }] of grid[0]!.entries()) {
      expect(bracket.upper).toBeLessThan(grid[1]![i]!.bracket.lower);
    }
  });
});
