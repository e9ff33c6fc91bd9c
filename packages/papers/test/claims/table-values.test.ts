import { expect, it } from 'vitest';
import { tableOf } from '../../src/claims/table-values.ts';

it('a table has a column for each name, of a field, of digits of one, or of a value of the row', () => {
  const rows = [
    { users: 10, epsilon: 0.123456, least: null },
    { users: 20, epsilon: 2, least: 1.9876 },
  ];
  const table = tableOf(rows, {
    n: 'users',
    epsilon: ['epsilon', 3],
    'at least': ['least', 2],
    twice: ({ users }) => 2 * users,
  });
  expect(table).toEqual({
    columns: ['n', 'epsilon', 'at least', 'twice'],
    rows: [
      [10, 0.123, '', 20],
      [20, 2, 2, 40],
    ],
  });
});

it('a proved end stands on the side on which it stays proved', () => {
  const rows = [{ least: 0.13987, most: 0.29151, none: null }];
  const { rows: shown } = tableOf(rows, {
    from: ['least', 4, 'lower'],
    to: ['most', 4, 'upper'],
    unknown: ['none', 4, 'upper'],
  });
  expect(shown).toEqual([[0.1398, 0.2916, '']]);
});
