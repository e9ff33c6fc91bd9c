import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  betterOf,
  comparisonText,
  compareWithBaseline,
  LOSS_FACTOR,
  ratiosOf,
  readBaseline,
} from '../../benchmarks/baseline.ts';
import { rateRow, timeRow } from '../../benchmarks/row.ts';
import { cellsOf } from '../../packages/cli/test/docs/markdown-table.ts';

const kept = { 'a / g / one': 10, 'a / g / two': 4, 'b / g / one': 3 };

describe('ratios of rows', () => {
  it('are times better than the plain baseline, for rates and for times', () => {
    const rows = [
      rateRow('users', 'grr', 'million/s', 30, { name: 'loop', value: 4 }),
      timeRow('users', 'sum', 'ms', 0.002, { name: 'loop', seconds: 0.01 }),
      rateRow('users', 'no baseline', 'million/s', 5),
    ];
    expect(ratiosOf('file', rows)).toEqual({ 'file / users / grr': 7.5, 'file / users / sum': 5 });
  });
});

describe('the comparison with the baseline', () => {
  it('lets a ratio fall to the stated factor and no further', () => {
    const at = (now: number): number =>
      compareWithBaseline(kept, { 'a / g / one': now, 'a / g / two': 4 }, ['a']).losses.length;
    expect(at(10 / LOSS_FACTOR)).toBe(0);
    expect(at(10 / LOSS_FACTOR - 0.01)).toBe(1);
    expect(at(Number.NaN)).toBe(1);
  });

  it('tells the largest loss first, what is gone and what is new, of measured files only', () => {
    const measured = { 'a / g / one': 4, 'a / g / three': 1, 'b / g / one': 0.1 };
    const comparison = compareWithBaseline(kept, measured, ['a', 'b']);
    expect(comparison.losses.map(({ key }) => key)).toEqual(['b / g / one', 'a / g / one']);
    expect(comparison.missing).toEqual(['a / g / two']);
    expect(comparison.fresh).toEqual(['a / g / three']);
    expect(compareWithBaseline(kept, { 'b / g / one': 3 }, ['b'])).toEqual({
      compared: 1,
      losses: [],
      missing: [],
      fresh: [],
    });
  });

  it('fails in a line with both ratios and the factor, and passes otherwise', () => {
    const lost = comparisonText(compareWithBaseline(kept, { 'b / g / one': 0.5 }, ['b']), 20);
    expect(lost.passed).toBe(false);
    expect(lost.text).toContain(
      'LOST b / g / one: 0.5 times its plain baseline, was 3: 6 times slower, more than 2',
    );
    const fine = comparisonText(compareWithBaseline(kept, { 'b / g / one': 2 }, ['b']), 20);
    expect(fine.passed).toBe(true);
    const gone = comparisonText(compareWithBaseline(kept, {}, ['b']), 20);
    expect(gone.passed).toBe(false);
    expect(gone.text).toContain('GONE b / g / one');
  });

  it('takes the better of two measurements', () => {
    expect(betterOf({ x: 1, y: 3 }, { x: 2 })).toEqual({ x: 2, y: 3 });
  });
});

it('keeps positive ratios of rows that are named by file, group and name', () => {
  const { ratios } = readBaseline();
  for (const [key, ratio] of Object.entries(ratios)) {
    expect(key.split(' / ').length).toBeGreaterThanOrEqual(3);
    expect(ratio).toBeGreaterThan(0);
  }
});

describe('the page on speed', () => {
  const page = readFileSync(new URL('../../docs/benchmarks.md', import.meta.url), 'utf8');
  const rows = page
    .slice(page.indexOf('## Tables'))
    .split(/^### /mu)
    .slice(1)
    .flatMap((table) => {
      const group = table.slice(0, table.indexOf('\n')).toLowerCase();
      return table
        .split('\n')
        .filter((line) => /^\| [^-]/u.test(line))
        .slice(1)
        .map((line) => [group, ...cellsOf(line)] as const);
    });
  const compared = rows.filter((row) => row[5] !== '');

  it('has the kept ratios, but for the draw whose older row it names', () => {
    const shown = new Map(compared.map((row) => [`${row[0]} / ${row[1]}`.toLowerCase(), Number(row[5])]));
    const other = Object.entries(readBaseline().ratios).filter(
      ([key, ratio]) => shown.get(key.slice(key.indexOf(' / ') + 3).toLowerCase()) !== ratio,
    );
    expect(other.map(([key]) => key)).toEqual([
      'samplers / samplers / hypergeometric, 3000 of 10 000, sd 14',
    ]);
  });

  it.each(compared)('divides as it says: %s, %s', (...row) => {
    const [measured, baseline, ratio] = [row[2], row[4]!.split(': ').at(-1), row[5]].map(Number) as [
      number,
      number,
      number,
    ];
    const isRate = row[3]!.startsWith('million');
    // Half of the third digit of each.
    const rounding = [measured, baseline, ratio]
      .map((value) => (0.5 * 10 ** (Math.floor(Math.log10(value)) - 2)) / value)
      .reduce((sum, part) => sum + part);
    expect(Math.abs(ratio / (isRate ? measured / baseline : baseline / measured) - 1)).toBeLessThan(
      1.01 * rounding,
    );
  });
});
