// Cells of text that a spreadsheet would run are escaped where they are written, and come back where they are
// read.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRows } from '../../src/data/csv/csv-rows.ts';
import { toCsv } from '../../src/results/csv.ts';

const FORMULAS = ['=HYPERLINK("http://x","y")', '+1+2', '-2+3', '@SUM(A1)', '\t=1', '\r=1', "'=1"];

test('formulas are written with an apostrophe, numbers and other text as they are', () => {
  const rows = [
    ...FORMULAS.map((name) => ({ name, value: -1.5 })),
    { name: '-3e-7', value: 2 },
    { name: "it's", value: null },
  ];
  expect(toCsv(['name', 'value'], rows)).toBe(
    [
      'name,value',
      `"'=HYPERLINK(""http://x"",""y"")",-1.5`,
      "'+1+2,-1.5",
      "'-2+3,-1.5",
      "'@SUM(A1),-1.5",
      "'\t=1,-1.5",
      '"\'\r=1",-1.5',
      "''=1,-1.5",
      '-3e-7,2',
      "it's,",
      '',
    ].join('\n'),
  );
  expect(toCsv(['=a'], [{ '=a': 1 }])).toBe("'=a\n1\n");
});

test('any text comes back from what was written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^['=+@x-]?['=+@x0-9-]{0,4}[x9]$/u), { minLength: 1, maxLength: 5 }),
      (words) => {
        const text = toCsv(
          ['a', 'b'],
          words.map((a) => ({ a, b: 'z' })),
        );
        const rows = parseRows({ file: 'x.csv', bytes: Buffer.from(text) }, ',', false);
        expect(rows.slice(1).map(({ cells }) => cells[0])).toEqual(words);
      },
    ),
  );
});
