import { expect, it } from 'vitest';
import { namedColumns } from '../../src/words/named-columns.ts';

it('a table has the heads in order, and a cell of each for every row', () => {
  const table = namedColumns(
    [2, 5],
    [
      ['n', String],
      ['twice', (n) => String(2 * n)],
    ],
  );
  expect(table).toEqual({
    columns: ['n', 'twice'],
    rows: [
      ['2', '4'],
      ['5', '10'],
    ],
  });
});
