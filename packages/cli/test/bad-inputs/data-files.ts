/** Data files with a fault, and configs that read them. */
import { gzipSync } from 'node:zlib';
import { edited, type BadInput } from './bad-input.ts';
import { CATEGORIES } from './experiment-configs.ts';
import { SETS } from './set-configs.ts';

type FaultyFile = readonly [content: string | Uint8Array, fields: string, says: string];

const CATEGORY_FILES: FaultyFile[] = [
  ['', '', 'd.csv: is empty'],
  ['\n\n', '', 'd.csv: has no users'],
  ['a\n\nb\n', '', 'line 2: is blank (missing: skip leaves such lines out'],
  ['a\nb,c\n', '', 'line 2: has 2 values, where line 1 has 1'],
  ['a\n"b\n', '', 'opens a quote that nothing closes'],
  ['a\nb"c\n', '', 'line 2: has a quote inside a value'],
  ['a\n"b"c\n', '', 'line 2: goes on after the closing quote'],
  ['a,b\n', 'column: 2', 'has no value in column 2'],
  ['a,b\n', 'column: size', 'line 1: has no column "size", but a, b'],
  ['a,a\n1,2\n', 'column: a', 'has 2 columns "a"'],
  ['a,b\n', 'column: a', 'has no users'],
  ['a,b\n1,\n', 'column: b', 'line 2: has no value in column b'],
  ['a\n', 'column: -1', 'data.column = -1'],
  ['a\n', 'column: 1.5', 'data.column = 1.5'],
  ['a\n', 'column: [a]', 'data.column = ["a"]'],
  ['a\n', 'column: { a: 1 }', 'data.column = {"a":1}'],
  ['a\n', 'column: "a\\u001b"', 'data.column'],
  ['0\n1\n9\n', 'domain: 4', 'line 3: 9 is not below the domain, 4'],
  ['0\n4000000000\n', 'domain: 4', 'line 2: 4000000000 is not below the domain, 4'],
  ['a\nb\nc\n', 'domain: 2', 'line 3: "c" is one name more than the domain, 2'],
  ['0\n1\n', 'domain: 2000000000', 'data.domain = 2000000000: must be an integer from 2 to 4194304'],
  ['0\n1\n', 'domain: 1', 'data.domain = 1'],
  ['0\n1\n', 'separator: ";"', 'data.separator = ";": is not a known field'],
  [Uint8Array.of(0x61, 0x0a, 0xc3, 0x0a), '', 'line 2: has bytes that are not UTF-8'],
  [Uint8Array.of(0x1f, 0x8b), '', 'is not a whole gzip file'],
  [gzipSync('a\nb\n').subarray(0, 15), '', 'is not a whole gzip file'],
  [gzipSync(''), '', 'd.csv'],
  [Buffer.alloc(10_000_004, '1\n'), '', 'has more lines than 5000000'],
  ['a\nb\n', '', 'users = 40: must be at most 2, the users of the file'],
];

const SET_FILES: FaultyFile[] = [
  ['', 'items: 2', 'd.csv: is empty'],
  ['1,2\n\n3\n', 'items: 2', 'line 2: is blank'],
  ['1,2\n,\n', 'items: 2', 'line 2: has no items'],
  ['1,2\n7\n', 'items: 2, domain: 5', 'line 2: 7 is not below the domain, 5'],
  ['1,2\n', 'items: 4, padding: fill', 'has 3 items in all'],
  ['1,2\n', 'items: 9, padding: truncate', 'has no user with 9 items'],
  ['1,2\n', 'items: 2, separator: ""', 'data.separator = ""'],
  ['1,2\n', 'items: 2, separator: "\\n"', 'data.separator'],
  ['1,2\n', "items: 2, separator: '\"'", 'data.separator'],
  ['1,2\n', 'items: 2, separator: 5', 'data.separator = 5'],
  ['1,2\n', 'items: 2, padding: zero', 'data.padding = "zero"'],
  ['1,2\n', 'items: 2', 'users[0] = 40: must be at most 1'],
];

const UNREADABLE: readonly (readonly [path: string, says: string])[] = [
  ['none.csv', 'none.csv: cannot be read: no such file'],
  ['.', 'cannot be read: it is a folder'],
  ['/dev/zero', '/dev/zero: is no plain file'],
  ['/dev/null', '/dev/null: is no plain file'],
  ['c.yaml/x', 'a part of its path is not a folder'],
  ['$SHUFFLE_DP_NOWHERE/x.csv', 'the environment variable SHUFFLE_DP_NOWHERE is not set'],
  [`${'x'.repeat(300)}.csv`, 'its name is too long'],
  ['"a\\0b"', 'data.path'],
];

const CATEGORY_DATA = '{ kind: categories-zipf, domain: 4, exponent: 1 }';
const SET_DATA = '{ kind: sets-zipf, domain: 9, items: 3 }';

function reading(config: string, data: string, kind: string, path: string, fields: string): string {
  return edited(config, data, `{ kind: ${kind}, path: ${path}${fields === '' ? '' : `, ${fields}`} }`);
}

const TABLE = `name: small
seed: s
trials: 1
data: { kind: csv, path: t.csv, classColumn: 0 }
height: 1
messagesPerUser: 4
privacy: { delta: 0.01 }
`;

const TABLES: readonly (readonly [content: string, says: string])[] = [
  ['', 't.csv: is empty'],
  ['a\nb\n', 'has no column beside the class'],
  ['a,b\n', 'has only one user'],
  ['a,b\nc\n', 'line 2: has 1 value, where line 1 has 2'],
  ['a,b\nc,\n', 'line 2: has no value in column 1'],
  [`${Array.from({ length: 300 }, (_, i) => `a,${i}`).join('\n')}\n`, 'at most 256 are allowed'],
];

export const DATA_FILES: readonly BadInput[] = [
  ...CATEGORY_FILES.map(([content, fields, says]) => ({
    args: ['run', 'c.yaml'],
    files: {
      'd.csv': content,
      'c.yaml': reading(CATEGORIES, CATEGORY_DATA, 'csv-categories', 'd.csv', fields),
    },
    says,
  })),
  ...SET_FILES.map(([content, fields, says]) => ({
    args: ['run', 'c.yaml'],
    files: { 'd.csv': content, 'c.yaml': reading(SETS, SET_DATA, 'csv-sets', 'd.csv', fields) },
    says,
  })),
  ...UNREADABLE.map(([path, says]) => ({
    args: ['run', 'c.yaml'],
    files: { 'c.yaml': reading(CATEGORIES, CATEGORY_DATA, 'csv-categories', path, '') },
    says,
  })),
  ...['', '% header only\n', '1 2\n18\n', '1 2\nx\n', '1\n\n2\n', '<html>\n'].map((content) => ({
    args: ['run', 'c.yaml'],
    files: { 'd.seq': content, 'c.yaml': reading(SETS, SET_DATA, 'msnbc', 'd.seq', 'items: 2') },
    says: 'd.seq: ',
  })),
  ...TABLES.map(([content, says]) => ({
    args: ['forest', 'c.yaml'],
    files: { 't.csv': content, 'c.yaml': TABLE },
    says,
  })),
];
