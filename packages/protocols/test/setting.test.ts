import { describe, expect, it } from 'vitest';
import { checkCategoricalSetting, checkSetValuedSetting, levelCounts } from '../src/setting.ts';

const setting = {
  users: 100,
  domain: 10,
  items: 2,
  delta: 1e-4,
  levels: [0.5, 1],
  shares: [0.5, 0.5],
};

describe('users per level', () => {
  it.each([
    [5000, [0.25, 0.5, 0.25], [1250, 2500, 1250]],
    [10, [0.25, 0.5, 0.25], [3, 5, 2]],
    [7, [1 / 3, 1 / 3, 1 / 3], [3, 2, 2]],
    [100, [0.29, 0.71], [29, 71]],
    [1, [0.5, 0.5], [1, 0]],
    [12345, [0.1, 0.2, 0.7], [1235, 2469, 8641]],
    [1e15, [0.5, 0.5], [5e14, 5e14]],
    [4e15, [0.25, 0.25, 0.5], [1e15, 1e15, 2e15]],
  ])('%d by %j are %j', (users, shares, counts) => {
    expect(levelCounts(users, shares)).toEqual(counts);
  });

  it('always sum to all users', () => {
    const most = Array.from({ length: 100 }, (_, i) => Math.floor(Number.MAX_SAFE_INTEGER / (1 + 0.37 * i)));
    for (const users of [...Array.from({ length: 399 }, (_, i) => i + 1), ...most]) {
      const counts = levelCounts(users, [0.07, 0.13, 0.29, 0.31, 0.2]);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(users);
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(0);
    }
  });
});

describe('a setting', () => {
  it.each([
    [{ users: 0 }, 'users = 0: must be an integer of at least 1'],
    [{ items: 11 }, 'items = 11: must be an integer from 1 to 10'],
    [{ delta: 0 }, 'delta = 0: must be in (0, 1)'],
    [{ levels: [0.5, -1] }, 'levels[1] = -1: must be a positive number'],
    [{ levels: [1, 0.5] }, 'levels[1] = 0.5: must be greater than levels[0] = 1'],
    [{ shares: [1] }, 'shares = "1 entries": must be 2 entries, one per level'],
    [{ shares: [0.5, 0.4] }, 'the sum of shares = 0.9: must be 1'],
    [{ shares: [1.5, -0.5] }, 'shares[1] = -0.5: must be zero or a positive number'],
  ])('with %j is refused', (change, message) => {
    expect(() => checkSetValuedSetting({ ...setting, ...change })).toThrow(message);
  });

  it('for categories is checked as well', () => {
    expect(() => checkCategoricalSetting({ users: 5, domain: 1, delta: 0.1 })).toThrow('domain = 1');
    expect(() => checkCategoricalSetting({ users: 5, domain: 3, delta: 0.1, epsilon: 0 })).toThrow(
      'epsilon = 0',
    );
    expect(checkCategoricalSetting({ users: 5, domain: 3, delta: 0.1 }).users).toBe(5);
  });
});
