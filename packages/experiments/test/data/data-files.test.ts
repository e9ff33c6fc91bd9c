import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { RandomStream } from '@shuffle-dp/core';
import { afterAll, describe, expect, it } from 'vitest';
import { parseCategories, parseItemLists } from '../../src/data/csv/csv-data.ts';
import { parseNumbers } from '../../src/data/csv/csv-numbers.ts';
import { readDataFile, resolveDataPath, type DataFile } from '../../src/data/data-file.ts';
import { parseMsnbc } from '../../src/data/msnbc/msnbc-file.ts';
import { openDataSource } from '../../src/data/data-sets.ts';

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-data-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function inMemory(text: string): DataFile {
  return { file: 'data.csv', bytes: Buffer.from(text) };
}

function onDisk(name: string, content: string | Buffer): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

function setsOf({ items, offsets }: { items: Uint16Array; offsets: Uint32Array }): number[][] {
  return Array.from({ length: offsets.length - 1 }, (_, u) => [
    ...items.subarray(offsets[u], offsets[u + 1]),
  ]);
}

describe('the MSNBC file', () => {
  const header = '% Different categories\n\nfrontpage news tech\n\n% Sequences:\n\n';

  it('gives the distinct categories of every user, from 0', () => {
    const sets = parseMsnbc(inMemory(`${header}1 1 \n2\n17 3 2 2 4\r\n5`));
    expect(setsOf(sets)).toEqual([[0], [1], [1, 2, 3, 16], [4]]);
  });

  it.each([
    ['1 18\n', 'line 7: "1 18" is not a list of categories from 1 to 17'],
    ['1\n0\n', 'line 8: "0" is not a list of categories from 1 to 17'],
    ['1\n2 x\n', 'line 8: "2 x" is not a list of categories'],
    ['1\n1111 2\n', 'line 8: "1111 2" is not'],
    ['1\n0017\n', 'line 8: "0017" is not a list of categories'],
    ['1\n001 2,3\n', 'line 8: "001 2,3" is not'],
    ['1\n\n2\n', 'line 8: is empty'],
    ['', 'has no users'],
  ])('refuses %j', (body, message) => {
    expect(() => parseMsnbc(inMemory(header + body))).toThrow(`data.csv: ${message}`);
  });

  it('refuses a file of something else', () => {
    expect(() => parseMsnbc(inMemory('<html>\n'))).toThrow(
      'data.csv: line 1: is neither a header nor a list of categories',
    );
  });

  it('draws random subsets of its users, and all of them in order', () => {
    const lines = Array.from({ length: 40 }, (_, u) => `${(u % 17) + 1}`).join('\n');
    const file = onDisk('msnbc.seq.gz', gzipSync(`${header}${lines}\n`));
    const source = openDataSource({ kind: 'msnbc', path: file, items: 2, padding: 'dummy' }, file);
    expect([source.available, source.domain]).toEqual([40, 18]);
    const all = source.draw(40, [1], RandomStream.fromSeed('a'));
    expect([...all.rows.subarray(0, 4)]).toEqual([0, 17, 1, 17]);
    const some = source.draw(10, [1], RandomStream.fromSeed('a'));
    const others = source.draw(10, [1], RandomStream.fromSeed('b'));
    expect(some.rows).not.toEqual(others.rows);
    expect(some.population![17]).toBe(1);
    expect(() => source.draw(41, [1], RandomStream.fromSeed('a'))).toThrow(
      '41 users were asked for, but the file has 40',
    );
    expect(() => openDataSource({ kind: 'msnbc', path: file, items: 2, padding: 'truncate' }, file)).toThrow(
      'has no user with 2 items',
    );
  });
});

describe('files', () => {
  it('plain and gzipped read the same', () => {
    const plain = onDisk('a.csv', '1\n2\n');
    const zipped = onDisk('a.csv.gz', gzipSync('1\n2\n'));
    expect(readDataFile(zipped).bytes).toEqual(readDataFile(plain).bytes);
  });

  it('that are missing, empty or cut off are refused by name', () => {
    const cut = onDisk('cut.gz', gzipSync('1 2 3\n'.repeat(1000)).subarray(0, 30));
    expect(() => readDataFile(join(folder, 'none'))).toThrow(
      /none: cannot be read: no such file or folder$/u,
    );
    expect(() => readDataFile(onDisk('empty', ''))).toThrow('empty: is empty');
    expect(() => readDataFile(cut)).toThrow('cut.gz: is not a whole gzip file');
    expect(() => readDataFile(folder)).toThrow('cannot be read: it is a folder');
  });

  it('are named relative to the config, with environment variables', () => {
    expect(resolveDataPath('data/x.csv', '/a/b', {})).toBe('/a/b/data/x.csv');
    expect(resolveDataPath('${D}/x', '/a', { D: '/data' })).toBe('/data/x');
    expect(resolveDataPath('$D/x', '/a', { D: '/data' })).toBe('/data/x');
    expect(() => resolveDataPath('$D/x', '/a', {})).toThrow('$D/x: the environment variable D is not set');
  });
});

