// docs/protocols-reproduced.md says what is printed, and what is computed today.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { markedTable } from '../../cli/test/docs/markdown-table.ts';
import { REPRODUCED } from './reproduced-protocols.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/protocols-reproduced.md'), 'utf8');
/** Cells of the page's first table: protocol, source, printed, ours, verdict. */
const rows = markedTable(page, 'protocols');

it('has a row for each of them, and no other', () => {
  expect(rows.map(([protocol]) => protocol)).toEqual(REPRODUCED.map(({ protocol }) => protocol));
});

it.each(REPRODUCED.map((row) => [row.protocol, row] as const))('%s', (protocol, { printed, ours }) => {
  const row = rows.find(([name]) => name === protocol)!;
  expect([row[2], row[3]]).toEqual([printed, ours()]);
});
