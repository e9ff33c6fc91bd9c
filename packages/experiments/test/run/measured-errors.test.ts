import { describe, expect, it } from 'vitest';
import { zTest } from '@shuffle-dp/core/testkit';
import { comparisonText } from '../../../cli/src/output/comparison-table.ts';
import { chooseSetting } from '../../src/results/chosen-setting.ts';
import { runCharts } from '../../src/report/run-charts.ts';
import { reportPage } from '../../src/report/run-report.ts';
import { resultsCsv } from '../../src/results/result-tables.ts';
import { summaryJson } from '../../src/results/summary.ts';
import { sampleVariance, CATEGORIES, LAST_PROTOCOL, runFolder } from './run-fixture.ts';

const { run } = runFolder();

describe('the error that a run measures', () => {
  it('measures ranges of the same estimates, and says so', async () => {
    const text = CATEGORIES.replace(LAST_PROTOCOL, '  - { kind: range-queries, accounting: blanket }\n');
    const frequencies = await run(text);
    const ranges = await run(`${text}measure: ranges\n`);
    ranges.cells.forEach((cell, i) => {
      const twin = frequencies.cells[i]!;
      expect(cell.cell).not.toBe(twin.cell);
      expect(cell.biasMaxAbs).toBe(twin.biasMaxAbs);
      expect(cell.mse).not.toBe(twin.mse);
      expect(cell.msePopulation).not.toBe(twin.msePopulation);
      // Widths of 95 % intervals of 15 trials, three for each side.
      const { lower, upper } = cell.mseInterval;
      expect(Math.abs(cell.mse - cell.mseTheory!)).toBeLessThan(1.5 * (upper - lower));
      expect(cell.mseTheory).not.toBe(twin.mseTheory);
    });
    expect(resultsCsv(frequencies).split('\n')[1]).toMatch(/,replace-one,frequencies,total-squared,/u);
    expect(resultsCsv(ranges).split('\n')[1]).toMatch(/,replace-one,ranges,total-squared,/u);
    const summary = JSON.parse(summaryJson(ranges)) as { measure: string };
    expect(summary.measure).toBe('ranges');
    const { chart, caption } = runCharts(ranges)[0]!;
    expect(chart.y.title).toBe('squared error of a range, mean');
    expect(caption).toContain('mean over all ranges');
    expect(reportPage(ranges, []).headline[0]).toContain('the least squared error of a range is');
    expect(reportPage(frequencies, []).headline[0]).toContain('the least total squared error is');
    expect(comparisonText(ranges, false)).toContain(
      'squared error of a range: squared error of the frequency of a range',
    );
  });

  // The errors of both categories cancel: of the three ranges two have a half of the sum of squares, and the
  // third none.
  it('of two categories has a third of the sum of squares as the error of ranges', async () => {
    const text = CATEGORIES.replace('domain: 16', 'domain: 2')
      .replace('[grr, oue]', 'grr')
      .replace(LAST_PROTOCOL, '');
    const frequencies = await run(text);
    const ranges = await run(`${text}measure: ranges\n`);
    ranges.cells.forEach(({ squaredErrors, mse }, i) => {
      const sums = frequencies.cells[i]!.squaredErrors;
      squaredErrors.forEach((error, trial) => expect(error / sums[trial]!).toBeCloseTo(1 / 3, 12));
      expect(mse).toBeGreaterThan(0);
    });
  });

  it('projects the joint law: both paths have one error', async () => {
    const text = `
name: projected
seed: projected
adjacency: replace-one
trials: 400
data: { kind: categories-zipf, domain: 12 }
users: 200
privacy: { delta: 1e-6 }
postprocess: project-simplex
protocols:
  - { kind: frequency, randomizer: subset, epsilon0: 1 }
`;
    const cells = await Promise.all(
      ['aggregated', 'messages'].map(async (path) => (await run(`${text}simulation: ${path}\n`)).cells[0]!),
    );
    const [aggregated, messages] = cells.map(({ squaredErrors, mse }) => ({
      mean: mse,
      variance: sampleVariance(squaredErrors) / squaredErrors.length,
    }));
    // Drawn as if independent the counts gave 0.76 of this error: ten standard errors.
    expect(
      zTest(aggregated!.mean, messages!.mean, Math.sqrt(aggregated!.variance + messages!.variance)),
    ).toBeGreaterThan(1e-4);
  });

  it.each([
    ['maximum', 'largest absolute error', (errors: readonly number[]) => Math.max(...errors.map(Math.abs))],
    [
      'total-variation',
      'half the sum',
      (errors: readonly number[]) => errors.reduce((sum, error) => sum + Math.abs(error), 0) / 2,
    ],
  ])('compares by the error that the config names: %s', async (error, words, errorOf) => {
    // For two categories the errors are opposite: the squared error gives all others.
    const text = CATEGORIES.replace('domain: 16', 'domain: 2')
      .replace(LAST_PROTOCOL, '')
      .replace('oue', 'subset');
    const squared = await run(text);
    const named = await run(`${text}error: ${error}\n`);
    expect(named.cells.map(({ mse }) => mse)).toEqual(squared.cells.map(({ mse }) => mse));
    named.cells.forEach((cell, i) => {
      expect(cell.cell).not.toBe(squared.cells[i]!.cell);
      expect(cell.errors.length).toBe(15);
      cell.errors.forEach((value, trial) => {
        const each = Math.sqrt(cell.squaredErrors[trial]! / 2);
        expect(value).toBeCloseTo(errorOf([each, -each]), 12);
      });
      expect(cell.error.theory).toBeNull();
      expect(cell.error.mean).toBeGreaterThan(cell.error.interval.lower);
    });
    expect(resultsCsv(named).split('\n')[1]).toContain(`,frequencies,${error},`);
    expect(comparisonText(named, false)).toContain(words);
    expect(runCharts(named)[0]!.caption).toContain(words);
    expect(reportPage(named, []).threatModel.join(' ')).toContain(words);
    // Without theory a sweep is chosen on trials of its own, which are not those reported.
    expect(squared.cells.every(({ choiceError }) => choiceError === null)).toBe(true);
    for (const {
      choiceError,
      error: { mean },
    } of named.cells) {
      expect(choiceError).toBeGreaterThan(mean / 4);
      expect(choiceError).toBeLessThan(mean * 4);
      expect(choiceError).not.toBe(mean);
    }
    expect(comparisonText(named, false)).toContain('best in as many separate trials');
  });

  it('chooses on trials of their own where theory has gaps', async () => {
    const result = await run(`
name: gaps
seed: 1
adjacency: replace-one
trials: 20
measure: means
data: { kind: key-values-zipf, domain: 4, items: 2, exponent: 0, low: -1, high: 1 }
users: 220
privacy: { delta: 1e-3 }
protocols:
  - { kind: pckv-grr, epsilon0: [1, 2], accounting: blanket }
`);
    // Twice the budget errs less, by far.
    const [loud, quiet] = result.cells;
    expect(quiet!.error.mean).toBeLessThan(loud!.error.mean / 2);
    expect(quiet!.choiceError).toBeLessThan(loud!.choiceError! / 2);
    expect(chooseSetting(result.cells)).toEqual({ cell: quiet, by: 'trials of their own' });
  });

  it.each([
    ['[grr, local-hash]', 'trials of their own'],
    ['[grr, oue]', 'theory'],
  ])('chooses among %s for ranges by %s', async (randomizer, by) => {
    const { cells } = await run(
      CATEGORIES.replace(LAST_PROTOCOL, '')
        .replace('[grr, oue]', randomizer)
        .replace('[0.5, 1]', '1')
        .concat('measure: ranges\n'),
    );
    expect(cells.every(({ choiceError }) => choiceError !== null)).toBe(true);
    expect(chooseSetting(cells).by).toBe(by);
  });

  it('compares by the error per item, of which theory is known', async () => {
    const squared = await run(CATEGORIES);
    const perItem = await run(`${CATEGORIES}error: per-item\n`);
    perItem.cells.forEach((cell, i) => {
      expect(cell.mse).toBe(squared.cells[i]!.mse);
      expect(cell.error.mean).toBeCloseTo(cell.mse / 16, 15);
      expect(cell.error.theory).toBeCloseTo(cell.mseTheory! / 16, 15);
    });
    expect(comparisonText(perItem, false)).toContain('squared error per item');
  });
});