describe('a column of categories', () => {
  it('of numbers keeps them', () => {
    expect(parseCategories(inMemory('3\n0\n1\n'), 0)).toMatchObject({ domain: 4, labels: null });
    expect([...parseCategories(inMemory('id,age\n1,5\n2,0\n'), 'age', 9).values]).toEqual([5, 0]);
  });

  it('of names numbers them by their order', () => {
    const { domain, values, labels } = parseCategories(inMemory('x,red\nx,blue\nx,red\n'), 1);
    expect([domain, [...values], labels]).toEqual([2, [1, 0, 1], ['blue', 'red']]);
  });

  it.each([
    ['1,2\n3\n', 0, undefined, 'line 2'],
    ['a,b\n1,2\n', 'c', undefined, 'line 1: has no column "c", but a, b'],
    ['1,\n', 1, undefined, 'line 1: has no value in column 1'],
    ['1\n\n2\n', 0, undefined, 'line 2: is blank'],
    ['\n1\n', 0, undefined, 'line 1: is blank'],
    ['a,b\n1,2\n\n3,4\n', 'a', undefined, 'line 3: is blank'],
    ['a,b\n"1\n1",2\n3\n', 'a', undefined, 'line 4: has 1 value, where line 1 has 2'],
    ['a,a\n1,2\n', 'a', undefined, 'line 1: has 2 columns "a": name them apart, or give a number'],
    ['1\nx"y"\n', 0, undefined, 'line 2: has a quote inside a value'],
    ['1\n"x" y\n', 0, undefined, 'line 2: goes on after the closing quote of a value'],
    ['1\n"x"y\n', 0, undefined, 'line 2: goes on after the closing quote of a value'],
    ['1\n9\n', 0, 5, 'line 2: 9 is not below the domain, 5'],
    ['a\nb\nc\n', 0, 2, 'line 3: "c" is one name more than the domain, 2'],
    ['a\n"b""\nc\n', 0, undefined, 'line 2: opens a quote that nothing closes'],
    ['h\n', 'h', undefined, 'has no users'],
  ])('%j is refused with its line', (text, column, domain, message) => {
    expect(() => parseCategories(inMemory(text), column, domain)).toThrow(message);
  });

  it('may end in blank lines', () => {
    expect([...parseCategories(inMemory('1\r\n0\r\n\r\n  \r\n'), 0).values]).toEqual([1, 0]);
  });

  it('must be UTF-8', () => {
    const bytes = Buffer.from([0x61, 0x0a, 0xe4, 0x0a]);
    expect(() => parseCategories({ file: 'data.csv', bytes }, 0)).toThrow(
      'data.csv: line 2: has bytes that are not UTF-8',
    );
  });

  it.each([
    ['0\n1\n2\nblue\n', ['data.csv: column 0: 4 names, not numbers: 0, 1, 2, blue']],
    ['0x10\n0b11\n', []],
    ['0\n0x1\n', ['data.csv: column 0: 2 names, not numbers: 0, 0x1']],
    ['0\n1\n-3\n', ['data.csv: column 0: 3 names, not numbers: -3, 0, 1']],
    ['3\n3\n', ['data.csv: column 0: every value is 3']],
    ['x\nx\n', ['data.csv: column 0: every value is x']],
    ['red\nblue\n', []],
    ['0\n2\n', []],
    [
      '007\n7\n',
      ['data.csv: column 0: "007" is read as the number 7: leading zeros tell no categories apart'],
    ],
  ])('%j says how it was read, where that may surprise', (text, notices) => {
    expect(parseCategories(inMemory(text), 0).notices).toEqual(notices);
  });

  it.each([
    ['v\nInfinity\n0\n0.5\n', 'line 2: "Infinity" in column 0 is no number'],
    ['v\n0\n0x1\n', 'line 3: "0x1" in column 0 is no number'],
    ['v\n', 'no number'],
  ])('of numbers, %j is refused with the line that is wrong', (text, message) => {
    expect(() => parseNumbers(inMemory(text), 0)).toThrow(message);
  });

  it('is a source of users', () => {
    const file = onDisk('c.csv', '0\n1\n1\n2\n');
    const source = openDataSource({ kind: 'csv-categories', path: file, column: 0 }, file);
    const data = source.draw(4, 'messages', RandomStream.fromSeed('a'));
    expect([...data.histogram]).toEqual([1, 2, 1]);
    expect([...data.population!]).toEqual([0.25, 0.5, 0.25]);
    expect(source.draw(2, 'messages', RandomStream.fromSeed('a')).values!.length).toBe(2);
  });
});

