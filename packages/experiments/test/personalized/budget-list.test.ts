import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { budgetList } from '../../src/personalized/budget-list.ts';

const folder = mkdtempSync(join(tmpdir(), 'budgets-'));
afterAll(() => rmSync(folder, { recursive: true }));
const onDisk = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

it('budgets are drawn, listed, or read from a file, with a header or without', () => {
  expect([...budgetList('constant(0.5)', 2, 's')]).toEqual([0.5, 0.5]);
  expect([...budgetList('0.5, 1e-1', undefined, 's')]).toEqual([0.5, 0.1]);
  expect([...budgetList(onDisk('plain.csv', '0.5\n1\n\n'), 2, 's')]).toEqual([0.5, 1]);
  const notices: string[] = [];
  const header = onDisk('header.csv', 'budget\n0.5\n');
  expect([...budgetList(header, undefined, 's', (line) => notices.push(line))]).toEqual([0.5]);
  expect(notices).toEqual([`${header}: line 1 is read as a header: "budget" is no number`]);
});

it.each([
  ['uniform(1,2)', 'needs --users'],
  ['nobody', /^must be constant\(x\).*or the path of a CSV file$/u],
  ['budgets.csv', /^no such file; must be constant\(x\).*or the path of a CSV file$/u],
  ['../budgets', 'no such file; must be'],
  ['0.5,-1', "'-1' is no positive number"],
  ['0.5,1e-101', "'1e-101' is too small: budgets must be at least 1e-100"],
])('%s is refused', (text, reason) => {
  expect(() => budgetList(text, undefined, 's')).toThrow(reason);
});

it('files are refused with their line', () => {
  expect(() => budgetList(onDisk('two.csv', 'user,budget\n1,0.5\n'), undefined, 's')).toThrow(
    'two.csv: line 1: has 2 columns: a file of budgets has one',
  );
  expect(() => budgetList(onDisk('zero.csv', '1\n0\n'), undefined, 's')).toThrow(
    'zero.csv: line 2: "0" is no positive budget',
  );
  // A value that is missing is no header.
  expect(() => budgetList(onDisk('missing.csv', 'NA\n1\n'), undefined, 's')).toThrow(
    'missing.csv: line 1: "NA" is no positive budget',
  );
  expect(() => budgetList(onDisk('short.csv', '1\n'), 2, 's')).toThrow('1 budget for --users 2');
});
