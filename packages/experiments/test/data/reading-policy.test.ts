// Headers that nobody names, and values that are missing.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { parseConfig } from '../../src/config/load-config.ts';
import { parseCategoricalTable } from '../../src/data/csv/categorical-table-csv.ts';
import { parseCategories, parseItemLists } from '../../src/data/csv/csv-data.ts';
import { parseKeyValues } from '../../src/data/csv/csv-key-values.ts';
import { parsePlaces } from '../../src/data/csv/csv-numbers.ts';
import { parseVectors } from '../../src/data/csv/csv-vectors.ts';
import { writeResults } from '../../src/report/write-run.ts';
import { runExperiment } from '../../src/run/run-experiment.ts';

const file = (text: string) => ({ file: 'data.csv', bytes: Buffer.from(text) });
const NOTICE = (name: string) =>
  `data.csv: line 1 is read as a header, with "${name}" over column 0; header: false counts it as a user`;

it('a name over numbers is a header, and said to be', () => {
  const { values, domain, notices } = parseCategories(file('age\n0\n2\n1\n'), 0);
  expect([[...values], domain, notices]).toEqual([[0, 2, 1], 3, [NOTICE('age')]]);
  const asUser = parseCategories(file('age\n0\n2\n1\n'), 0, undefined, { header: false });
  expect(asUser.values.length).toBe(4);
});

it('a name that alone occurs once is a header where there are ten users or more', () => {
  const body = 'red\nblue\n'.repeat(5);
  const { labels, values, notices } = parseCategories(file(`colour\n${body}`), 0);
  expect([labels, values.length, notices]).toEqual([['blue', 'red'], 10, [NOTICE('colour')]]);
  // No sign of a header: another name occurs once too, the first occurs again, or there are few users.
  for (const text of [`colour\n${body}green\n`, `red\n${body}`, 'colour\nred\nred\n'])
    expect(parseCategories(file(text), 0).labels).toContain(text.slice(0, text.indexOf('\n')));
  expect(parseCategories(file('colour\nred\nred\n'), 0, undefined, { header: true }).labels).toEqual(['red']);
});

it('a first name that no other line has is said to count as a user', () => {
  const notice =
    'data.csv: line 1 counts as a user, with "colour" in column 0, which no other line has; header: true reads it as a header';
  const { values, notices } = parseCategories(file('colour\nred\nblue\nred\n'), 0);
  expect([values.length, notices]).toEqual([4, [notice]]);
  // It occurs again, is a number, all names differ, or the config says what it is.
  for (const text of ['red\nblue\nred\n', '7\nred\nred\n', 'a\nb\nc\n', 'red\n'])
    expect(parseCategories(file(text), 0).notices.join()).not.toContain('counts as a user');
  for (const header of [true, false])
    expect(
      parseCategories(file('colour\nred\nred\n'), 0, undefined, { header }).notices.join(),
    ).not.toContain('counts as a user');
});

it('headers of tables and of lists of items are noticed', () => {
  const { table, notices } = parseCategoricalTable(file('age,ill\n3,no\n4,yes\n'), 1);
  expect([table.columns, table.users, notices[0]]).toEqual([[Uint8Array.of(0, 1)], 2, NOTICE('age')]);
  const lists = parseItemLists(file('items\n1,2\n3\n'), ',');
  expect([lists.domain, lists.offsets.length - 1, lists.notices[0]]).toEqual([4, 2, NOTICE('items')]);
});

const GAPS = 'party\nred\n\nNA\nblue\nnan\n?\nNull\nred\n';

it('missing values are refused with line, column and what to do', () => {
  expect(() => parseCategories(file('party,x\nred,1\nNA,2\n'), 'party')).toThrow(
    'data.csv: line 3: has no value in column party: "NA" counts as missing (missing: skip leaves such lines out; of categories and items missing: category counts them as one)',
  );
  expect(() => parseCategories(file('a,1\n,2\n'), 0)).toThrow(
    'data.csv: line 2: has no value in column 0 (missing:',
  );
  expect(() => parseCategoricalTable(file('a,b\n1,?\n'), 'a')).toThrow(
    'line 2: has no value in column b: "?"',
  );
  expect(() => parseItemLists(file('1,2\n3,null\n'), ',')).toThrow(
    'line 2: has no value in its items: "null"',
  );
});

it('missing values are skipped, and counted', () => {
  const { values, labels, skipped, notices } = parseCategories(file(GAPS), 'party', undefined, {
    missing: 'skip',
  });
  expect([[...values], labels, skipped]).toEqual([[1, 0, 1], ['blue', 'red'], 5]);
  expect(notices).toEqual(['data.csv: 5 lines of 8 left out, for missing values']);
  const table = parseCategoricalTable(file('a,b\n1,?\n2,3\n2,4\n'), 'a', { missing: 'skip' });
  expect([table.table.users, table.skipped]).toEqual([2, 1]);
  const lists = parseItemLists(file('1,2\n3,null\n\n0\n'), ',', undefined, { missing: 'skip' });
  expect([[...lists.items], [...lists.offsets], lists.skipped]).toEqual([[1, 2, 0], [0, 2, 3], 2]);
});

