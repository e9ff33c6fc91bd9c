import { describe, expect, it } from 'vitest';
import { checkKeyValues } from '../src/key-values/key-valued-data.ts';
import { checkPlaces } from '../src/places/place-data.ts';
import { checkNumbers } from '../src/sums-and-means/number-data.ts';
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
    [{ levels: [0.5, 301] }, 'levels[1] = 301: must be at most 300'],
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
  const histogram = Float64Array.of(5, 3, 2);
  const categories = { kind: 'categories', users: 10, domain: 3, histogram } as const;
  const sets = { kind: 'sets', users: 5, domain: 3, items: 2, histogram } as const;
  const held = Uint32Array.of(0, 0, 0, 0, 0, 1, 1, 1, 2, 2);
  const rows = Uint16Array.of(0, 1, 0, 1, 0, 1, 0, 2, 0, 2);

  it('of all users are taken, with everyone apart or without', () => {
    const even = new Float64Array(3).fill(10 / 3);
    for (const data of [categories, { ...categories, values: held }, { ...categories, histogram: even }])
      expect(() => checkData(data, categories)).not.toThrow();
    for (const data of [sets, { ...sets, rows }]) expect(() => checkData(data, sets)).not.toThrow();
  });

  it.each([
    [{ users: 11 }, 'data.users = 11: must be 10, as'],
    [{ histogram: Float64Array.of(5, 5) }, 'data.histogram = 2: must be 3, data.domain'],
    [{ histogram: Float64Array.of(5, 3, 1) }, '= 9: must be 10, data.users'],
    [{ histogram: Float64Array.of(9, 3, -2) }, 'must be 10'],
    [{ histogram: Float64Array.of(NaN, 3, 2) }, 'must be 10'],
    [{ values: held.slice(1) }, 'held = 9: must be 10, data.users'],
    [{ values: held.map((value) => value + 1) }, 'value 8 = 3: must be below data.domain = 3'],
  ])('of categories are refused with %o', (wrong, message) =>
    expect(() => checkData({ ...categories, ...wrong }, categories)).toThrow(message),
  );

  it.each([
    [{ items: 3 }, 'data.items = 3: must be 2, as'],
    [{ histogram: Float64Array.of(2, 2, 1) }, '= 5: must be 10, data.users times data.items'],
    [{ rows: rows.slice(2) }, 'held = 8: must be 10'],
    [{ rows: rows.map((item) => 2 * item) }, 'value 7 = 4: must be below'],
    [{ rows: rows.map((item, i) => (i === 3 ? 0 : item)) }, 'data.rows[3] = 0: must be above 0'],
  ])('of sets are refused with %o', (wrong, message) =>
    expect(() => checkData({ ...sets, ...wrong }, sets)).toThrow(message),
  );

  it.each([
    [{ pairs: { keys: held.slice(2), values: new Float64Array(8) } }, 'held = 8: must be 10'],
    [{ pairs: { keys: held.map(() => 9), values: new Float64Array(10) } }, 'value 0 = 9: must be below'],
    [{ pairs: { keys: held, values: new Float64Array(10).fill(NaN) } }, 'data.pairs.values[0] = NaN'],
    [{ sums: Float64Array.of(1, Infinity, 0) }, 'data.sums[1] = inf: must be a finite number'],
    [{ domain: 4 }, 'data.domain = 4: must be 3'],
  ])('of key-value pairs are refused with %o', (wrong, message) => {
    const [sums, squares] = [new Float64Array(3), new Float64Array(3)];
    const pairs = { ...sets, kind: 'key-values', sums, squares } as const;
    expect(() => checkKeyValues(pairs, sets)).not.toThrow();
    expect(() => checkKeyValues({ ...pairs, ...wrong }, sets)).toThrow(message);
  });

  it.each([
    [{ values: Float64Array.of(0, NaN) }, 'data.values[1] = NaN: must be a finite number'],
    [{ values: Float64Array.of(0) }, 'the number of values = 1: must be data.users = 2'],
    [{ counts: { points: Float64Array.of(0), holders: Float64Array.of(1, 1) } }, 'points = 1: must be 2'],
    [{ counts: { points: Float64Array.of(0, 1), holders: Float64Array.of(-1, 3) } }, 'must be data.users'],
    [{ counts: { points: Float64Array.of(0, Infinity), holders: Float64Array.of(1, 1) } }, 'points[1] = inf'],
  ])('of numbers are refused with %o', (wrong, message) =>
    expect(() => checkNumbers({ kind: 'numbers', users: 2, ...wrong }, 2)).toThrow(message),
  );

  it('of places are refused where one is none', () => {
    const [x, y] = [Float64Array.of(0, 1), Float64Array.of(0, NaN)];
    expect(() => checkPlaces({ kind: 'places', users: 2, x, y }, 2)).toThrow('data.y[1] = NaN');
  });
});