describe('lists of items', () => {
  it('counts an item of two spellings once', () => {
    const small = parseItemLists(inMemory('7,07\n1,3,003,2\n'), ',');
    expect(setsOf(small)).toEqual([[7], [1, 2, 3]]);
    const large = parseItemLists(inMemory('70000000,070000000\n1\n'), ',');
    expect([setsOf(large), large.labels]).toEqual([
      [[1], [0]],
      ['1', '70000000'],
    ]);
  });

  it('are sets, sorted, repeats counted once', () => {
    const sets = parseItemLists(inMemory('3 1 3\n0\n'), ' ');
    expect([sets.domain, setsOf(sets)]).toEqual([4, [[1, 3], [0]]]);
  });

  it('may be names', () => {
    const sets = parseItemLists(inMemory('pear,apple\nfig\n'), ',');
    expect([sets.labels, setsOf(sets)]).toEqual([
      ['apple', 'fig', 'pear'],
      [[0, 2], [1]],
    ]);
  });

  it('must not be empty or outside the domain', () => {
    expect(() => parseItemLists(inMemory('1\n\n2\n'), ',')).toThrow('data.csv: line 2: is blank');
    expect(() => parseItemLists(inMemory('1\n,\n2\n'), ',')).toThrow('data.csv: line 2: has no items');
    expect(() => parseItemLists(inMemory('1\n7,2\n'), ',', 5)).toThrow(
      'data.csv: line 2: 7 is not below the domain, 5',
    );
    const many = Array.from({ length: 65_536 }, (_, item) => `item ${item}`);
    expect(() => parseItemLists(inMemory(`${many.join(',')}\n`), ',')).toThrow(
      'data.csv: line 1: "item 65535" is value 65536; at most 65535 are allowed',
    );
  });
});

describe('ids of any size', () => {
  it('are numbered by their size, whatever their digits', () => {
    const ids = '4000000000\n00012\n9007199254740993\n12\n9007199254740992\n123456789012345678901234567890\n';
    const { domain, values, labels, notices } = parseCategories(inMemory(ids), 0);
    expect(labels).toEqual([
      '12',
      '4000000000',
      '9007199254740992',
      '9007199254740993',
      '123456789012345678901234567890',
    ]);
    expect({ domain, values: [...values] }).toEqual({ domain: 5, values: [1, 0, 3, 0, 2, 4] });
    expect(notices).toEqual([
      'data.csv: column 0: numbers up to 123456789012345678901234567890 are too large to be category numbers: they are read as 5 names, in the order of their size',
    ]);
    const sets = parseItemLists(inMemory('70000,1\n1\n'), ',');
    expect({ domain: sets.domain, items: [...sets.items], labels: sets.labels }).toEqual({
      domain: 2,
      items: [0, 1, 0],
      labels: ['1', '70000'],
    });
  });

  it('that are small stand for themselves, and a domain that is given is kept', () => {
    expect(parseCategories(inMemory('4194303\n7\n'), 0)).toMatchObject({ domain: 4_194_304, labels: null });
    expect(parseCategories(inMemory('4194304\n7\n'), 0)).toMatchObject({
      domain: 2,
      labels: ['7', '4194304'],
    });
    expect(() => parseCategories(inMemory('1\n4000000000\n'), 0, 10)).toThrow(
      'data.csv: line 2: 4000000000 is not below the domain, 10',
    );
  });
});

describe('what is too large', () => {
  it('a file that unpacks to more than the limit is refused when that is reached', { tags: 'long' }, () => {
    const part = gzipSync(Buffer.alloc(2 ** 26), { level: 1 });
    const file = onDisk('growing.gz', Buffer.concat(Array.from({ length: 5 }, () => part)));
    expect(() => readDataFile(file)).toThrow(
      `${file}: unpacks to more than 268435456 bytes, which is the most that is read`,
    );
  });

  it('more lines than the limit are refused before they are parsed', () => {
    const bytes = Buffer.alloc(10_000_002, '1\n');
    expect(() => parseCategories({ file: 'data.csv', bytes }, 0)).toThrow(
      'data.csv: has more lines than 5000000, which is the most that are read',
    );
  });

  it.runIf(process.platform === 'linux')('what has no end is not begun', () => {
    expect(() => readDataFile('/dev/zero')).toThrow('/dev/zero: is no plain file: put the data into one');
  });
});