it('of places both columns are of the same users', () => {
  const text = '1.5,unknown\n2,3\n4,5\n';
  const { x, y, notices } = parsePlaces(file(text), { x: 0, y: 1 });
  expect([[...x], [...y]]).toEqual([
    [2, 4],
    [3, 5],
  ]);
  expect(notices).toEqual([
    'data.csv: line 1 is read as a header, with "unknown" over column 1; header: false counts it as a user',
  ]);
  expect(() => parsePlaces(file(text), { x: 0, y: 1 }, { header: false })).toThrow(
    'line 1: "unknown" in column 1 is no number',
  );
});

it('columns of one name are refused where all are read', () => {
  const text = 'x,y,x\n1,0,1\n2,1,1\n';
  expect(() => parseVectors(file(text))).toThrow('data.csv: line 1: has 2 columns "x": name them apart');
  expect(() => parseCategoricalTable(file(text), 'y')).toThrow('has 2 columns "x"');
});

it('of places a user without both numbers is left out, where that is asked for', () => {
  const { x, y, skipped } = parsePlaces(file('1,NA\n2,3\n'), { x: 0, y: 1 }, { missing: 'skip' });
  expect([[...x], [...y], skipped]).toEqual([[2], [3], 1]);
});

it('of key-value pairs lines are skipped, and users of whom none is left are counted', () => {
  const text = 'a,x,1\na,y,?\nb,x,\nc,y,2\nd,?,3\n';
  const columns = { user: 0, key: 1, value: 2 };
  const { offsets, skipped, notices } = parseKeyValues(file(text), columns, { missing: 'skip' });
  expect([[...offsets], skipped]).toEqual([[0, 1, 2], 2]);
  expect(notices).toEqual(['data.csv: 3 lines of 5 left out, for missing values']);
});

it('missing values are one more category', () => {
  const policy = { missing: 'category' } as const;
  const names = parseCategories(file(GAPS), 'party', undefined, policy);
  expect([[...names.values], names.labels, names.domain]).toEqual([
    [1, 2, 2, 0, 2, 2, 2, 1],
    ['blue', 'red', '(missing)'],
    3,
  ]);
  const numbers = parseCategories(file('4\n\n0\n'), 0, undefined, policy);
  expect([[...numbers.values], numbers.domain]).toEqual([[4, 5, 0], 6]);
  expect([...parseCategories(file('4\n\n0\n'), 0, 9, policy).values]).toEqual([4, 8, 0]);
  expect(() => parseCategories(file('4\n\n0\n'), 0, 5, policy)).toThrow(
    'line 1: 4 is not below 4: missing values take the last category of the domain, 5',
  );
  expect(() => parseCategories(file('a\nb\n?\n'), 0, 2, policy)).toThrow(
    'line 2: "b" is one name more than 1: missing values take the last category of the domain, 2',
  );
  const { table } = parseCategoricalTable(file('a,b\n1,?\n2,3\n'), 'a', policy);
  expect([table.columns, table.arities]).toEqual([[Uint8Array.of(0, 1)], [2]]);
  const lists = parseItemLists(file('x,NA\n\nx\n'), ',', undefined, policy);
  expect([lists.labels, [...lists.offsets]]).toEqual([
    ['(missing)', 'x'],
    [0, 2, 3, 4],
  ]);
});

const folder = mkdtempSync(join(tmpdir(), 'shuffle-dp-policy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const config = (data: string) =>
  parseConfig(
    `{ name: a, seed: s, adjacency: replace-one, trials: 2, data: { kind: csv-categories, path: votes.csv, ${data} }, users: all, ` +
      'privacy: { epsilon: 1, delta: 0.01 }, protocols: [{ kind: frequency, randomizer: grr }] }',
    join(folder, 'a.yaml'),
  );

it('a run says how many users were left out, and its summary keeps it', async () => {
  writeFileSync(join(folder, 'votes.csv'), GAPS);
  const said: string[] = [];
  const run = await runExperiment(config('column: party, missing: skip'), join(folder, 'a.yaml'), {
    out: join(folder, 'out'),
    workers: 0,
    onNotice: (line) => said.push(line),
    write: (result, out) => writeResults(result, out, { keepTrials: false, report: false }),
  });
  expect(run.cells[0]!.users).toBe(3);
  expect(said).toEqual([`${join(folder, 'votes.csv')}: 5 lines of 8 left out, for missing values`]);
  expect(JSON.parse(readFileSync(join(folder, 'out/summary.json'), 'utf8'))).toMatchObject({
    skippedUsers: 5,
  });
});

it('a named column without a header makes no sense', () => {
  expect(() => config('column: party, header: false')).toThrow(
    'data.header = false: must be true or auto for a column that is named',
  );
});

it.each([
  ['mean', 'anonymous-count', '{ kind: csv-numbers, column: age, low: 0, high: 1'],
  ['places', 'planar-laplace', '{ kind: csv-places, x: 0, y: north, xLow: 0, xHigh: 1, yLow: 0, yHigh: 1'],
  ['identifiers', 'hashed-bits', '{ kind: csv-identifiers, column: word'],
])('nor of %s', (_, protocol, data) => {
  expect(() =>
    parseConfig(
      `{ name: a, seed: s, adjacency: replace-one, trials: 2, data: ${data}, path: a.csv, header: false }, users: all, ` +
        `privacy: { epsilon: 1, delta: 0.01 }, protocols: [{ kind: ${protocol} }] }`,
      join(folder, 'a.yaml'),
    ),
  ).toThrow('data.header = false: must be true or auto for a column that is named');
});
