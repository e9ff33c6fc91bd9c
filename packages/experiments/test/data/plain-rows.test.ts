import { expect, it } from 'vitest';
import { quotedRows } from '../../src/data/csv/csv-rows.ts';
import { plainRows } from '../../src/data/csv/plain-rows.ts';

it.each([
  ['', ','],
  ['a', ','],
  ['a\n', ','],
  ['a\n\n', ','],
  ['\n\na,b\n', ','],
  ['a,b\r\nc,d\r\n', ','],
  ['a,b\rc,d\r', ','],
  ['a,b\r\n\rc\n\n', ','],
  ['\ufeffname, value \n 1 ,\t2\u00a0\n', ','],
  ['1;2;;\n;;\n', ';'],
  ["'=1+1,'-3,'a\n", ','],
  ['  \n \n', ','],
  ['h\u00e9\u3000,\ud83d\ude00|x\n', '|'],
])('lines of %j are what the parser of quotes makes of them', (text, delimiter) => {
  const bytes = Buffer.from(text);
  const rows = plainRows(bytes, delimiter);
  expect(rows).not.toBeNull();
  expect(rows).toEqual(quotedRows('a file', bytes, delimiter));
});

it('blanks within quotes are trimmed as others are', () => {
  const [row] = quotedRows('a file', Buffer.from('" a ",b, "c\t" ,"  "\n'), ',');
  expect(row!.cells).toEqual(['a', 'b', 'c', '']);
});

it.each([
  ['"a",b\n', ','],
  ['a\tb\n', '\t'],
  ['a::b\n', '::'],
])('leaves %j to it', (text, delimiter) => {
  expect(plainRows(Buffer.from(text), delimiter)).toBeNull();
});
