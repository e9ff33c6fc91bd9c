import { describe, expect, it } from 'vitest';
import { checkKeyValues } from '../src/key-values/key-valued-data.ts';
import { checkCategoricalSetting, checkData, checkSetValuedSetting, levelCounts } from '../src/setting.ts';

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

describe('data', () => {
  const categories = { users: 10, domain: 3, histogram: Float64Array.of(5, 3, 2) };
  const sets = { users: 5, domain: 3, items: 2, histogram: Float64Array.of(5, 3, 2) };

  it('of all users are taken, with everyone apart or without', () => {
    expect(() => checkData(categories, categories)).not.toThrow();
    expect(() => checkData({ ...categories, values: new Uint32Array(10) }, categories)).not.toThrow();
    expect(() =>
      checkData({ ...categories, histogram: new Float64Array(3).fill(10 / 3) }, categories),
    ).not.toThrow();
    expect(() => checkData({ ...sets, rows: new Uint16Array(10) }, sets)).not.toThrow();
  });

  it.each([
    ['users', { ...categories, users: 11 }, categories, 'data.users = 11: must be 10'],
    [
      'too few counts',
      { ...categories, histogram: Float64Array.of(5, 5) },
      categories,
      '= 2: must be 3, data.domain',
    ],
    [
      'some users',
      { ...categories, histogram: Float64Array.of(5, 3, 1) },
      categories,
      '= 9: must be 10, data.users',
    ],
    ['less than none', { ...categories, histogram: Float64Array.of(9, 3, -2) }, categories, 'must be 10'],
    ['no numbers', { ...categories, histogram: Float64Array.of(NaN, 3, 2) }, categories, 'must be 10'],
    ['one user too few', { ...categories, values: new Uint32Array(9) }, categories, 'values = 9: must be 10'],
    [
      'sets by users',
      { ...sets, histogram: Float64Array.of(2, 2, 1) },
      sets,
      '= 5: must be 10, data.users times data.items',
    ],
    ['a set too few', { ...sets, rows: new Uint16Array(8) }, sets, 'data.rows = 8: must be 10'],
  ] as const)('are refused: %s', (_, data, made, message) => {
    expect(() => checkData(data, made)).toThrow(message);
  });

  it('of key-value pairs are checked likewise', () => {
    const [sums, squares] = [new Float64Array(3), new Float64Array(3)];
    const pairs = { ...sets, kind: 'key-values', sums, squares } as const;
    expect(() => checkKeyValues(pairs, sets)).not.toThrow();
    const held = { keys: new Uint32Array(8), values: new Float64Array(8) };
    expect(() => checkKeyValues({ ...pairs, pairs: held }, sets)).toThrow('data.rows = 8: must be 10');
  });
});
