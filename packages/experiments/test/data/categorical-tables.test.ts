import { RandomStream } from '@shuffle-dp/core';
import { correctShare, classifyByVote, majorityShare, splitTable, trainForest } from '@shuffle-dp/protocols';
import { describe, expect, it } from 'vitest';
import { drawCategoricalMixture, type CategoricalMixture } from '../../src/data/categorical-mixture.ts';
import { parseCategoricalTable } from '../../src/data/csv/categorical-table-csv.ts';

const parse = (text: string, classColumn: string | number = 'class') =>
  parseCategoricalTable({ file: 'table.csv', bytes: Buffer.from(text) }, classColumn);

describe('tables from CSV files', () => {
  it('number the values of every column in order', () => {
    const { table } = parse('size,class,colour\n10, yes ,red\n9,no,"blue, dark"\n10,yes,red\n100,no,green\n');
    expect(table).toEqual({
      users: 4,
      classes: 2,
      classOf: Uint8Array.of(1, 0, 1, 0),
      arities: [3, 3],
      columns: [Uint8Array.of(1, 0, 1, 2), Uint8Array.of(2, 0, 2, 1)],
    });
  });

  it('need no header where the class is a number, and have at least two values a column', () => {
    const { table } = parse('a,x,1\r\na,y,0\r\n', 2);
    expect(table.users).toBe(2);
    expect(table.arities).toEqual([2, 2]);
    expect(table.columns[0]).toEqual(Uint8Array.of(0, 0));
    expect(table.columns[1]).toEqual(Uint8Array.of(0, 1));
  });

  it.each([
    ['a,class\n1,2\n3\n', 'class', /line 3: .*1/u],
    ['a,class\n1,2\n\n1,2\n', 'class', /line 3: /u],
    ['a,class\n1,2\n,1\n', 'class', 'line 3: has no value in column a'],
    ['a,kind\n1,2\n', 'class', 'line 1: has no column "class", but a, kind'],
    ['1,2\n', 2, 'line 1: has no column 2, but columns 0 to 1'],
    ['1,2\n', 0.5, 'line 1: has no column 0.5'],
    ['a,class\n', 'class', 'table.csv: has no users'],
    ['class\n1\n', 'class', 'line 1: has no column beside the class'],
    ['class,a,class\n1,2,3\n', 'class', 'line 1: has 2 columns "class"'],
  ])('refuse %j by %j', (text, column, message) => {
    expect(() => parse(text, column)).toThrow(message);
  });

  it('say which columns may have been read otherwise than meant', () => {
    const { notices } = parse('age,class,town\n10,yes,x\nold,no,x\n20,no,x\n');
    expect(notices).toEqual([
      'table.csv: column age: 3 names, not numbers: 10, 20, old',
      'table.csv: column town: every value is x',
    ]);
  });

  it('refuse columns of too many values, where they become too many', () => {
    const lines = Array.from({ length: 300 }, (_, i) => `w${i},0`);
    expect(() => parse(['a,class', ...lines].join('\n'))).toThrow(
      'line 258: "w256" is value 257 of column a; at most 256 are allowed',
    );
  });
});

describe('the mixture of patterns', () => {
  const mixture: CategoricalMixture = { attributes: 8, arity: 2, classes: 2, patterns: 3, clarity: 0.7 };
  const root = RandomStream.fromSeed('mixture');

  it('is learnt by a tree far better than by its largest class', () => {
    const { train, test } = splitTable(drawCategoricalMixture(mixture, 8000, root), 6000, root.fork('split'));
    const trees = trainForest(train, { height: 5 }, root);
    expect(majorityShare(test)).toBeLessThan(0.55);
    expect(correctShare(classifyByVote(trees, test), test)).toBeGreaterThan(0.75);
  });

  it('is one population however many users are drawn', () => {
    const [few, many] = [10, 1000].map((users) => drawCategoricalMixture(mixture, users, root));
    expect(few!.classOf).toEqual(many!.classOf.subarray(0, 10));
    expect(few!.columns[3]).toEqual(many!.columns[3]!.subarray(0, 10));
    expect(drawCategoricalMixture(mixture, 10, root.fork('other')).classOf).not.toEqual(few!.classOf);
  });

  it('shows patterns as they are where it is clear, and nothing of them where it is not', () => {
    const distinct = (clarity: number): number => {
      const { users, columns, classOf } = drawCategoricalMixture({ ...mixture, clarity }, 2000, root);
      const rows = Array.from({ length: users }, (_, user) => [
        classOf[user],
        ...columns.map((column) => column[user]),
      ]);
      return new Set(rows.map((row) => row.join())).size;
    };
    expect(distinct(1)).toBeLessThanOrEqual(6);
    // All 512 rows are alike likely: 502 are expected among 2000 users, give or take 3.
    expect(distinct(0)).toBeGreaterThan(480);
  });

  it('refuses parameters out of range', () => {
    const draw = (changes: Partial<CategoricalMixture>) =>
      drawCategoricalMixture({ ...mixture, ...changes }, 10, root);
    expect(() => draw({ attributes: 0 })).toThrow('attributes = 0');
    expect(() => draw({ arity: 1 })).toThrow('arity = 1');
    expect(() => draw({ classes: 257 })).toThrow('classes = 257');
    expect(() => draw({ patterns: 0 })).toThrow('patterns = 0');
    expect(() => draw({ clarity: 1.1 })).toThrow('clarity = 1.1');
  });
});
